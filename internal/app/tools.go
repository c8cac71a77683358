package app

import (
	"os"
	"path/filepath"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/file"
	"github.com/trailblaze-dev/trailblaze/internal/replay"
	"github.com/trailblaze-dev/trailblaze/internal/tools"
	"github.com/trailblaze-dev/trailblaze/internal/tools/manage"
	"github.com/trailblaze-dev/trailblaze/internal/yaml"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// Tools makes the tools of a workspace. Files to upload and trails to call are read below root.
func Tools(root string) ([]tool.Tool, *tool.Registry, error) {
	var reg *tool.Registry
	all := append(tools.BuiltinIn(root), replay.NewRunTrail(
		func(path string) (*trail.Trail, error) { return loadIn(root, path) },
		func() *tool.Registry { return reg },
	))
	reg, err := tool.NewRegistry(all...)
	return all, reg, err
}

// Catalog lists all tools, the management tools of the daemon too. It describes them; it cannot run them.
func Catalog() (*tool.Registry, error) {
	_, reg, err := Tools("")
	if err != nil {
		return nil, err
	}
	return reg.With(manage.Tools(nil, manage.Options{})...)
}

// Linter makes a linter that knows the tools of a workspace.
func Linter(root string) (*replay.Linter, error) {
	_, reg, err := Tools(root)
	if err != nil {
		return nil, err
	}
	return &replay.Linter{Registry: reg, NeedsModel: tools.NeedsModel()}, nil
}

// LoadTrail reads the trail file name. Messages call it shown. The warnings come back with or without an error.
func LoadTrail(name, shown string) (*trail.Trail, trail.Problems, error) {
	data, err := file.Read(name, yaml.MaxSize)
	if err != nil {
		return nil, nil, fault.Wrap(err, fault.Invalid, "read trail")
	}
	return parse(shown, data, filepath.Dir(name))
}

// loadIn reads a trail below root, for trails that call others.
func loadIn(root, path string) (*trail.Trail, error) {
	const op = "read trail"
	if root == "" {
		root = "."
	}
	dir, err := os.OpenRoot(root)
	if err != nil {
		return nil, fault.Wrap(err, fault.NotFound, op)
	}
	defer func() { _ = dir.Close() }()
	rel := filepath.FromSlash(path)
	if filepath.IsAbs(rel) {
		abs, err := filepath.Abs(root)
		if err != nil {
			return nil, fault.Wrap(err, fault.Internal, op)
		}
		if rel, err = filepath.Rel(abs, rel); err != nil {
			return nil, fault.Wrap(err, fault.Denied, op)
		}
	}
	data, err := file.ReadIn(dir, rel, yaml.MaxSize)
	if err != nil {
		return nil, fault.Wrap(err, fault.Invalid, op)
	}
	t, _, err := parse(path, data, filepath.Join(root, filepath.Dir(rel)))
	return t, err
}

// parse reads a trail strictly. The trails that it calls are found from dir.
func parse(shown string, data []byte, dir string) (*trail.Trail, trail.Problems, error) {
	t, problems := trail.Parse(shown, data, trail.Strict)
	if err := problems.Err(); err != nil || t == nil {
		return nil, problems.Warnings(), err
	}
	var err error
	if t.Dir, err = filepath.Abs(dir); err != nil {
		return nil, problems.Warnings(), fault.Wrap(err, fault.Internal, "read trail")
	}
	return t, problems.Warnings(), nil
}
