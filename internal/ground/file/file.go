// Package file reads files that people and clients name: regular files of a bounded size. Opening never blocks, so a
// named pipe cannot hold up a command, and a device is never read from. Errors of the file system keep their identity
// (fs.ErrNotExist). It also locks files between processes.
//
// Command line, daemon and trails use it; all functions are safe to call from many goroutines.
//
//	data, err := file.Read("shop.trail.yaml", 1<<20)
package file

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/proc"
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

// CopyIn writes what ReadIn returns, a piece at a time: a large file takes no memory.
func CopyIn(to io.Writer, root *os.Root, name string, limit int64) error {
	f, err := root.OpenFile(name, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return err
	}
	return copyFrom(to, f, name, limit)
}

func read(f *os.File, name string, limit int64) ([]byte, error) {
	var b bytes.Buffer
	if err := copyFrom(&b, f, name, limit); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func copyFrom(to io.Writer, f *os.File, name string, limit int64) error {
	const op = "read file"
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fault.New(fault.Invalid, op, "%s is %s, not a file", name, kind(info.Mode())).
			WithHint("Name a regular file.")
	}
	n, err := io.Copy(to, io.LimitReader(f, limit+1)) // a file may grow meanwhile, and some say that they are empty
	switch {
	case err != nil:
		return err
	case n > limit:
		return fault.New(fault.Invalid, op, "%s is larger than %d kB", name, limit>>10)
	}
	return nil
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

// OpenPlain opens a regular file by its name in a folder that we keep, for reading. Neither the folder nor the file
// may be a link: a planted link leads to files that we did not write.
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

// TempPrefix begins the names of files that Replace has not put into place yet. The id of the process follows, and "-".
// A process that dies leaves one behind.
const TempPrefix = ".new-"

// Abandoned reports whether a name is that of a temporary file whose process has ended before putting it into place.
func Abandoned(name string) bool {
	rest, ours := strings.CutPrefix(name, TempPrefix)
	owner, _, _ := strings.Cut(rest, "-")
	pid, err := strconv.Atoi(owner)
	return ours && err == nil && pid > 0 && pid != os.Getpid() && !proc.Alive(pid)
}

// Replace writes a file, readable by its owner alone, so that readers, and a process that dies
// half-way, find the old content or the new. It makes the folder when there is none.
func Replace(path string, data []byte) error { return ReplaceAs(path, 0o600, data) }

// ReplaceAs is Replace for a file of another mode.
func ReplaceAs(path string, mode fs.FileMode, data []byte) error {
	return ReplaceBy(path, mode, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// ReplaceBy is ReplaceAs for a file that is written in pieces. Who may read the file may enter a folder made for it.
func ReplaceBy(path string, mode fs.FileMode, write func(io.Writer) error) error {
	dir := filepath.Dir(path)
	name := TempPrefix + strconv.Itoa(os.Getpid()) + "-*"
	f, err := os.CreateTemp(dir, name) // made with 0600
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(dir, mode|mode>>2&0o111); err == nil {
			f, err = os.CreateTemp(dir, name)
		}
	}
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	if err = write(w); err == nil {
		err = errors.Join(w.Flush(), f.Chmod(mode))
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}

// ReplaceIn is Replace for a file below root that others may also read. No link leads out of it.
func ReplaceIn(root *os.Root, name string, data []byte) error {
	if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	temp := filepath.Join(filepath.Dir(name), TempPrefix+strconv.Itoa(os.Getpid())+"-"+rand.Text())
	err := root.WriteFile(temp, data, 0o644)
	if err == nil {
		err = root.Rename(temp, name)
	}
	if err != nil {
		_ = root.Remove(temp)
	}
	return err
}

// Stamp distinguishes one state of a file from another without reading it.
type Stamp struct {
	path  string
	there bool
	size  int64
	time  time.Time
}

// StampOf is the state of a file now. A file that does not exist has a stamp too; "" names none.
func StampOf(path string) Stamp {
	if path == "" {
		return Stamp{}
	}
	info, err := os.Stat(path)
	if err != nil {
		return Stamp{path: path}
	}
	return Stamp{path, true, info.Size(), info.ModTime()}
}

// Plain returns the name of a file below a workspace that a call influenced by a page may read, write or send. Files
// whose names begin with a dot hold keys and settings of other programs, trails/config limits the session, and a link
// may lead anywhere: these are refused.
func Plain(op string, root *os.Root, name string) (string, error) {
	clean := path.Clean(strings.ReplaceAll(name, `\`, "/"))
	for part := range strings.SplitSeq(clean, "/") {
		if strings.HasPrefix(part, ".") && part != "." {
			return "", fault.New(fault.Denied, op, "%s leads out of the workspace or to a hidden file", name).
				WithHint("Name a file below the workspace, none of whose folders begins with a dot.")
		}
	}
	if path.IsAbs(clean) || strings.HasPrefix(strings.ToLower(clean)+"/", "trails/config/") {
		return "", fault.New(fault.Denied, op, "%s is no file for a tool", name).
			WithHint("Name a file below the workspace and outside of trails/config.")
	}
	for at := clean; at != "."; at = path.Dir(at) {
		if info, err := root.Lstat(filepath.FromSlash(at)); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return "", fault.New(fault.Denied, op, "%s is a link, which may lead anywhere", at).
				WithHint("Name the file itself.")
		}
	}
	return filepath.FromSlash(clean), nil
}

// Within opens the workspace for one Plain file of it.
func Within(op, root, name string, use func(*os.Root, string) error) error {
	r, err := os.OpenRoot(cmp.Or(root, "."))
	if err != nil {
		return fault.Wrap(err, fault.NotFound, op)
	}
	defer func() { _ = r.Close() }()
	clean, err := Plain(op, r, name)
	if err != nil {
		return err
	}
	err = use(r, clean)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fault.Wrap(err, fault.NotFound, op)
	case fault.KindOf(err) == fault.Internal: // what the file system says of a name that cannot be
		return fault.Wrap(err, fault.Invalid, op)
	}
	return fault.Wrap(err, "", op)
}
