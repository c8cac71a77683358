package script

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"time"

	"modernc.org/quickjs"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// The bounds of one run.
const (
	maxMemory  = 64 << 20 // bytes of the script's heap
	maxResult  = 1 << 20  // characters of a result
	maxPending = 256      // calls, fetches and timers at a time
	maxLog     = 64       // lines kept of the console
	maxLine    = 2 << 10  // bytes of one of them
)

// world answers the questions of a script. Each is an operation and a JSON value.
type world interface {
	// now answers at once; known is false for an operation that takes its time.
	now(op string, value json.RawMessage) (answer any, known bool, err error)
	// later answers from a goroutine of its own.
	later(ctx context.Context, op string, value json.RawMessage) (any, error)
}

// machine runs one script. It belongs to the goroutine that made it, and is thrown away after one call: what a script
// leaves behind, no other call sees.
type machine struct {
	vm    *quickjs.VM
	ctx   context.Context // of the run: a lifetime owner
	end   context.CancelFunc
	world world
	work  sync.WaitGroup
	over  chan struct{} // closed when the script runs no more
	ready chan answered

	pending int            // questions that have no answer yet
	calling map[int]string // those of them that are calls of tools
	ended   bool
	result  string
	thrown  *thrown
	failed  []error // of nested calls; a script names them by number, from 1
	tool    string  // where the tool is defined
	asked   string  // the stack of the question that it asked last
	log     []string
}

// answered is the answer to a question that took its time.
type answered struct {
	id    int
	value any
	err   error
}

// thrown is what a handler threw.
type thrown struct {
	Name    string `json:"name"`
	Message string `json:"message"`
	Stack   string `json:"stack"`
	Failure int    `json:"failure"` // number of the failed call that it is about; 0: none
}

// Error implements error.
func (t *thrown) Error() string {
	if t.Name == "" || t.Name == "Error" {
		return t.Message
	}
	return t.Name + ": " + t.Message
}

// newMachine starts a machine and runs the top level of a compiled script in it. Close it.
func newMachine(ctx context.Context, bytecode []byte, w world) (*machine, error) {
	vm, err := quickjs.NewVM()
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, "start script")
	}
	vm.SetMemoryLimit(maxMemory)
	m := &machine{vm: vm, world: w, over: make(chan struct{}), ready: make(chan answered), calling: map[int]string{}}
	m.ctx, m.end = context.WithCancel(ctx)
	m.work.Go(m.interrupt)
	err = vm.RegisterHostFunc("__host", m.host)
	if err == nil {
		err = m.enter(func() error { _, err := vm.EvalBytecode(bytecode); return err })
	}
	if err != nil {
		m.close()
		return nil, err
	}
	return m, nil
}

// close ends what the run started and frees the machine.
func (m *machine) close() {
	close(m.over)
	m.end()
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
		return context.Cause(m.ctx)
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
			return &stopped{cause: context.Cause(m.ctx)}
		}
	}
}

// broken is why the script could not go on.
func (m *machine) broken(err error) error {
	t := &thrown{Message: err.Error()}
	if e, ok := err.(*quickjs.Error); ok { //nolint:errorlint // the engine returns exactly this
		*t = thrown{Name: e.Name, Message: e.Message, Stack: e.Stack}
	}
	if m.ctx.Err() != nil {
		return &stopped{cause: context.Cause(m.ctx), stack: t.Stack}
	}
	return t
}

// stopped is a script that was interrupted.
type stopped struct {
	cause error
	stack string
}

// Error implements error.
func (s *stopped) Error() string { return "the script was still running: " + s.cause.Error() }

// Unwrap gives the reason.
func (s *stopped) Unwrap() error { return s.cause }

