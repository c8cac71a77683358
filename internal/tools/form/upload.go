package form

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/tools/locate"
	"github.com/trailblaze-dev/trailblaze/internal/tools/perform"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
)

type uploadIn struct {
	locate.Target
	Paths []string `json:"paths" minItems:"1" jsonschema:"files to upload, relative to the workspace"`
	perform.Within
	perform.Expect
	perform.Note
}

func webUploadFile(root string) tool.Tool {
	return perform.Define(web("web_uploadFile", "Upload file"), func(ctx context.Context, env tool.Env, in uploadIn) (*tool.Result, error) {
		paths, err := confined(root, in.Paths)
		if err != nil {
			return nil, err
		}
		return perform.Do(ctx, env, perform.Job{
			Query: in.Query(in.Target), Expect: in.Expect, Did: "Uploaded " + strings.Join(in.Paths, ", ") + " to",
			Action: func(t driver.Target, _ *screen.Node) driver.Action { return driver.Upload{Target: t, Paths: paths} },
		})
	})
}

// confined turns the names into absolute paths of regular files below root. A page must not get what a trail could not
// have meant: "..", absolute paths elsewhere, and links that lead out are refused.
func confined(root string, names []string) ([]string, error) {
	const op = "open file to upload"
	base, err := filepath.Abs(root) // an empty root is the working directory
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, op)
	}
	dir, err := os.OpenRoot(base)
	if err != nil {
		return nil, fault.Wrap(err, fault.NotFound, op)
	}
	defer func() { _ = dir.Close() }()
	var out []string
	for _, name := range names {
		rel, err := within(base, name)
		if err != nil {
			return nil, err
		}
		info, err := dir.Stat(rel)
		switch {
		case os.IsNotExist(err):
			return nil, fault.New(fault.NotFound, op, "there is no file %s in the workspace", name)
		case err != nil:
			return nil, fault.New(fault.Denied, op, "%s leads out of the workspace: %w", name, err)
		case info.Mode()&fs.ModeType != 0:
			return nil, fault.New(fault.Invalid, op, "%s is not a file", name)
		}
		real, err := filepath.EvalSymlinks(filepath.Join(base, rel))
		if err != nil {
			return nil, fault.Wrap(err, fault.NotFound, op)
		}
		out = append(out, real)
	}
	return out, nil
}

func within(base, name string) (string, error) {
	rel := name
	if filepath.IsAbs(name) {
		var err error
		if rel, err = filepath.Rel(base, name); err != nil {
			rel = ".."
		}
	}
	if !filepath.IsLocal(rel) {
		return "", fault.New(fault.Denied, "open file to upload", "%s is outside the workspace %s", name, base).
			WithHint("Put the file into the workspace, or run from a folder that holds it.")
	}
	return rel, nil
}
