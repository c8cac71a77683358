package manage

import (
	"context"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/trails/record"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// These limit the search: a workspace may be a home folder.
const (
	maxTrails  = 2000
	maxEntries = 100_000
)

// trailFile is a trail file that was read.
type trailFile struct {
	path     string // below the workspace, with slashes
	data     []byte
	trail    *trail.Trail // nil when nothing can be made of it
	problems trail.Problems
}

func parsed(path string, data []byte) *trailFile {
	t, problems := trail.Parse(path, data, trail.Strict)
	return &trailFile{path, data, t, problems}
}

// usable returns the trail, or its mistakes.
func (f *trailFile) usable() (*trail.Trail, error) {
	if err := f.problems.Err(); err != nil {
		return nil, err
	}
	return f.trail, nil
}

func (f *trailFile) line() trailLine {
	l := trailLine{File: f.path}
	if err := f.problems.Err(); err != nil {
		l.Problem, _, _ = strings.Cut(err.Error(), "\n")
	}
	if f.trail == nil {
		return l
	}
	l.ID, l.Title, l.Tags, l.Steps = f.trail.Config.ID, f.trail.Config.Title, f.trail.Config.Tags, len(f.trail.Steps)
	for _, s := range f.trail.Steps {
		for classifier := range s.Recordings {
			if classifier == trail.V1Classifier {
				classifier = f.trail.Config.Platform
			}
			if classifier != "" && !slices.Contains(l.Platforms, classifier) {
				l.Platforms = append(l.Platforms, classifier)
			}
		}
	}
	slices.Sort(l.Platforms)
	return l
}

// pruned are folders that hold no trails, besides hidden ones.
var pruned = []string{"node_modules", "build", "vendor"}

// trailsOf reads the trail files of a workspace. It follows no links and never leaves the folder.
func trailsOf(ctx context.Context, workspace string) ([]*trailFile, error) {
	const op = "find trails"
	if workspace == "" {
		return nil, fault.New(fault.Invalid, op, "there is no workspace").WithHint(record.NameProject)
	}
	root, err := os.OpenRoot(workspace)
	if err != nil {
		return nil, fault.Wrap(err, fault.NotFound, op)
	}
	defer func() { _ = root.Close() }()
	tree := root.FS()
	var out []*trailFile
	seen := 0
	err = fs.WalkDir(tree, ".", func(name string, e fs.DirEntry, err error) error {
		seen++
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case seen > maxEntries:
			return fs.SkipAll
		case err != nil && e != nil && e.IsDir():
			return fs.SkipDir
		case err != nil:
			return nil
		case e.IsDir() && isPruned(name):
			return fs.SkipDir
		case !e.Type().IsRegular() || !isTrail(e.Name()):
			return nil
		case len(out) == maxTrails:
			return fs.SkipAll
		}
		if f := readTrail(tree, name, e); f != nil {
			out = append(out, f)
		}
		return nil
	})
	return out, fault.Wrap(err, fault.Unavailable, op)
}

func isPruned(folder string) bool {
	base := path.Base(folder)
	return folder != "." && (strings.HasPrefix(base, ".") || slices.Contains(pruned, base))
}

// readTrail reads a trail file, nil when it is too large or cannot be read.
func readTrail(tree fs.FS, name string, e fs.DirEntry) *trailFile {
	if info, err := e.Info(); err != nil || info.Size() > maxFile {
		return nil
	}
	data, err := fs.ReadFile(tree, name)
	if err != nil {
		return nil
	}
	return parsed(name, data)
}

func isTrail(name string) bool { return name == "trail.yaml" || strings.HasSuffix(name, ".trail.yaml") }
