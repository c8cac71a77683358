//go:build unix

package event

import (
	"testing"

	"golang.org/x/sys/unix"
)

// A closed log is free for its next writer at once, though a process that is being started still has a copy of its
// handle.
func TestClosedLogIsFree(t *testing.T) {
	dir := t.TempDir()
	l, err := Create(dir)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := unix.Dup(int(l.file.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unix.Close(kept) }()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	next, err := Create(dir)
	if err != nil {
		t.Fatalf("the next writer: %v", err)
	}
	_ = next.Close()
}
