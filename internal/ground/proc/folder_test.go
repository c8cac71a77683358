package proc

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
)

// TestReap: what a killed process left is removed; what belongs to a living one, to another host, or to nobody we
// know, stays.
func TestReap(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"trailblaze-browser-h-11-a", "trailblaze-browser-h-12-b", "trailblaze-browser-h-old",
		"trailblaze-browser-k-11-a", "other-11-a", "trailblaze-upload-h-11-a"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	var told []string
	reap(dir, "-h-", func(pid int) bool { return pid == 12 }, func(folder string) { told = append(told, filepath.Base(folder)) })
	if diff := cmp.Diff([]string{"trailblaze-browser-h-11-a", "trailblaze-upload-h-11-a"}, told); diff != "" {
		t.Error(diff)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, e := range entries {
		left = append(left, e.Name())
	}
	if diff := cmp.Diff([]string{"other-11-a", "trailblaze-browser-h-12-b", "trailblaze-browser-h-old", "trailblaze-browser-k-11-a"}, left); diff != "" {
		t.Error(diff)
	}
}

// TestRemoveFolderInUse: a folder goes although a process that ends still writes there.
func TestRemoveFolderInUse(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "browser")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	stop, stopped, writing := time.NewTimer(100*time.Millisecond), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for i := 0; ; i++ {
			_ = os.WriteFile(filepath.Join(dir, strconv.Itoa(i)), nil, 0o600)
			if i == 0 {
				close(writing)
			}
			select {
			case <-stop.C:
				return
			default:
			}
		}
	}()
	waittest.Await(t, writing, "the folder is written to")
	RemoveFolder(dir)
	waittest.Await(t, stopped, "the writing ends")
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("the folder is still there: %v", err)
	}
}
