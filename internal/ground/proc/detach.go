package proc

import (
	"os"
	"os/exec"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// Detach starts a process that lives on when we end: in a session of its own, without our terminal, without our
// streams. Only Path, Args, Dir, Env, Inherit and a Stderr that is a file count of the spec. Only the system waits for
// it; the channel ended is closed when it ends while we still live.
func Detach(s Spec) (pid int, ended <-chan struct{}, err error) {
	cmd := exec.Command(s.Path, s.Args...) //nolint:noctx // it is to outlive us
	cmd.Dir, cmd.Env = s.Dir, s.Env
	if f, ok := s.Stderr.(*os.File); ok {
		cmd.Stderr = f
	}
	if err := detach(cmd, s.Inherit); err != nil {
		return 0, nil, fault.Wrap(err, fault.Unavailable, "start "+s.Path)
	}
	if err := startCmd(cmd); err != nil {
		return 0, nil, fault.Wrap(err, fault.Unavailable, "start "+s.Path)
	}
	done := make(chan struct{})
	go func() {
		_ = waitCmd(cmd) // no zombie while we live
		close(done)
	}()
	return cmd.Process.Pid, done, nil
}

// Executable is the file that we were started from, as it is named now: a file that was replaced since is the new one.
func Executable() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", fault.Wrap(err, fault.Unavailable, "find our own program")
	}
	return undeleted(path), nil
}
