package launch

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/trailblaze-dev/trailblaze/internal/proc"
)

// profilePrefix begins the name of every profile folder. The host's name and the id of the process that owns it follow:
// containers may share a temporary folder, and process ids mean nothing across them.
const profilePrefix = "trailblaze-browser-"

// makeProfile makes a profile folder of ours, and removes those that killed processes of this host left behind.
func makeProfile() (string, error) {
	host, err := os.Hostname()
	if err != nil {
		host = "localhost"
	}
	prefix := profilePrefix + strings.ReplaceAll(filepath.Base(host), "*", "") + "-"
	reapProfiles(os.TempDir(), prefix, proc.Alive)
	return os.MkdirTemp("", fmt.Sprintf("%s%d-", prefix, os.Getpid()))
}

// reapProfiles removes the profiles below dir that have the prefix and whose owners are gone. A folder that cannot be
// removed, or whose name is not ours, stays.
func reapProfiles(dir, prefix string, alive func(pid int) bool) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		rest, ours := strings.CutPrefix(e.Name(), prefix)
		owner, _, _ := strings.Cut(rest, "-")
		if pid, err := strconv.Atoi(owner); ours && err == nil && pid > 0 && pid != os.Getpid() && !alive(pid) {
			_ = os.RemoveAll(filepath.Join(dir, e.Name()))
		}
	}
}
