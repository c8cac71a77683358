package manage

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
	"github.com/trailblaze-dev/trailblaze/internal/trails/record"
)

// maxFile bounds the part of a workspace's file that is read at once.
const maxFile = 8 << 20

// readIn reads a file of the workspace. Nothing outside of it can be named, by dots or by links.
func readIn(workspace, path string) ([]byte, error) {
	const op = "read file"
	if workspace == "" {
		return nil, fault.New(fault.Invalid, op, "there is no workspace to read %s in", path).
			WithHint(record.NameProject)
	}
	root, err := os.OpenRoot(workspace)
	if err != nil {
		return nil, fault.Wrap(err, fault.NotFound, op)
	}
	defer func() { _ = root.Close() }()
	rel := filepath.FromSlash(path)
	if filepath.IsAbs(rel) {
		if rel, err = filepath.Rel(workspace, rel); err != nil {
			return nil, outside(path)
		}
	}
	if !filepath.IsLocal(rel) {
		return nil, outside(path)
	}
	info, err := root.Stat(rel)
	switch {
	case err != nil && strings.Contains(err.Error(), "escapes from parent"):
		return nil, outside(path)
	case os.IsNotExist(err):
		return nil, fault.New(fault.NotFound, op, "there is no file %s in the workspace", filepath.ToSlash(rel))
	case err != nil:
		return nil, fault.Wrap(err, fault.Denied, op)
	case info.IsDir():
		return nil, fault.New(fault.Invalid, op, "%s is a folder", path)
	case info.Size() > maxFile:
		return nil, fault.New(fault.Invalid, op, "%s is larger than %d MB", path, maxFile>>20)
	}
	data, err := file.ReadIn(root, rel, maxFile)
	return data, fault.Wrap(err, fault.Denied, op)
}

func outside(path string) error {
	return fault.New(fault.Denied, "read file", "%q is outside the workspace", path).
		WithHint("Only files of the workspace can be named.")
}

// spokenDuration writes a duration for people.
func spokenDuration(d time.Duration) string {
	switch {
	case d < time.Second:
		return d.Round(time.Millisecond).String()
	case d < time.Minute:
		return d.Round(100 * time.Millisecond).String()
	}
	return d.Round(time.Second).String()
}