// call calls a function of the runtime and waits until it has said done or failed.
func (m *machine) call(function string, args ...any) (string, error) {
	if err := m.enter(func() error { _, err := m.vm.Call("__trailblaze."+function, args...); return err }); err != nil {
		return "", err
	}
	for !m.ended {
		if m.pending == 0 && m.ctx.Err() != nil { // the interrupt ended a promise in silence
			return "", &stopped{cause: context.Cause(m.ctx)}
		}
		if m.pending == 0 {
			return "", fault.New(fault.Assertion, "", "the handler waits for something that never comes")
		}
		select {
		case a := <-m.ready:
			m.pending--
			delete(m.calling, a.id)
			if err := m.settle(a); err != nil {
				return "", err
			}
		case <-m.ctx.Done():
			return "", context.Cause(m.ctx)
		}
	}
	if m.thrown != nil && m.ctx.Err() != nil { // the interrupt was thrown in a promise
		return "", &stopped{cause: context.Cause(m.ctx), stack: m.thrown.Stack}
	}
	if m.thrown != nil {
		return "", m.thrown
	}
	for _, name := range m.calling {
		return "", fault.New(fault.Assertion, "", "the handler returned while %s was still under way", name).
			WithHint("Await the call.")
	}
	return m.result, nil
}

// settle tells the script an answer.
func (m *machine) settle(a answered) error {
	value, ok := a.value, a.err == nil
	if !ok {
		m.failed = append(m.failed, a.err)
		value = failure(a.err, len(m.failed))
	}
	text := ""
	if value != nil {
		raw, err := json.Marshal(value)
		if err != nil {
			return fault.Wrap(err, fault.Internal, "answer script")
		}
		text = string(raw)
	}
	return m.enter(func() error { _, err := m.vm.Call("__trailblaze.settle", a.id, ok, text); return err })
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
		return maxResult, nil
	case "done":
		m.ended, m.result = true, raw
		return "", nil
	case "failed":
		m.ended, m.thrown = true, &thrown{}
		return "", json.Unmarshal([]byte(raw), m.thrown)
	case "log":
		m.keep(raw)
		return "", nil
	}
	if len(args) == 2 {
		return m.now(op, raw)
	}
	id, _ := args[2].(int)
	m.asked, _ = args[len(args)-1].(string)
	if m.pending >= maxPending {
		return nil, fault.New(fault.Invalid, "", "%d calls are under way, the most that a tool may have", maxPending)
	}
	if op == "call" {
		var to struct{ Name string }
		_ = json.Unmarshal([]byte(raw), &to)
		m.calling[id] = to.Name
	}
	m.pending++
	m.work.Go(func() {
		v, err := m.world.later(m.ctx, op, json.RawMessage(raw))
		select {
		case m.ready <- answered{id, v, err}:
		case <-m.over:
		}
	})
	return "", nil
}

func (m *machine) now(op, raw string) (any, error) {
	v, known, err := m.world.now(op, json.RawMessage(raw))
	switch {
	case err != nil:
		return nil, err
	case !known:
		return nil, fault.New(fault.Invalid, "", "a tool cannot %s", op)
	case v == nil:
		return "", nil
	}
	out, err := json.Marshal(v)
	if err == nil && op != "memory.interpolate" {
		err = exact("memory holds", out)
	}
	return string(out), err
}

// keep keeps a line of the console, which is shown when the call fails.
func (m *machine) keep(raw string) {
	var line struct{ Level, Text string }
	if json.Unmarshal([]byte(raw), &line) != nil || len(m.log) >= maxLog {
		return
	}
	if len(line.Text) > maxLine {
		line.Text = strings.ToValidUTF8(line.Text[:maxLine], "") + "…"
	}
	m.log = append(m.log, line.Level+": "+line.Text)
}

// compile makes bytecode of a script. It stays in this process: the engine runs bytecode unchecked.
func compile(code string) ([]byte, error) {
	vm, err := quickjs.NewVM()
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, "compile script")
	}
	defer func() { _ = vm.Close() }()
	out, err := vm.Compile(code, quickjs.EvalGlobal)
	return out, fault.Wrap(err, fault.Invalid, "compile script")
}
