package workspace

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace/source"
)

// These limit the files that are known by their content. Larger ones are never read, and so are never remembered.
const (
	maxContent = 256 << 20 // of a file
	maxTotal   = 512 << 20 // of all files of a process
	maxCode    = 20_000    // files that are read
	maxListed  = 200_000   // files that are known by size and time
)

// skippedFolders are folders that are left out: versions and files that each run writes.
var skippedFolders = []string{".git", ".hg", ".svn", ".jj", ".trailblaze"}

// addContent is a process with its content. Of a script its maker knows that; of another program it is that of the
// folder that it runs in and of the files of the workspace which its command line names.
func (s *Sources) addContent(p source.Process) source.Process {
	if p.Content == "" && len(p.Command) > 0 {
		s.sums.know(s.o.Root, &p)
	}
	return p
}

// contents finds out what processes are made of. It keeps the sum of a file for as long as the file has the same size
// and time, since the question is asked at each start.
type contents struct {
	mu   sync.Mutex
	kept map[string]kept // by path below the root
}

type kept struct {
	info fs.FileInfo
	sum  [sha256.Size]byte
}

// know fills in the content of a process, its known and its unknown parts.
func (c *contents) know(root string, p *source.Process) {
	top, err := os.OpenRoot(root)
	if err != nil {
		p.Unknown = "the workspace cannot be opened"
		return
	}
	defer func() { _ = top.Close() }()
	w := &walk{root: top, names: map[string]bool{}}
	dirs := w.folders(root, p.Dir, p.Command)
	for _, dir := range dirs {
		w.folder(dir)
	}
	if p.Unknown = w.unknown; p.Unknown == "" {
		p.Content = c.sum(w)
	}
	p.Covered, p.Uncovered = w.covered(dirs), append(w.uncovered, outside(p.Command, dirs)...)
}

// walk lists the files of folders with their sizes before any of them is read.
type walk struct {
	root      *os.Root
	names     map[string]bool // that were looked at
	read      []found
	lines     []string // what else decides: links, and files that are known by size and time
	bytes     int64
	listed    int
	links     int
	uncovered []string
	unknown   string // why the content cannot be known
}

type found struct {
	name string
	info fs.FileInfo
}

// folders are those whose files count: the one that the process runs in, and those of the files that its command line
// names elsewhere in the workspace. Where it names only folders, those count.
func (w *walk) folders(root, dir string, command []string) []string {
	at, ok := below(root, "", cmp.Or(dir, "."))
	if !ok || !filepath.IsLocal(filepath.FromSlash(at)) {
		w.unknown = "it runs in a folder outside of the workspace: " + dir
		return nil
	}
	out := []string{at}
	for i, word := range command {
		for _, name := range namesIn(command, i, word) {
			name, ok := below(root, dir, name)
			if !ok || !filepath.IsLocal(filepath.FromSlash(name)) {
				continue
			}
			switch info, err := w.root.Stat(filepath.FromSlash(name)); {
			case err != nil: // it is an option, or not there
			case info.IsDir() && i > 0 && name != ".":
				out = append(out, name)
			case info.Mode().IsRegular() && path.Dir(name) == "." && at != ".":
				w.file(name, info) // of the whole workspace only this file was named
			case info.Mode().IsRegular():
				out = append(out, path.Dir(name))
			}
		}
	}
	return outermost(out)
}

// outermost are the folders that are in no other of them.
func outermost(all []string) (out []string) {
	slices.Sort(all)
	for _, dir := range slices.Compact(all) {
		in := func(of string) bool { return of == "." || of == dir || strings.HasPrefix(dir, of+"/") }
		if !slices.ContainsFunc(out, in) {
			out = append(out, dir)
		}
	}
	return out
}

// namesIn are the files and folders that a word of a command line may name. A word may be a line of a shell.
func namesIn(command []string, i int, word string) []string {
	if i > 0 && command[i-1] == "-m" { // a module of Python
		module := strings.ReplaceAll(word, ".", "/")
		return []string{module + ".py", module}
	}
	if _, value, ok := strings.Cut(word, "="); ok && strings.HasPrefix(word, "-") {
		word = value
	}
	return append(strings.FieldsFunc(word, func(r rune) bool { return strings.ContainsRune(" \t\n;&|<>()'\"`", r) }), word)
}

