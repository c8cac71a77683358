package yamltool

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
	"github.com/trailblaze-dev/trailblaze/internal/ground/yaml"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace/source"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// The bounds of a source.
const (
	maxFiles  = 2000
	maxFolder = 6 // levels below the folder of a source
)

// Source finds the files of YAML tools in the folders of a workspace.
type Source struct {
	o source.Options

	mu       sync.Mutex
	last     [sha256.Size]byte // of what was read
	loaded   bool
	tools    []tool.Tool
	problems []tool.Problem
}

var _ tool.Source = (*Source)(nil)

// New makes the source of a workspace's YAML tools. It reads nothing yet.
func New(o source.Options) []tool.Source {
	if len(o.Folders) == 0 {
		return nil
	}
	return []tool.Source{&Source{o: o}}
}

// Origin implements tool.Source.
func (s *Source) Origin() string {
	var dirs []string
	for _, f := range s.o.Folders {
		dirs = append(dirs, f.Dir)
	}
	return strings.Join(dirs, ", ")
}

// Close implements tool.Source. Nothing runs.
func (s *Source) Close() error { return nil }

// Processes implements source.Starter: the scripts in tools that get secrets.
func (s *Source) Processes(ctx context.Context) ([]source.Process, error) {
	tools, _, err := s.Load(ctx)
	return source.GrantsOf(ctx, tools), err
}

// Load implements tool.Source. Files that have not changed give the tools that they gave before.
func (s *Source) Load(ctx context.Context) ([]tool.Tool, []tool.Problem, error) {
	found, elsewhere, problems, err := s.read(ctx)
	if err != nil {
		return nil, nil, err
	}
	sum := sha256.New()
	_, _ = fmt.Fprintln(sum, elsewhere)
	for _, f := range found {
		sum.Write([]byte(f.target + "\x00" + f.path + "\x00"))
		one := sha256.Sum256(f.data)
		sum.Write(one[:])
	}
	for _, p := range problems {
		sum.Write([]byte(p.Error()))
	}
	var now [sha256.Size]byte
	sum.Sum(now[:0])
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.loaded && now == s.last {
		return s.tools, s.problems, nil
	}
	tools, more := link(found, s.o, elsewhere)
	s.tools, s.problems, s.last, s.loaded = tools, append(problems, more...), now, true
	return s.tools, s.problems, nil
}

// found is a file that was read.
type found struct {
	path   string // relative to the root, with slashes
	target string
	data   []byte
}

// read reads the files. elsewhere says that other sources have tools too, which a tool may call without its being
// known here.
func (s *Source) read(ctx context.Context) (out []found, elsewhere bool, problems []tool.Problem, err error) {
	root, err := os.OpenRoot(s.o.Root)
	if err != nil {
		return nil, false, nil, fault.Wrap(err, fault.NotFound, "read workspace")
	}
	defer func() { _ = root.Close() }()
	elsewhere = len(s.o.Servers) > 0
	for _, folder := range s.o.Folders {
		names, scripts, err := files(ctx, root, folder.Dir)
		elsewhere = elsewhere || scripts
		if err != nil {
			problems = append(problems, tool.Problem{Name: folder.Dir, Err: err})
		}
		for _, name := range names {
			data, err := file.ReadIn(root, filepath.FromSlash(name), yaml.MaxSize)
			switch {
			case err != nil:
				problems = append(problems, tool.Problem{Name: name, Err: fault.Wrap(err, fault.Invalid, "read "+name)})
			case slices.ContainsFunc(out, func(f found) bool { return f.path == name }): // folders may lie in each other
			case source.DescribesScript(data): // a source of scripts reads it
			case certain(name) || hasID().Match(data):
				out = append(out, found{name, folder.Target, bytes.TrimPrefix(data, []byte("\ufeff"))})
			}
			if ctx.Err() != nil {
				return nil, false, nil, fault.Wrap(context.Cause(ctx), "", "read tools")
			}
		}
	}
	return out, elsewhere, problems, nil
}

var (
	certainly = regex.Lazy(`\.(tool|shortcut|trailhead)\.ya?ml$`)
	perhaps   = regex.Lazy(`\.ya?ml$`)
	trails    = regex.Lazy(`(^|\.)(trail|trailblaze|trailmap)\.ya?ml$`)
	script    = regex.Lazy(`\.[cm]?[jt]s$`)
	hasID     = regex.Lazy(`(?m)^id:`)
)

// certain reports whether a file is a tool by its name. Another YAML file is one if it has an id.
func certain(name string) bool { return certainly().MatchString(name) }

// files lists the files of a folder that may be tools, in a stable order, and reports whether there are scripts beside
// them.
func files(ctx context.Context, root *os.Root, dir string) (out []string, scripts bool, err error) {
	dir = path.Clean(dir)
	err = fs.WalkDir(root.FS(), dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && name == dir && errors.Is(err, fs.ErrNotExist):
			return fs.SkipAll
		case err != nil:
			return err
		case d.IsDir():
			rel := strings.TrimPrefix(name, dir)
			if name != dir && (skipped(d.Name()) || strings.Count(rel, "/") > maxFolder) {
				return fs.SkipDir
			}
			return nil
		case script().MatchString(name):
			scripts = true
			return nil
		case !perhaps().MatchString(name) || trails().MatchString(path.Base(name)):
			return nil
		case len(out) == maxFiles:
			return fault.New(fault.Invalid, "read tools", "%s has more than %d files of tools", dir, maxFiles)
		}
		out = append(out, name)
		return nil
	})
	return out, scripts, err
}

func skipped(name string) bool {
	return strings.HasPrefix(name, ".") || name == "node_modules" || name == "build" || name == "dist"
}
