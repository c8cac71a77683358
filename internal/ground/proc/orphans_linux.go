package proc

import (
	"bytes"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// orphanTime bounds how long the last kill of orphans may take.
const orphanTime = 2 * time.Second

// AdoptOrphans makes this process the parent of each process that a process of ours leaves behind, in whatever session
// and group it is, and collects those that end. The children of before are left alone. The returned function kills the
// others, and theirs: call it when all that was started here has been ended.
func AdoptOrphans() (end func()) {
	if unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != nil {
		return func() {}
	}
	started.Lock()
	for _, pid := range children() { // a shell had them before it became this program
		started.pids[pid] = true
	}
	started.Unlock()
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGCHLD)
	stop := make(chan struct{})
	var running sync.WaitGroup
	running.Go(func() {
		for {
			select {
			case <-ended:
				collectOrphans(0)
			case <-stop:
				return
			}
		}
	})
	return sync.OnceFunc(func() {
		signal.Stop(ended)
		close(stop)
		running.Wait()
		gone := make(chan struct{})
		go func() {
			defer close(gone)
			for collectOrphans(syscall.SIGKILL) > 0 { // the end of one hands us its children
			}
		}()
		late := time.NewTimer(orphanTime)
		defer late.Stop()
		select {
		case <-gone:
		case <-late.C: // the system does not let go of one
		}
	})
}

// collectOrphans sends a signal to each child that was not started here, collects those that have ended, and counts
// them all. With SIGKILL it waits for their end.
func collectOrphans(s syscall.Signal) (n int) {
	started.Lock() // a process is among the started before it can end
	defer started.Unlock()
	options := syscall.WNOHANG
	if s == syscall.SIGKILL {
		options = 0
	}
	for _, pid := range children() {
		if started.pids[pid] {
			continue
		}
		n++
		if s != 0 {
			_ = syscall.Kill(pid, s)
		}
		_, _ = syscall.Wait4(pid, nil, options, nil)
	}
	return n
}

// children are the processes whose parent this one is.
func children() (pids []int) {
	self := strconv.Itoa(os.Getpid())
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, f := range stats {
		data, err := os.ReadFile(f)
		if err != nil {
			continue // it has ended
		}
		_, rest, _ := strings.Cut(string(data[bytes.LastIndexByte(data, ')')+1:]), " ") // the name before it may be anything
		if fields := strings.Fields(rest); len(fields) > 1 && fields[1] == self {
			if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(f))); err == nil {
				pids = append(pids, pid)
			}
		}
	}
	return pids
}
