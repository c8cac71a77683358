// Package file reads files that people and clients name: regular files of a bounded size. Opening never blocks, so a
// named pipe cannot hold up a command, and a device is never read from. Errors of the file system keep their identity
// (fs.ErrNotExist). It also locks files between processes.
//
// Command line, daemon and trails use it; all functions are safe to call from many goroutines.
//
//	data, err := file.Read("shop.trail.yaml", 1<<20)
package file

import (
	"io"
	"io/fs"
	"os"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// Read returns the contents of a regular file of at most limit bytes.
func Read(path string, limit int64) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, err
	}
	return read(f, path, limit)
}

// ReadIn is Read for a file below root. No link leads out of it.
func ReadIn(root *os.Root, name string, limit int64) ([]byte, error) {
	f, err := root.OpenFile(name, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, err
	}
	return read(f, name, limit)
}

func read(f *os.File, name string, limit int64) ([]byte, error) {
	const op = "read file"
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fault.New(fault.Invalid, op, "%s is %s, not a file", name, kind(info.Mode())).
			WithHint("Name a regular file.")
	}
	data, err := io.ReadAll(io.LimitReader(f, limit+1)) // a file may grow meanwhile, and some say that they are empty
	switch {
	case err != nil:
		return nil, err
	case int64(len(data)) > limit:
		return nil, fault.New(fault.Invalid, op, "%s is larger than %d kB", name, limit>>10)
	}
	return data, nil
}

func kind(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "a folder"
	case m&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	}
	return "a device"
}
