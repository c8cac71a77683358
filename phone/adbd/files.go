package adbd

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	maxPath   = 1024
	maxData   = 64 << 10 // of one piece of a file
	regular   = 0o100000
	directory = 0o040000
	symlink   = 0o120000
)

// files serves the sync protocol: it lists, reads and writes files below the device's folder, out of which no link
// leads.
type files struct {
	root string
	in   *bufio.Reader
	out  *bufio.Writer
}

func newFiles(folder string, s io.ReadWriter) *files {
	return &files{folder, bufio.NewReader(s), bufio.NewWriterSize(s, maxData+8)}
}

func (f *files) serve() error {
	root, err := os.OpenRoot(f.root)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	for {
		id, n, err := f.head()
		if err != nil {
			return err
		}
		if id == "QUIT" {
			return nil
		}
		if n > maxPath {
			return fmt.Errorf("a path of %d bytes", n)
		}
		b := make([]byte, n)
		if _, err := io.ReadFull(f.in, b); err != nil {
			return err
		}
		if err := f.request(root, id, string(b)); err != nil {
			return err
		}
		if err := f.out.Flush(); err != nil {
			return err
		}
	}
}

func (f *files) request(root *os.Root, id, name string) error {
	switch id {
	case "STAT":
		info, _ := root.Lstat(local(name))
		f.words("STAT", mode(info), clip(size(info)), clip(modified(info)))
	case "LST2", "STA2":
		stat := root.Stat
		if id == "LST2" {
			stat = root.Lstat
		}
		info, err := stat(local(name))
		f.stat(id, info, err)
	case "LIST", "LIS2":
		f.list(root, name, id == "LIS2")
	case "SEND":
		at := strings.LastIndexByte(name, ',')
		perm := uint64(0o644)
		if at >= 0 {
			perm, _ = strconv.ParseUint(name[at+1:], 10, 32)
			name = name[:at]
		}
		return f.receive(root, name, uint32(perm))
	case "SND2":
		_, perm, err := f.head()
		if err != nil {
			return err
		}
		if err := f.flags(); err != nil {
			return err
		}
		return f.receive(root, name, perm)
	case "RECV":
		return f.send(root, name)
	case "RCV2":
		if _, flags, err := f.head(); err != nil || flags != 0 {
			return errors.Join(err, errCompression)
		}
		return f.send(root, name)
	default:
		return fmt.Errorf("unknown sync request %q", id)
	}
	return nil
}

var errCompression = errors.New("the host compresses, which it was not offered")

// head reads four letters and a number.
func (f *files) head() (string, uint32, error) {
	var h [8]byte
	_, err := io.ReadFull(f.in, h[:])
	return string(h[:4]), binary.LittleEndian.Uint32(h[4:]), err
}

// flags reads the last word of a request to write.
func (f *files) flags() error {
	var w [4]byte
	if _, err := io.ReadFull(f.in, w[:]); err != nil {
		return err
	}
	if binary.LittleEndian.Uint32(w[:]) != 0 {
		return errCompression
	}
	return nil
}

