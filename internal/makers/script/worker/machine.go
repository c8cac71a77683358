package worker

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strconv"
	"sync"
	"time"

	"modernc.org/quickjs"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/makers/script/tstype"
)

// The bounds of one run.
const (
	MaxMemory  = 64 << 20 // bytes of the script's heap
	MaxResult  = 1 << 20  // characters of a result
	MaxPending = 256      // calls, fetches and timers at a time
	maxRandom  = 1 << 16  // bytes at a time, as browsers give them
)

// Running holds the arguments of a run: a function of the runtime and the arguments of its call.
type Running struct {
	Function string `json:"function"`
	Args     []any  `json:"args,omitempty"`
	Plain    bool   `json:"plain,omitempty"` // what it returns is the result; it waits for nothing
}

// Thrown is a value that a script threw.
type Thrown struct {
	Name    string `json:"name"`
	Message string `json:"message"`
	Stack   string `json:"stack"`
	Failure int    `json:"failure"` // number of the failed question that it is about, from 1; 0: none
}

// Error implements error.
func (t *Thrown) Error() string {
	if t.Name == "" || t.Name == "Error" {
		return t.Message
	}
	return t.Name + ": " + t.Message
}

// stopped is a script that was interrupted.
type stopped struct{ stack string }

// Error implements error.
func (s *stopped) Error() string { return "the script was still running" }

// machine runs one script. It belongs to the goroutine that made it, and is thrown away after one run: nothing of one
// run reaches another.
type machine struct {
	*child
	vm    *quickjs.VM
	ctx   context.Context // of the run: a lifetime owner
	work  sync.WaitGroup
	over  chan struct{} // closed when the script runs no more
	ready chan answered

	pending int            // questions that have no answer yet
	calling map[int]string // those of them that are calls of tools
	ended   bool
	result  string
	thrown  *Thrown
}

// answered is the answer to a question that took its time.
type answered struct {
	id int
	message
}

// run runs the top level of a compiled script and calls a function of its runtime.
func (c *child) run(ctx context.Context, job message) (end message, err error) {
	var in Running
	if err := json.Unmarshal(job.Args, &in); err != nil {
		return end, fault.Wrap(err, fault.Internal, "run script")
	}
	vm, err := quickjs.NewVM()
	if err != nil {
		return end, fault.Wrap(err, fault.Internal, "start script")
	}
	vm.SetMemoryLimit(MaxMemory)
	m := &machine{child: c, vm: vm, ctx: ctx, over: make(chan struct{}), ready: make(chan answered, MaxPending),
		calling: map[int]string{}}
	defer m.close()
	m.work.Go(m.interrupt)
	err = vm.RegisterHostFunc("__host", m.host)
	if err == nil {
		err = m.enter(func() error { _, err := vm.EvalBytecode(job.blob); return err })
	}
	if err != nil {
		return end, err
	}
	if in.Plain {
		err = m.enter(func() error {
			v, err := vm.Call("__trailblaze."+in.Function, in.Args...)
			m.result, _ = v.(string)
			return err
		})
	} else {
		err = m.call(in.Function, in.Args...)
	}
	return message{blob: []byte(m.result)}, err
}

// close frees the machine.
func (m *machine) close() {
	close(m.over)
	m.work.Wait()
	_ = m.vm.Close()
}

// interrupt stops the script when its context ends. The engine forgets an interrupt when the script is entered anew,
// so it is repeated until the owner has seen the end.
func (m *machine) interrupt() {
	select {
	case <-m.over:
		return
	case <-m.ctx.Done():
	}
	again := time.NewTicker(time.Millisecond)
	defer again.Stop()
	for {
		m.vm.Interrupt()
		select {
		case <-m.over:
			return
		case <-again.C:
		}
	}
}

// enter runs the script until it waits for something or is interrupted.
func (m *machine) enter(run func() error) error {
	if m.ctx.Err() != nil {
		return m.stopped("")
	}
	if err := run(); err != nil {
		return m.broken(err)
	}
	for {
		n, err := m.vm.ExecutePendingJobs()
		switch {
		case err != nil:
			return m.broken(err)
		case n == 0:
			return nil
		case m.ctx.Err() != nil:
			return m.stopped("")
		}
	}
}

// stopped is the end of an interrupted script. The parent hears of the place at once: freeing what the script made may
// take longer than it waits.
func (m *machine) stopped(stack string) error {
	_ = m.send(message{Kind: kindNote, Op: noteStopped, Stack: stack})
	return &stopped{stack}
}

// broken returns the reason why the script stopped.
func (m *machine) broken(err error) error {
	t := &Thrown{Message: err.Error()}
	if e, ok := err.(*quickjs.Error); ok { //nolint:errorlint // the engine returns exactly this
		*t = Thrown{Name: e.Name, Message: e.Message, Stack: e.Stack}
	}
	if m.ctx.Err() != nil {
		return m.stopped(t.Stack)
	}
	return t
}

