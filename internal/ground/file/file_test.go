//go:build unix

package file

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestRead(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	if err := os.WriteFile(path("file"), []byte("12345"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(path("pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/zero", path("zero")); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = root.Close() }()
	for name, says := range map[string]string{"pipe": "named pipe", "zero": "device", ".": "folder"} {
		if _, err := Read(path(name), 100); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := ReadIn(root, name, 100); err == nil {
			t.Errorf("%s was read in its folder", name)
		}
	}
	if data, err := Read(path("file"), 5); err != nil || string(data) != "12345" {
		t.Errorf("%q %v", data, err)
	}
	if _, err := ReadIn(root, "file", 4); err == nil || !strings.Contains(err.Error(), "larger") {
		t.Errorf("over the bound: %v", err)
	}
	if _, err := Read(path("nowhere"), 4); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("nowhere: %v", err)
	}
}

// What a process that died left half-way can be told from what a living one is writing.
func TestAbandoned(t *testing.T) {
	dead := exec.Command(os.Args[0], "-test.run=^$")
	if err := dead.Run(); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{
		fmt.Sprintf("%s%d-1", TempPrefix, dead.Process.Pid): true, fmt.Sprintf("%s%d-1", TempPrefix, os.Getpid()): false,
		fmt.Sprintf("%s%d-1", TempPrefix, os.Getppid()): false, "a.json": false, TempPrefix + "x-1": false, TempPrefix + "-11-1": false,
	} {
		if got := Abandoned(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
