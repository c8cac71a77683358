//go:build unix

package proc

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"syscall"
)

// group is a Unix process group: its id is the leader's process id.
type group struct{ id int }

func (*group) prepare(cmd *exec.Cmd, inherit []*os.File) error {
	cmd.ExtraFiles = inherit
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	dieWithParent(cmd.SysProcAttr)
	return nil
}

func (g *group) adopt(leader *os.Process) error { g.id = leader.Pid; return nil }
func (*group) release()                         {}

// killGroup signals the whole group; a nil leader is one that has ended already.
func (g *group) killGroup(leader *os.Process) {
	_ = syscall.Kill(-g.id, syscall.SIGKILL)
	if leader != nil {
		_ = leader.Kill()
	}
}

// HandleOf returns the number by which the process will know the i-th inherited file.
func HandleOf(_ *os.File, i int) uint64 { return uint64(3 + i) } //nolint:gosec // i is a small index

// Alive reports whether a process with this id exists. A process of another user is alive; one that has ended, and
// whose parent has not asked how, is not: in a container it may stay like that forever.
func Alive(pid int) bool {
	err := syscall.Kill(pid, 0)
	return (err == nil || !errors.Is(err, syscall.ESRCH)) && !Ended(pid)
}

// owned reports whether a file belongs to this user.
func owned(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Getuid()
}