// below is a name relative to the root, with slashes.
func below(root, dir, name string) (string, bool) {
	name = filepath.FromSlash(name)
	if !filepath.IsAbs(name) {
		return filepath.ToSlash(filepath.Join(filepath.FromSlash(dir), name)), true
	}
	rel, err := filepath.Rel(root, name)
	return filepath.ToSlash(rel), err == nil
}

// folder lists the files in a folder and below. No link is followed.
func (w *walk) folder(dir string) {
	err := fs.WalkDir(w.root.FS(), dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case w.unknown != "":
			return fs.SkipAll
		case err != nil:
			w.lines = append(w.lines, fmt.Sprintf("unread %q", name))
			w.uncovered = append(w.uncovered, name+", which cannot be read")
		case d.IsDir() && slices.Contains(skippedFolders, d.Name()):
			return fs.SkipDir
		case d.IsDir() && name != dir && w.installed(name, d.Name()):
			w.stats(name)
			return fs.SkipDir
		case !d.IsDir():
			w.entry(name, d)
		}
		return nil
	})
	if err != nil {
		w.unknown = cmp.Or(w.unknown, err.Error())
	}
}

// entry notes one file.
func (w *walk) entry(name string, d fs.DirEntry) {
	info, err := d.Info()
	switch base := d.Name(); {
	case w.names[name] || err != nil: // what goes meanwhile is not run
	case info.Mode()&fs.ModeSymlink != 0:
		w.link(name)
	case !info.Mode().IsRegular():
		w.lines = append(w.lines, fmt.Sprintf("special %q %v", name, info.Mode().Type()))
		w.uncovered = append(w.uncovered, name+", which is no file")
	case isOwnFile(name, base): // saving a trail or a tool must not ask again
	default:
		w.file(name, info)
	}
	w.names[name] = true
}

// isOwnFile reports whether a file is one that is read here and run by nothing else: settings, trails, tools in YAML.
func isOwnFile(name, base string) bool {
	ext := path.Ext(base)
	return ext == ".yaml" && (base == "trailblaze.yaml" || strings.HasSuffix(base, "trail.yaml") ||
		strings.HasPrefix(name, configDir+"/"))
}

func (w *walk) file(name string, info fs.FileInfo) {
	w.read = append(w.read, found{name, info})
	w.bytes += info.Size()
	switch {
	case info.Size() > maxContent:
		w.unknown = fmt.Sprintf("%s has %d MB, and up to %d are read", name, info.Size()>>20, maxContent>>20)
	case w.bytes > maxTotal:
		w.unknown = fmt.Sprintf("its files have more than %d MB", maxTotal>>20)
	case len(w.read) > maxCode:
		w.unknown = fmt.Sprintf("it has more than %d files", maxCode)
	}
}

// maxNamed limits the links that a message names.
const maxNamed = 5

// link notes the target of a link. The content of the target is known only in a folder that is.
func (w *walk) link(name string) {
	to, err := w.root.Readlink(filepath.FromSlash(name))
	w.lines = append(w.lines, fmt.Sprintf("link %q %q %v", name, to, err != nil))
	at := path.Join(path.Dir(name), filepath.ToSlash(to))
	if filepath.IsAbs(to) || !filepath.IsLocal(filepath.FromSlash(at)) {
		if w.links++; w.links <= maxNamed {
			w.uncovered = append(w.uncovered, "what the link "+name+" leads to: "+to)
		}
	}
}

