//go:build unix

package workspace

import (
	"syscall"
	"testing"
)

func fifo(t *testing.T, name string) {
	t.Helper()
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Fatal(err)
	}
}
