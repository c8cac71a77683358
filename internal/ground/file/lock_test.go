package file

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
)

// TestLock proves that a lock has one holder, that waiting for it ends with the context, and that closing frees it.
func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	held, err := TryOpenLocked(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := TryOpenLocked(path); !errors.Is(err, ErrLocked) {
		t.Errorf("a second holder: %v", err)
	}
	gone := errors.New("gone")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(gone)
	if _, err := OpenLocked(ctx, path); !errors.Is(err, gone) {
		t.Errorf("waiting after the end: %v", err)
	}
	if err := held.Close(); err != nil {
		t.Fatal(err)
	}
	next, err := OpenLocked(t.Context(), path)
	if err != nil {
		t.Fatalf("after the first holder closed it: %v", err)
	}
	_ = next.Close()
}
