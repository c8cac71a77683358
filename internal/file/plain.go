package file

import (
	"os"
	"path/filepath"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// OpenPlain opens a regular file by its name in a folder that we keep, for reading. Neither the folder nor the file
// may be a link: a link that somebody put there leads to files that we did not write.
func OpenPlain(dir, name string) (*os.File, error) {
	const op = "open file"
	path := filepath.Join(dir, name)
	for _, p := range []string{dir, filepath.Dir(path), path} {
		info, err := os.Lstat(p)
		switch {
		case err != nil:
			return nil, err
		case info.Mode()&os.ModeSymlink != 0:
			return nil, fault.New(fault.Denied, op, "%s is a link", p).WithHint("Links are not followed there.")
		case p == path && !info.Mode().IsRegular():
			return nil, fault.New(fault.Invalid, op, "%s is %s, not a file", p, kind(info.Mode()))
		}
	}
	return os.OpenFile(path, os.O_RDONLY|nonblock, 0)
}
