package proc

import (
	"context"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// drainGrace bounds how long we read on after the process ended: a grandchild may hold the output pipe open forever.
const drainGrace = time.Second

// Spec describes the process to start. The zero value of every field but Path is a sensible default.
type Spec struct {
	Path   string
	Args   []string  // without the program name
	Dir    string    // "" means ours
	Env    []string  // nil means ours
	Stdin  io.Reader // nil means empty
	Stdout io.Writer // nil means discarded
	Stderr io.Writer // nil means discarded

	// Inherit are files the process gets. On Unix they are its descriptors 3, 4, …; on Windows it inherits the handles
	// under their own numbers, which HandleOf returns. Start closes none of them.
	Inherit []*os.File
}

// Process is a running or finished process and the group it leads.
type Process struct {
	cmd  *exec.Cmd
	done chan struct{}
	err  error // valid once done is closed
	group
}

// Start starts a process in a group of its own.
func Start(s Spec) (*Process, error) {
	cmd := exec.Command(s.Path, s.Args...) //nolint:noctx // the group is killed as a whole, by Kill
	cmd.Dir, cmd.Env, cmd.Stdin = s.Dir, s.Env, s.Stdin
	p := &Process{cmd: cmd, done: make(chan struct{})}
	out, err := newOutput(cmd, s)
	if err != nil {
		return nil, fault.Wrap(err, fault.Unavailable, "start "+s.Path)
	}
	if err := p.start(s.Inherit); err != nil {
		out.closeTheirs()
		out.drain(0)
		return nil, fault.Wrap(err, fault.Unavailable, "start "+s.Path)
	}
	out.closeTheirs()
	go func() {
		p.err = waitCmd(cmd)
		p.killGroup(nil) // what the leader left behind; at once, while its group id cannot be anybody else's
		p.release()
		out.drain(drainGrace)
		close(p.done)
	}()
	return p, nil
}

func (p *Process) start(inherit []*os.File) error {
	if err := p.prepare(p.cmd, inherit); err != nil {
		return err
	}
	if err := startCmd(p.cmd); err != nil {
		return err
	}
	if err := p.adopt(p.cmd.Process); err != nil {
		_ = p.cmd.Process.Kill()
		_ = waitCmd(p.cmd)
		return err
	}
	return nil
}

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

// Run starts a process and waits for it. When ctx ends first the whole group is killed.
func Run(ctx context.Context, s Spec) error {
	p, err := Start(s)
	if err != nil {
		return err
	}
	return p.Wait(ctx)
}

// Wait waits until the process ended, killing its group when ctx ends first.
func (p *Process) Wait(ctx context.Context) error {
	select {
	case <-p.done:
		return p.err
	case <-ctx.Done():
		p.Kill()
		return ctx.Err()
	}
}

// PID is the process id, which on Unix is also the id of its group.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Done is closed when the process has ended and was waited for.
func (p *Process) Done() <-chan struct{} { return p.done }

// Err returns the reason why the process ended; valid once Done is closed. Nil means exit status 0.
func (p *Process) Err() error {
	select {
	case <-p.done:
		return p.err
	default:
		return nil
	}
}

// Kill kills the process and its group and waits until it is gone. It is idempotent.
func (p *Process) Kill() {
	select {
	case <-p.done:
	default:
		p.killGroup(p.cmd.Process)
		<-p.done
	}
}

// LookPath finds a program by name in PATH. It is here so that no other package has a reason to import os/exec.
func LookPath(name string) (string, error) { return exec.LookPath(name) }

// maxTail limits the part of a program's output that is kept: enough for the first lines of a crash report.
const maxTail = 8 << 10

// Tail keeps the end of a program's output. The zero value is ready. It is safe for concurrent use.
type Tail struct {
	mu      sync.Mutex
	buf     []byte
	total   int64         // bytes that were ever written
	written chan struct{} // closed by the next Write; nil: nobody waits
}

// Write implements io.Writer. It never fails.
func (t *Tail) Write(p []byte) (int, error) {
	n := len(p)
	if n > maxTail {
		p = p[n-maxTail:]
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.total += int64(n)
	if t.written != nil {
		close(t.written)
		t.written = nil
	}
	t.buf = append(t.buf, p...)
	if over := len(t.buf) - maxTail; over > 0 {
		t.buf = append(t.buf[:0], t.buf[over:]...)
	}
	return n, nil
}

// Mark returns the present end of the output, for Since.
func (t *Tail) Mark() int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.total
}

// Since returns the kept part of the output after mark. Where there is none yet it waits for the first, at most for
// wait: a program's last words are on their way when its answer is there.
func (t *Tail) Since(mark int64, wait time.Duration) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.total == mark && wait > 0 {
		if t.written == nil {
			t.written = make(chan struct{})
		}
		written, timer := t.written, time.NewTimer(wait)
		defer timer.Stop()
		t.mu.Unlock()
		select {
		case <-written:
		case <-timer.C:
		}
		t.mu.Lock()
	}
	return strings.ToValidUTF8(string(t.buf[len(t.buf)-int(min(t.total-mark, int64(len(t.buf)))):]), "�")
}

// String returns the kept output.
func (t *Tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.ToValidUTF8(string(t.buf), "�")
}
