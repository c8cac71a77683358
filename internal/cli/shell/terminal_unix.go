//go:build unix

package shell

import (
	"bytes"
	"os"
	"runtime"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// terminalKey names the terminal this process belongs to, "" when it belongs to none. It is the session of the shell:
// its leader's process id, and, because those come round again, when the leader was started.
func terminalKey() string {
	tty, err := os.Open("/dev/tty")
	if err != nil {
		return ""
	}
	_ = tty.Close()
	leader, err := unix.Getsid(0)
	if err != nil {
		return ""
	}
	return strconv.Itoa(leader) + " " + started(leader)
}

// started is when a process began, in the system's own terms, "" where the system does not say it cheaply.
func started(pid int) string {
	if runtime.GOOS != "linux" {
		return ""
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return ""
	}
	_, rest, _ := bytes.Cut(stat, []byte(") ")) // the name before may hold anything
	fields := bytes.Fields(rest)
	if len(fields) < 20 {
		return ""
	}
	return string(fields[19])
}

// Ours says whether a file belongs to this user, and nobody else may look into it.
func Ours(info os.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Getuid() && info.Mode().Perm()&0o077 == 0
}