func (f *files) words(id string, words ...uint32) {
	b := []byte(id)
	for _, w := range words {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	_, _ = f.out.Write(b) // Flush returns its error
}

func (f *files) fail(err error) {
	text := reason(err)
	f.words("FAIL", uint32(len(text)))
	_, _ = f.out.WriteString(text)
}

// stat writes what version 2 says of a file.
func (f *files) stat(id string, info fs.FileInfo, err error) {
	b := binary.LittleEndian.AppendUint32([]byte(id), number(err))
	links := uint32(1)
	if info == nil {
		links = 0
	}
	b = binary.LittleEndian.AppendUint64(b, 0) // device
	b = binary.LittleEndian.AppendUint64(b, 0) // inode
	for _, w := range []uint32{mode(info), links, 0, 0} {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	b = binary.LittleEndian.AppendUint64(b, uint64(size(info)))
	for range 3 { // accessed, modified, changed
		b = binary.LittleEndian.AppendUint64(b, uint64(modified(info)))
	}
	_, _ = f.out.Write(b)
}

func (f *files) list(root *os.Root, name string, second bool) {
	if dir, err := root.Open(local(name)); err == nil {
		entries, _ := dir.ReadDir(-1)
		_ = dir.Close()
		for _, e := range entries {
			info, err := e.Info()
			if err != nil {
				continue
			}
			if second {
				f.stat("DNT2", info, nil)
				f.words("", uint32(len(e.Name())))
			} else {
				f.words("DENT", mode(info), clip(size(info)), clip(modified(info)), uint32(len(e.Name())))
			}
			_, _ = f.out.WriteString(e.Name())
		}
	}
	if second {
		f.words("DONE", make([]uint32, 18)...)
	} else {
		f.words("DONE", 0, 0, 0, 0)
	}
}

// receive writes a file that the host sends. It reads all of it before it says that something failed.
func (f *files) receive(root *os.Root, name string, perm uint32) error {
	rel := local(name)
	var file *os.File
	failed := root.MkdirAll(path.Dir(rel), 0o755)
	if failed == nil && perm&0o170000 == symlink {
		failed = errors.New("this device takes no links")
	}
	if failed == nil {
		file, failed = root.OpenFile(rel, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, fs.FileMode(perm&0o777|0o600))
	}
	for {
		id, n, err := f.head()
		if err == nil && id == "DATA" && n > maxData {
			err = fmt.Errorf("a piece of %d bytes", n)
		}
		if err != nil {
			if file != nil {
				_ = file.Close()
			}
			return err
		}
		if id == "DONE" {
			if file != nil {
				failed = errors.Join(failed, file.Close())
			}
			if failed == nil {
				at := time.Unix(int64(n), 0)
				failed = root.Chtimes(rel, at, at)
			}
			break
		}
		to := io.Discard
		if file != nil && failed == nil {
			to = file
		}
		if _, err := io.CopyN(to, f.in, int64(n)); err != nil && failed == nil {
			failed = err
		}
	}
	if failed != nil {
		f.fail(failed)
	} else {
		f.words("OKAY", 0)
	}
	return nil
}

func (f *files) send(root *os.Root, name string) error {
	file, err := root.Open(local(name))
	if err == nil {
		defer func() { _ = file.Close() }()
		if info, e := file.Stat(); e != nil || info.IsDir() {
			err = errors.Join(e, syscall.EISDIR)
		}
	}
	if err != nil {
		f.fail(err)
		return nil
	}
	b := make([]byte, maxData)
	for {
		n, err := file.Read(b)
		if n > 0 {
			f.words("DATA", uint32(n))
			_, _ = f.out.Write(b[:n])
		}
		if err == io.EOF {
			f.words("DONE", 0)
			return nil
		}
		if err != nil {
			f.fail(err)
			return nil
		}
	}
}

// local is a path of the device below its root.
func local(name string) string {
	rel := strings.TrimPrefix(path.Clean("/"+name), "/")
	if rel == "" {
		return "."
	}
	return rel
}

func mode(info fs.FileInfo) uint32 {
	if info == nil {
		return 0
	}
	m := uint32(info.Mode().Perm())
	switch {
	case info.IsDir():
		return m | directory
	case info.Mode()&fs.ModeSymlink != 0:
		return m | symlink
	}
	return m | regular
}

func size(info fs.FileInfo) int64 {
	if info == nil {
		return 0
	}
	return info.Size()
}

func modified(info fs.FileInfo) int64 {
	if info == nil {
		return 0
	}
	return info.ModTime().Unix()
}

func clip(n int64) uint32 { return uint32(min(n, 1<<32-1)) }

// number is the number that Linux has for an error.
func number(err error) uint32 {
	var errno syscall.Errno
	switch {
	case err == nil:
		return 0
	case errors.Is(err, fs.ErrNotExist):
		return 2
	case errors.As(err, &errno):
		return uint32(errno)
	}
	return 13
}

// reason is what went wrong, without the path on this machine.
func reason(err error) string {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		err = p.Err
	}
	if errors.Is(err, fs.ErrNotExist) {
		return "No such file or directory"
	}
	return err.Error()
}
