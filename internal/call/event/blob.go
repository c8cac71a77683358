package event

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
)

// ValidBlob reports whether name can be the name of a blob: a lower-case sha256. Names come from event files, which
// may come from anywhere, so nothing else is ever joined to a path.
func ValidBlob(name string) bool {
	return len(name) == 2*sha256.Size && strings.Trim(name, "0123456789abcdef") == ""
}

// PutBlob keeps data under the hash of its content and returns that name. The same content is kept once. Readers see a
// whole blob or none, because it is renamed into place.
func (l *Log) PutBlob(data []byte, _ string) (name string, err error) {
	const op = "write blob"
	sum := sha256.Sum256(data)
	name = hex.EncodeToString(sum[:])
	if l == nil {
		return name, nil
	}
	l.mu.Lock()
	root, mem, closed := l.root, l.memory, l.closed
	if mem != nil {
		mem.blobs[name] = data
	}
	l.mu.Unlock()
	switch {
	case mem != nil:
		return name, nil
	case closed:
		return "", fault.New(fault.Conflict, op, "the log is closed")
	case root == nil:
		return name, nil
	}
	path := filepath.Join(BlobDir, name)
	if info, err := root.Stat(path); err == nil && info.Size() == int64(len(data)) {
		return name, nil
	}
	temp := filepath.Join(BlobDir, ".tmp-"+rand.Text())
	if err := root.WriteFile(temp, data, 0o600); err != nil {
		_ = root.Remove(temp)
		return "", fault.Wrap(err, fault.Unavailable, op)
	}
	if err := root.Rename(temp, path); err != nil {
		_ = root.Remove(temp)
		return "", fault.Wrap(err, fault.Unavailable, op)
	}
	return name, nil
}

// Blob reads back what PutBlob kept.
func (l *Log) Blob(name string) ([]byte, error) {
	if l == nil {
		return nil, fault.New(fault.NotFound, "read blob", "nothing is kept")
	}
	l.mu.Lock()
	mem, dir := l.memory, l.dir
	l.mu.Unlock()
	switch {
	case mem == nil && dir == "":
		return nil, fault.New(fault.NotFound, "read blob", "nothing is kept")
	case mem == nil:
		return ReadBlob(dir, name)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	data, ok := mem.blobs[name]
	if !ok {
		return nil, fault.New(fault.NotFound, "read blob", "no blob %s", name)
	}
	return data, nil
}

// Events lists what an in-memory log holds, or reads the directory.
func (l *Log) Events() ([]Event, error) {
	if l == nil {
		return nil, nil
	}
	l.mu.Lock()
	mem := l.memory
	var out []Event
	if mem != nil {
		out = append(out, mem.events...)
	}
	l.mu.Unlock()
	if mem != nil || l.dir == "" {
		return out, nil
	}
	for e, err := range Read(l.dir) {
		if err != nil {
			return out, err
		}
		out = append(out, e)
	}
	return out, nil
}

// ReadBlob reads a blob of a session directory and checks that it still has the hash in its name.
func ReadBlob(dir, name string) ([]byte, error) {
	const op = "read blob"
	if !ValidBlob(name) {
		return nil, fault.New(fault.Invalid, op, "%q is not the name of a blob", name)
	}
	f, err := file.OpenPlain(dir, filepath.Join(BlobDir, name))
	var data []byte
	if err == nil {
		data, err = io.ReadAll(f)
		_ = f.Close()
	}
	if errors.Is(err, os.ErrNotExist) {
		return nil, fault.New(fault.NotFound, op, "no blob %s in %s", name, dir)
	}
	if err != nil {
		return nil, fault.Wrap(err, fault.Unavailable, op)
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != name {
		return nil, fault.New(fault.Degraded, op, "blob %s in %s is damaged: its content has another hash", name, dir)
	}
	return data, nil
}
