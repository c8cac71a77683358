package form

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
	"github.com/trailblaze-dev/trailblaze/internal/ground/proc"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/action"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/locator"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
)

type uploadIn struct {
	locator.Target
	Paths []string `json:"paths" minItems:"1" jsonschema:"files to upload, relative to the workspace"`
	action.Terms
}

func webUploadFile(root string) tool.Tool {
	return action.Define(web("web_uploadFile", "Upload file").With(tool.Facts{
		Categories: []string{"FILES"}, Purpose: tool.GiveFiles, Effects: &tool.Effects{Reads: []string{"paths"}},
		Sentence: func(p tool.Phrase) string { return "Upload " + p.Quoted("paths") + tool.Join(" to ", p.Target) },
	}), func(ctx context.Context, env tool.Env, in uploadIn) (*tool.Result, error) {
		dir, paths, err := copied(root, in.Paths)
		if err != nil {
			return nil, err
		}
		res, err := action.Do(ctx, env, action.Request{
			Query: in.Query(in.Target).For(locator.FileInput), Expect: in.Expect,
			Did: "Uploaded " + strings.Join(in.Paths, ", ") + " to",
			Action: func(t driver.Target, _ *screen.Node) driver.Action {
				return driver.Upload{Target: t, Paths: paths, Copies: dir}
			},
		})
		if err != nil || res.IsError {
			_ = os.RemoveAll(dir) // the page has nothing of it
		}
		return res, err
	})
}

// copied copies regular files below root into a folder of their own, and returns that and where they are in it. A page
// must not get files that a trail could not have meant: "..", absolute paths elsewhere, and links that lead out are
// refused. It gets a copy, because a file that was checked may be a link when the page reads it.
func copied(root string, names []string) (to string, paths []string, err error) {
	const op = "open file to upload"
	base, err := filepath.Abs(root) // an empty root is the working directory
	if err != nil {
		return "", nil, fault.Wrap(err, fault.Internal, op)
	}
	dir, err := os.OpenRoot(base)
	if err != nil {
		return "", nil, fault.Wrap(err, fault.NotFound, op)
	}
	defer func() { _ = dir.Close() }()
	made, err := proc.MakeFolder("upload")
	if err != nil {
		return "", nil, fault.Wrap(err, fault.Unavailable, op)
	}
	defer func() {
		if err != nil {
			_ = os.RemoveAll(made)
		}
	}()
	for i, name := range names {
		var rel string
		if rel, err = within(base, name); err != nil {
			return "", nil, err
		}
		if rel, err = file.Plain(op, dir, rel); err != nil {
			return "", nil, err
		}
		path := filepath.Join(made, strconv.Itoa(i), filepath.Base(rel))
		if err = copyFile(dir, rel, path, name); err != nil {
			return "", nil, err
		}
		paths = append(paths, path)
	}
	return made, paths, nil
}

// copyFile copies one file. It checks the file that it has opened: nothing can be put in its place in between.
func copyFile(dir *os.Root, rel, to, name string) error {
	const op = "open file to upload"
	info, err := dir.Stat(rel) // before opening: a named pipe would be waited for
	switch {
	case os.IsNotExist(err):
		return fault.New(fault.NotFound, op, "there is no file %s in the workspace", name)
	case err != nil:
		return fault.New(fault.Denied, op, "%s leads out of the workspace: %w", name, err)
	case info.Mode()&fs.ModeType != 0:
		return fault.New(fault.Invalid, op, "%s is not a file", name)
	}
	from, err := dir.Open(rel)
	if err != nil {
		return fault.New(fault.Denied, op, "%s cannot be opened in the workspace: %w", name, err)
	}
	defer func() { _ = from.Close() }()
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return fault.Wrap(err, fault.Unavailable, op)
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fault.Wrap(err, fault.Unavailable, op)
	}
	_, err = io.Copy(out, from)
	return fault.Wrap(errors.Join(err, out.Close()), fault.Unavailable, op)
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