// call calls a function of the runtime and waits until it has said done or failed.
func (m *machine) call(function string, args ...any) error {
	if err := m.enter(func() error { _, err := m.vm.Call("__trailblaze."+function, args...); return err }); err != nil {
		return err
	}
	for !m.ended {
		if m.pending == 0 && m.ctx.Err() != nil { // the interrupt ended a promise in silence
			return m.stopped("")
		}
		if m.pending == 0 {
			return fault.New(fault.Assertion, "", "the handler waits for something that never comes")
		}
		select {
		case a := <-m.ready:
			m.pending--
			delete(m.calling, a.id)
			if err := m.enter(func() error {
				_, err := m.vm.Call("__trailblaze.settle", a.id, a.OK, string(a.blob))
				return err
			}); err != nil {
				return err
			}
		case <-m.ctx.Done():
			return fault.New(fault.Canceled, "", "the handler waits") // the parent knows why
		}
	}
	if m.thrown != nil && m.ctx.Err() != nil { // the interrupt was thrown in a promise
		return m.stopped(m.thrown.Stack)
	}
	if m.thrown != nil {
		return m.thrown
	}
	for _, name := range m.calling {
		return fault.New(fault.Assertion, "", "the handler returned while %s was still under way", name).
			WithHint("Await the call.")
	}
	return nil
}

// host is the one function that the runtime has of ours. It runs on the machine's own goroutine.
func (m *machine) host(args []any) (any, error) {
	op, raw := "", ""
	if len(args) > 1 {
		op, _ = args[0].(string)
		raw, _ = args[1].(string)
	}
	switch op {
	case "limit":
		return MaxResult, nil
	case "random":
		return random(raw)
	case "done":
		m.ended, m.result = true, raw
		return "", nil
	case "failed":
		m.ended, m.thrown = true, &Thrown{}
		return "", json.Unmarshal([]byte(raw), m.thrown)
	case NoteLog:
		return "", m.send(message{Kind: kindNote, Op: op, blob: []byte(raw)})
	}
	if len(args) == 2 {
		a, err := m.ask(message{Op: op, blob: []byte(raw)})
		return string(a.blob), err
	}
	return "", m.begin(op, raw, args)
}

// random returns so many random bytes as base64.
func random(raw string) (string, error) {
	n, err := strconv.Atoi(raw)
	if err != nil || n < 0 || n > maxRandom {
		return "", fault.New(fault.Invalid, "", "getRandomValues gives at most %d bytes at a time", maxRandom)
	}
	b := make([]byte, n)
	_, _ = rand.Read(b) // it never fails
	return strconv.Quote(base64.StdEncoding.EncodeToString(b)), nil
}

// begin asks a question that takes its time.
func (m *machine) begin(op, raw string, args []any) error {
	id, _ := args[2].(int)
	stack, _ := args[len(args)-1].(string)
	if m.pending >= MaxPending {
		return fault.New(fault.Invalid, "", "%d calls are under way, the most that a tool may have", MaxPending)
	}
	if op == "call" {
		var to struct{ Name string }
		_ = json.Unmarshal([]byte(raw), &to)
		m.calling[id] = to.Name
	}
	m.pending++
	return m.later(message{Op: op, Later: true, Stack: stack, blob: []byte(raw)}, func(a message) {
		m.ready <- answered{id, a} // there is room for all that are pending
	})
}

// compile makes bytecode of a script. Nobody but a machine of a child runs it: the engine runs bytecode unchecked.
func compile(code string) ([]byte, error) {
	vm, err := quickjs.NewVM()
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, "compile script")
	}
	defer func() { _ = vm.Close() }()
	out, err := vm.Compile(code, quickjs.EvalGlobal)
	return out, fault.Wrap(err, fault.Invalid, "compile script")
}

// do does one job.
func (c *child) do(m message) message {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	c.mu.Lock()
	c.job, c.stop, c.waiting = m.ID, cancel, map[int]func(message){}
	c.mu.Unlock()
	var end message
	var err error
	switch m.Op {
	case Bundle:
		end, err = c.bundle(m)
	case Compile:
		end.blob, err = compile(string(m.blob))
	case Types:
		end.Args, err = c.types(m.File)
	case Calls:
		end.Args, err = json.Marshal(tstype.Calls(string(m.blob)))
	case Run:
		end, err = c.run(ctx, m)
	default:
		err = fault.New(fault.Internal, "", "there is no job %q", m.Op)
	}
	if err == nil {
		return end
	}
	if t, ok := errors.AsType[*Thrown](err); ok {
		raw, err := json.Marshal(t)
		if err == nil {
			return message{Op: endThrown, blob: raw}
		}
	}
	if s, ok := errors.AsType[*stopped](err); ok {
		return message{Op: endStopped, Stack: s.stack}
	}
	return message{Op: endError, Fault: fault.KindOf(err), Hint: fault.HintOf(err), blob: []byte(err.Error())}
}
