package demo

import (
	"embed"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
)

//go:embed trails
var trails embed.FS

// The visitor that the shop knows.
const (
	Email    = "robin@example.com"
	Password = "correct-horse-battery"
)

// WriteTrails writes the shop's trails, and the files they upload, into dir and returns the trail files in the order
// they are played. It overwrites a reader's changes.
func WriteTrails(dir string) ([]string, error) {
	var files []string
	err := fs.WalkDir(trails, "trails", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(trails, name)
		if err != nil {
			return err
		}
		target := filepath.Join(dir, filepath.FromSlash(strings.TrimPrefix(name, "trails/")))
		if strings.HasSuffix(name, ".trail.yaml") {
			files = append(files, target)
		}
		return errors.Join(os.MkdirAll(filepath.Dir(target), 0o755), os.WriteFile(target, data, 0o644))
	})
	if err != nil {
		return nil, fault.Wrap(err, fault.Unavailable, "write demo trails")
	}
	return files, nil
}

//go:embed tasks/shop.tasks.yaml
var tasks []byte

// Tasks is the shop's set of tasks for an evaluation. They begin at {{memory.shop}}.
func Tasks() []byte { return tasks }
