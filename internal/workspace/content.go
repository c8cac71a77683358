package workspace

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/internal/file"
	"github.com/trailblaze-dev/trailblaze/internal/workspace/source"
)

const (
	maxContent = 256 << 20 // of a file; what is larger is known by its size
	maxCode    = 20_000    // files and folders that are looked at beside a script
)

// languages are the files that a script may import without anybody naming them, by the end of its name.
var languages = [][]string{
	{".py", ".pyw"},
	{".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx", "package.json"},
	{".go", "go.mod", "go.sum"},
	{".rb"}, {".php"}, {".pl", ".pm"}, {".lua"}, {".sh", ".bash"},
}

// languageOf is the one that a file is written in, nil for a program and for what is not known.
func languageOf(name string) []string {
	for _, l := range languages {
		if slices.ContainsFunc(l, func(end string) bool { return end[0] == '.' && strings.HasSuffix(name, end) }) {
			return l
		}
	}
	return nil
}

// whole is a process with its content. Of a script its maker knows that; of another program it is that of the files of
// the workspace which the command line names, and of what those may import.
func (s *Sources) whole(p source.Process) source.Process {
	if p.Content == "" && len(p.Command) > 0 {
		p.Content = contentOf(s.o.Root, p.Dir, p.Command)
	}
	return p
}

// contentOf is a hash of the files that a command line names below root, and of the files of the same language beside
// them and below. Where it names none, those of the folders that it names count. "": there is nothing of the workspace.
func contentOf(root, dir string, command []string) string {
	top, err := os.OpenRoot(root)
	if err != nil {
		return ""
	}
	defer func() { _ = top.Close() }()
	c := &content{root: top, sum: sha256.New(), seen: map[string]bool{}, left: maxCode}
	var folders []string
	for i, word := range command {
		for _, name := range namesIn(command, i, word) {
			name, ok := below(root, dir, name)
			info, err := top.Stat(name)
			switch {
			case !ok || err != nil: // it is an option, or stands outside of the workspace
			case info.Mode().IsRegular():
				c.file(name)
				c.code(path.Dir(name), languageOf(name))
			case info.IsDir():
				folders = append(folders, name)
			}
		}
	}
	if len(c.seen) == 0 {
		for _, f := range folders {
			c.code(f, slices.Concat(languages...))
		}
	}
	if len(c.seen) == 0 {
		return ""
	}
	return hex.EncodeToString(c.sum.Sum(nil))
}

// namesIn are the files and folders that a word of a command line may name.
func namesIn(command []string, i int, word string) []string {
	if i > 0 && command[i-1] == "-m" { // a module of Python
		module := strings.ReplaceAll(word, ".", "/")
		return []string{module + ".py", module}
	}
	if _, value, ok := strings.Cut(word, "="); ok && strings.HasPrefix(word, "-") {
		word = value
	}
	return []string{word}
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

// content sums up files, each once.
type content struct {
	root *os.Root
	sum  hash.Hash
	seen map[string]bool
	left int
}

func (c *content) file(name string) {
	if c.seen[name] {
		return
	}
	c.seen[name] = true
	data, err := file.ReadIn(c.root, name, maxContent)
	if err == nil {
		_, _ = fmt.Fprintf(c.sum, "%s %x\n", name, sha256.Sum256(data))
	} else if info, serr := c.root.Stat(name); serr == nil {
		_, _ = fmt.Fprintln(c.sum, name, info.Size(), err)
	}
}

// code sums up the files of a language in a folder and below. Installed code, such as packages, is left out.
func (c *content) code(folder string, ends []string) {
	if len(ends) == 0 {
		return
	}
	err := fs.WalkDir(c.root.FS(), folder, func(name string, d fs.DirEntry, err error) error {
		if c.left--; c.left < 0 {
			return fmt.Errorf("there are more than %d files", maxCode)
		}
		switch {
		case err != nil:
			_, _ = fmt.Fprintln(c.sum, name, "cannot be read")
			return nil
		case d.IsDir() && name != folder && c.installed(name, d.Name()):
			return fs.SkipDir
		case !d.IsDir() && slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(name, end) }):
			c.file(name)
		}
		return nil
	})
	if err != nil {
		_, _ = fmt.Fprintln(c.sum, folder, err)
	}
}

// installed says whether a folder holds what a tool has put there.
func (c *content) installed(name, base string) bool {
	if strings.HasPrefix(base, ".") || base == "node_modules" || base == "__pycache__" {
		return true
	}
	_, err := c.root.Stat(path.Join(name, "pyvenv.cfg"))
	return err == nil
}
