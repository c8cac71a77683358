package worker

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/proc"
)

// grace is the time for a child to obey before it is killed.
const grace = 250 * time.Millisecond

// The jobs.
const (
	Bundle  = "bundle"  // Bundling; the end has the code as its blob and Bundled as its arguments
	Compile = "compile" // the blob is code, that of the end bytecode
	Types   = "read"    // the end has Typed as its arguments
	Calls   = "scan"    // the blob is the text of a file; the arguments of the end are a list of tstype.Call
	Run     = "run"     // Running, the blob is bytecode; the blob of the end is JSON
)

// NoteLog is a line of the script's console.
const NoteLog = "log"

// noteStopped is the note with the place in which a script was interrupted.
const noteStopped = "stopped"

// How a job ended; "" is well.
const (
	endError   = "error"
	endThrown  = "thrown"
	endStopped = "stopped"
)

// Job is a job for a worker.
type Job struct {
	Op   string
	File string // whose work it is, for messages
	Args any
	Blob []byte
}

// Question is a request of a job to its parent.
type Question struct {
	Op    string
	Later bool   // it is answered on a goroutine of its own
	Stack string // of the script that asks, when Later
	Blob  []byte
}

// Answer is the answer to a question. When it is not OK, the text says why.
type Answer struct {
	OK   bool
	Op   string
	Blob []byte
}

// Parent answers the questions and notes of a job.
type Parent interface {
	Answer(ctx context.Context, q Question) Answer
	Note(op string, blob []byte)
}

// End is the result of a job.
type End struct {
	Args json.RawMessage
	Blob []byte
}

// Stopped is a job that had not ended when its context did.
type Stopped struct {
	Cause error
	Stack string // where the script was, "" when that is not known
}

// Error implements error.
func (s *Stopped) Error() string { return "it was still running: " + s.Cause.Error() }

// Unwrap returns the reason.
func (s *Stopped) Unwrap() error { return s.Cause }

// Do has a worker do a job. When ctx ends, the job is stopped, and its process killed if it does not obey. A process
// that breaks is an error of this job alone.
func Do(ctx context.Context, job Job, parent Parent) (*End, error) {
	return workers.do(ctx, job, parent)
}

func (p *pool) do(ctx context.Context, job Job, parent Parent) (*End, error) {
	args, err := json.Marshal(job.Args)
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, job.Op+" "+job.File)
	}
	ctx, leave, err := p.queue(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	w, err := p.take()
	if err != nil {
		return nil, err
	}
	w.jobs++
	end, err := w.do(ctx, message{Kind: kindJob, ID: w.jobs, Op: job.Op, File: job.File, Args: args,
		blob: job.Blob}, parent)
	if err != nil {
		p.drop(w)
		return nil, w.why(ctx, job, err)
	}
	p.keep(w)
	return ended(ctx, end)
}

