package file

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// TempPrefix begins the names of files that Replace has not put into place yet. A process that dies
// leaves one behind.
const TempPrefix = ".new-"

// Replace writes a file, readable by its owner alone, so that readers, and a process that dies
// half-way, find the old content or the new. It makes the folder when there is none.
func Replace(path string, data []byte) error {
	dir := filepath.Dir(path)
	f, err := os.CreateTemp(dir, TempPrefix+"*") // made with 0600
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(dir, 0o700); err == nil {
			f, err = os.CreateTemp(dir, TempPrefix+"*")
		}
	}
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}
