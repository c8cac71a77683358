package proc

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// folders begins the name of every temporary folder of ours.
const folders = "trailblaze-"

// MakeFolder makes a temporary folder that only its user can enter. Its name says the kind, the host and the process:
// containers may share the place for temporary files, and process ids mean nothing across them.
func MakeFolder(kind string) (string, error) {
	return os.MkdirTemp("", fmt.Sprintf("%s%s%s%d-", folders, kind, hostPart(), os.Getpid()))
}

// Reap removes the temporary folders that processes of this host and user left when they were killed. Before a folder
// goes, also gets its path and may remove what belongs to it elsewhere; nil removes nothing.
func Reap(also func(folder string)) { reap(os.TempDir(), hostPart(), Alive, also) }

// hostPart returns the part between the kind and the process in a folder's name.
func hostPart() string {
	host, err := os.Hostname()
	if err != nil {
		host = "localhost"
	}
	return "-" + strings.ReplaceAll(filepath.Base(host), "*", "") + "-"
}

// reap removes the folders below dir whose owners are gone. A folder that cannot be removed, that belongs to another
// user, or whose name is not ours, stays.
func reap(dir, host string, alive func(pid int) bool, also func(folder string)) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		rest, ours := strings.CutPrefix(e.Name(), folders)
		_, rest, here := strings.Cut(rest, host)
		owner, _, _ := strings.Cut(rest, "-")
		pid, err := strconv.Atoi(owner)
		if !ours || !here || err != nil || pid <= 0 || pid == os.Getpid() || alive(pid) {
			continue
		}
		path := filepath.Join(dir, e.Name())
		if info, err := os.Lstat(path); err != nil || info.Mode().Type() != fs.ModeDir || !owned(info) {
			continue
		}
		if also != nil {
			also(path)
		}
		RemoveFolder(path)
	}
}

// RemoveFolder removes a folder that a process has just left, trying for a second: processes that it started may
// still write there while they end, and on Windows a file stays locked for a moment.
func RemoveFolder(path string) {
	for wait := 10 * time.Millisecond; os.RemoveAll(path) != nil && wait < time.Second; wait *= 2 {
		<-time.After(wait)
	}
}
