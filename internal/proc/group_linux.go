//go:build linux

package proc

import (
	"bufio"
	"bytes"
	"os"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// dieWithParent makes the kernel kill the child when we die without having cleaned up (kill -9).
func dieWithParent(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGKILL }

// zombie says whether a process has ended and only its entry is left.
func zombie(pid int) bool {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return false
	}
	at := bytes.LastIndexByte(data, ')') // the name before it may be anything
	return at >= 0 && bytes.HasPrefix(data[at:], []byte(") Z"))
}

// Relieve gives back the pages of the program's file that its start has touched: code and tables that ran once, for
// every package that is linked. What is needed again comes back from the file, which the system keeps in memory while
// there is room. Pages that can be written to are not touched.
func Relieve() {
	exe, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return
	}
	maps, err := os.Open("/proc/self/maps")
	if err != nil {
		return
	}
	defer func() { _ = maps.Close() }()
	for lines := bufio.NewScanner(maps); lines.Scan(); {
		f := strings.Fields(lines.Text()) // 00400000-0231a000 r-xp 00000000 fe:00 123 /usr/bin/trailblaze
		if len(f) < 6 || f[5] != exe || strings.Contains(f[1], "w") {
			continue
		}
		from, to, _ := strings.Cut(f[0], "-")
		at, err1 := strconv.ParseUint(from, 16, 64)
		end, err2 := strconv.ParseUint(to, 16, 64)
		if err1 != nil || err2 != nil || end <= at {
			continue
		}
		// an error leaves the pages where they are
		_, _, _ = unix.Syscall(unix.SYS_MADVISE, uintptr(at), uintptr(end-at), unix.MADV_DONTNEED)
	}
}

// Bound bounds the memory of our own process, which ends when it needs more, and has it leave no core behind.
func Bound(memory uint64) error {
	if err := unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}); err != nil {
		return err
	}
	return unix.Setrlimit(unix.RLIMIT_DATA, &unix.Rlimit{Cur: memory, Max: memory})
}
