//go:build unix

package shell

import (
	"bytes"
	"os"
	"runtime"
	"strconv"

	"golang.org/x/sys/unix"
)

// tab names the terminal this process belongs to, "" when it belongs to none. It is the session of the shell: its
// leader's process id, and, because those come round again, when the leader was started.
func tab() string {
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

// started returns when a process began, in the system's own terms, "" where the system does not report it cheaply.
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