// ended makes of the last message of a job what its caller gets.
func ended(ctx context.Context, m message) (*End, error) {
	switch m.Op {
	case "":
		return &End{Args: m.Args, Blob: m.blob}, nil
	case endThrown:
		t := &Thrown{}
		if err := json.Unmarshal(m.blob, t); err != nil {
			return nil, fault.Wrap(err, fault.Internal, "read failure of script")
		}
		return nil, t
	case endStopped:
		return nil, &Stopped{Cause: context.Cause(ctx), Stack: m.Stack}
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return nil, fault.New(m.Fault, "", "%s", m.blob).WithHint("%s", m.Hint)
}

// worker is a child process as its parent sees it.
type worker struct {
	*pipe
	proc   *proc.Process
	stdin  io.Closer
	stdout io.Closer
	stderr *report
	jobs   int
	at     *string // where a script was stopped that has not ended yet
	idle   *time.Timer
}

// report is the beginning of a child's output when it broke. It is read when the process has ended.
type report struct{ text []byte }

// Write implements io.Writer. It never fails.
func (r *report) Write(p []byte) (int, error) {
	r.text = append(r.text, p[:min(len(p), 1<<10-len(r.text))]...)
	return len(p), nil
}

// start starts a child: it has no variables, and its crash report goes no further than to us.
func start() (*worker, error) {
	path, err := program()
	if err != nil {
		return nil, err
	}
	theirIn, in, err := os.Pipe()
	if err != nil {
		return nil, fault.Wrap(err, fault.Unavailable, "start script worker")
	}
	defer func() { _ = theirIn.Close() }()
	out, theirOut, err := os.Pipe()
	if err != nil {
		_ = in.Close()
		return nil, fault.Wrap(err, fault.Unavailable, "start script worker")
	}
	defer func() { _ = theirOut.Close() }()
	w := &worker{pipe: newPipe(out, in), stdin: in, stdout: out, stderr: &report{}}
	w.proc, err = proc.Start(proc.Spec{Path: path, Args: []string{Argument}, Env: environ(), Stdin: theirIn,
		Stdout: theirOut, Stderr: w.stderr})
	if err != nil {
		_, _ = in.Close(), out.Close()
		return nil, err
	}
	return w, nil
}

// environ returns the environment of a child: only the variables that the system itself needs.
func environ() []string {
	out := []string{"GOTRACEBACK=none"}
	if root := os.Getenv("SYSTEMROOT"); root != "" {
		out = append(out, "SYSTEMROOT="+root)
	}
	return out
}

// program is ours: the very same file, also where another has taken its name since.
func program() (string, error) {
	const self = "/proc/self/exe"
	if _, err := os.Readlink(self); err == nil && runtime.GOOS == "linux" {
		return self, nil
	}
	return proc.Executable()
}

// end kills the process and waits until it is gone.
func (w *worker) end() {
	w.proc.Kill()
	_, _ = w.stdin.Close(), w.stdout.Close()
}

// do has the child do a job. An error means that the child is of no use any more.
func (w *worker) do(ctx context.Context, job message, parent Parent) (end message, err error) {
	asked, cancel := context.WithCancel(ctx)
	over := make(chan struct{})
	var work sync.WaitGroup
	defer func() {
		if err != nil {
			w.proc.Kill() // it may not read what is being sent to it
		}
		close(over)
		cancel()
		work.Wait()
	}()
	work.Go(func() { w.watch(ctx, job.ID, over) })
	if err := w.send(job); err != nil {
		return message{}, err
	}
	pending := make(chan struct{}, MaxPending)
	for {
		m, err := w.receive()
		switch {
		case err != nil:
			return m, err
		case m.Kind == kindEnd && m.ID == job.ID:
			return m, nil
		case m.Kind == kindNote && m.Op == noteStopped:
			w.at = &m.Stack
		case m.Kind == kindNote:
			parent.Note(m.Op, m.blob)
		case m.Kind == kindAsk && !m.Later:
			if err := w.answer(asked, m, parent); err != nil {
				return m, err
			}
		case m.Kind == kindAsk:
			select {
			case pending <- struct{}{}:
			default:
				return m, errors.New("it asks too much at a time")
			}
			work.Go(func() {
				err := w.answer(asked, m, parent)
				<-pending
				_ = err // the next message cannot be received then
			})
		default:
			return m, errors.New("it says what it cannot say")
		}
	}
}

func (w *worker) answer(ctx context.Context, q message, parent Parent) error {
	a := parent.Answer(ctx, Question{Op: q.Op, Later: q.Later, Stack: q.Stack, Blob: q.blob})
	if len(a.Blob) > maxBlob {
		a = Answer{Blob: []byte("the answer is too long")}
	}
	return w.send(message{Kind: kindAnswer, ID: q.ID, OK: a.OK, Op: a.Op, blob: a.Blob})
}

// watch stops a job when its context ends, and kills the child if it does not obey.
func (w *worker) watch(ctx context.Context, job int, over <-chan struct{}) {
	select {
	case <-over:
		return
	case <-ctx.Done():
	}
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		_ = w.send(message{Kind: kindStop, ID: job}) // ends when it is read, or when the child is killed
	}()
	last := time.NewTimer(grace)
	defer last.Stop()
	select {
	case <-over:
	case <-last.C:
		w.proc.Kill()
	}
	<-sent
}

// why describes a child that broke, in one line for a person: its own report is of no use to an author of scripts.
func (w *worker) why(ctx context.Context, job Job, err error) error {
	if ctx.Err() != nil {
		s := &Stopped{Cause: context.Cause(ctx)}
		if w.at != nil {
			s.Stack = *w.at
		}
		return s
	}
	said := string(w.stderr.text)
	f := fault.New(fault.Unavailable, "", "the process that was to %s %s broke: %w", job.Op, job.File, err).
		WithHint("Call it again; if that happens each time, make the file smaller.")
	switch {
	case strings.Contains(said, "stack exceeds"), strings.Contains(said, "stack overflow"):
		f = fault.New(fault.Invalid, "", "%s is nested too deep to %s", job.File, job.Op).
			WithHint("Nest its code, or what it imports, less deep.")
	case strings.Contains(said, "out of memory"), strings.Contains(said, "cannot allocate memory"):
		f = fault.New(fault.Invalid, "", "it takes more than %d MiB to %s %s", hardMemory>>20, job.Op, job.File).
			WithHint("Make the file, or what it imports, smaller.")
	}
	return f
}