// stats notes the files of a folder by size and time: installed packages are too many to be read at each start.
func (w *walk) stats(dir string) {
	err := fs.WalkDir(w.root.FS(), dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil //nolint:nilerr // what cannot be listed cannot be run
		}
		if w.listed++; w.listed > maxListed {
			w.unknown = fmt.Sprintf("%s has more than %d files", dir, maxListed)
			return fs.SkipAll
		}
		info, err := d.Info()
		switch {
		case err != nil:
		case info.Mode()&fs.ModeSymlink != 0:
			to, _ := w.root.Readlink(filepath.FromSlash(name))
			w.lines = append(w.lines, fmt.Sprintf("link %q %q", name, to))
		default:
			w.lines = append(w.lines, fmt.Sprintf("stat %q %v %d %d", name, info.Mode().Type(), info.Size(),
				info.ModTime().UnixNano()))
		}
		return nil
	})
	if err != nil {
		w.unknown = cmp.Or(w.unknown, err.Error())
	}
}

// installed reports whether a folder holds the files of a package manager or another tool.
func (w *walk) installed(name, base string) bool {
	if strings.HasPrefix(base, ".") || base == "node_modules" {
		return true
	}
	_, err := w.root.Lstat(filepath.FromSlash(path.Join(name, "pyvenv.cfg")))
	return err == nil
}

// sum is one hash of everything that was found.
func (c *contents) sum(w *walk) string {
	h := sha256.New()
	for _, f := range w.read {
		sum, err := c.of(w.root, f)
		_, _ = fmt.Fprintf(h, "file %q %x %v\n", f.name, sum, err != nil)
		if err != nil {
			w.uncovered = append(w.uncovered, f.name+", which cannot be read")
		}
	}
	for _, line := range w.lines {
		_, _ = fmt.Fprintln(h, line)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// settled is the age from which a file's time surely differs after a later change.
const settled = 2 * time.Second

// of is the sum of one file.
func (c *contents) of(root *os.Root, f found) (sum [sha256.Size]byte, err error) {
	c.mu.Lock()
	have, ok := c.kept[f.name]
	c.mu.Unlock()
	if ok && os.SameFile(have.info, f.info) && have.info.Size() == f.info.Size() &&
		have.info.ModTime().Equal(f.info.ModTime()) {
		return have.sum, nil
	}
	h := sha256.New()
	if err := file.CopyIn(h, root, filepath.FromSlash(f.name), maxContent); err != nil {
		return sum, err
	}
	copy(sum[:], h.Sum(nil))
	if time.Since(f.info.ModTime()) > settled {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.kept == nil || len(c.kept) > 4*maxCode {
			c.kept = map[string]kept{}
		}
		c.kept[f.name] = kept{f.info, sum}
	}
	return sum, nil
}

// covered lists the parts of the workspace that are trusted.
func (w *walk) covered(dirs []string) (out []string) {
	for _, dir := range dirs {
		out = append(out, "every file in "+folderName(dir)+" and below")
	}
	if len(dirs) > 0 {
		out[len(out)-1] += fmt.Sprintf(" (%s, %d kB)", phrase.Count(len(w.read), "file"), w.bytes>>10)
	}
	if w.listed > 0 {
		out = append(out, fmt.Sprintf("by size and time: %s of hidden folders, node_modules and environments of Python",
			phrase.Count(w.listed, "file")))
	}
	return out
}

func folderName(dir string) string {
	if dir == "." {
		return "the workspace"
	}
	return dir
}

// fetchers are programs that run what they download.
var fetchers = []string{"npx", "bunx", "uvx", "pipx", "dlx"}

// outside lists the unknown programs and files that a program may run.
func outside(command, dirs []string) (out []string) {
	out = append(out, "what it loads from elsewhere: installed programs and packages, files outside of "+
		strings.Join(mapped(dirs, folderName), ", "),
		strings.Join(skippedFolders, ", ")+", trailblaze.yaml, recorded trails and the YAML files of "+configDir)
	for _, word := range command {
		if slices.Contains(fetchers, path.Base(filepath.ToSlash(word))) {
			return append(out, "what "+path.Base(filepath.ToSlash(word))+" downloads")
		}
	}
	return out
}

func mapped(all []string, fn func(string) string) (out []string) {
	for _, s := range all {
		out = append(out, fn(s))
	}
	return out
}
