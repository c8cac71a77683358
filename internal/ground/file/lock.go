package file

import (
	"context"
	"errors"
	"os"
)

// ErrLocked reports that another open handle has the lock, in this process or in another one.
var ErrLocked = errors.New("locked by another process")

// TryLock locks an open file, or returns ErrLocked at once. The kernel frees the lock when the handle closes, however
// the process ends, so a crash leaves nothing locked.
func TryLock(f *os.File) error { return lock(f, false) }

// Unlock frees the lock of an open file now. Closing the file alone may free it a moment later: a process that is
// being started has copies of all open handles until its program runs.
func Unlock(f *os.File) error { return unlock(f) }

// Lock waits until an open file is free and locks it. It closes the file when it returns an error. The kernel's wait
// cannot be taken back, so when ctx ends first, one goroutine continues it and closes the file then.
func Lock(ctx context.Context, f *os.File) error {
	locked := make(chan error)
	go func() {
		err := lock(f, true)
		select {
		case locked <- err:
		case <-ctx.Done():
			_ = f.Close()
		}
	}()
	select {
	case err := <-locked:
		if err != nil {
			_ = f.Close()
		}
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// TryOpenLocked opens a lock file, creates it where there is none, and locks it, or returns ErrLocked at once.
func TryOpenLocked(path string) (*os.File, error) {
	f, err := openLockFile(path)
	if err != nil {
		return nil, err
	}
	if err := TryLock(f); err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

// OpenLocked is TryOpenLocked that waits until the file is free or ctx ends.
func OpenLocked(ctx context.Context, path string) (*os.File, error) {
	f, err := openLockFile(path)
	if err != nil {
		return nil, err
	}
	if err := Lock(ctx, f); err != nil {
		return nil, err
	}
	return f, nil
}

func openLockFile(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
}
