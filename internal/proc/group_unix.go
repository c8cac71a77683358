//go:build unix

package proc

import (
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

// HandleOf is how the process will know the i-th inherited file.
func HandleOf(_ *os.File, i int) uint64 { return uint64(3 + i) } //nolint:gosec // i is a small index
