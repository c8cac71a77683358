package proc

import (
	"os/exec"
	"sync"
)

// started are the processes that this package waits for; whatever else is a child of ours is an orphan.
var started = struct {
	sync.Mutex
	pids map[int]bool
}{pids: map[int]bool{}}

// startCmd starts a process and puts it among the started.
func startCmd(cmd *exec.Cmd) error {
	started.Lock()
	defer started.Unlock()
	if err := cmd.Start(); err != nil {
		return err
	}
	started.pids[cmd.Process.Pid] = true
	return nil
}

// waitCmd waits for a process and takes it off the started.
func waitCmd(cmd *exec.Cmd) error {
	err := cmd.Wait()
	started.Lock()
	defer started.Unlock()
	delete(started.pids, cmd.Process.Pid)
	return err
}
