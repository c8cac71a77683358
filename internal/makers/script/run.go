package script

import (
	"context"
	"encoding/json"
	"strings"
	"sync"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/makers/script/worker"
)

// The bounds of a run's output.
const (
	maxLog  = 64      // lines kept of the console
	maxLine = 2 << 10 // bytes of one of them
)

// world answers the questions of a script. Each is an operation and a JSON value.
type world interface {
	// now answers at once; known is false for an operation that takes its time.
	now(op string, value json.RawMessage) (answer any, known bool, err error)
	// later answers from a goroutine of its own.
	later(ctx context.Context, op string, value json.RawMessage) (any, error)
}

// run is one run of a script, as it is seen from here: the script itself runs in a worker.
type run struct {
	world world
	tool  string // where the tool is defined

	mu     sync.Mutex
	failed []error // of questions; a script names them by number, from 1
	asked  string  // the stack of the question that it asked last
	log    []string
}

var _ worker.Parent = (*run)(nil)

// run runs the top level of the script and calls a function of the runtime.
func (p *program) run(ctx context.Context, r *run, in worker.Running) ([]byte, error) {
	end, err := worker.Do(ctx, worker.Job{Op: worker.Run, File: p.name, Args: in, Blob: p.bytecode}, r)
	if err != nil {
		return nil, err
	}
	return end.Blob, nil
}

// Answer implements worker.Parent.
func (r *run) Answer(ctx context.Context, q worker.Question) worker.Answer {
	if !q.Later {
		text, err := r.now(q.Op, q.Blob)
		if err != nil {
			return worker.Answer{Blob: []byte(err.Error())}
		}
		return worker.Answer{OK: true, Blob: text}
	}
	r.mu.Lock()
	r.asked = q.Stack
	r.mu.Unlock()
	value, err := r.world.later(ctx, q.Op, q.Blob)
	if ctx.Err() != nil {
		return worker.Answer{} // nobody waits for it
	}
	a := worker.Answer{OK: err == nil}
	if err != nil {
		value = r.fails(err)
	}
	if value != nil {
		if a.Blob, err = json.Marshal(value); err != nil {
			return worker.Answer{Blob: []byte(`{"message":"the answer cannot be written as JSON"}`)}
		}
	}
	return a
}

// fails keeps a failure and says how the script sees it.
func (r *run) fails(err error) any {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failed = append(r.failed, err)
	return failure(err, len(r.failed))
}

func (r *run) now(op string, raw json.RawMessage) ([]byte, error) {
	v, known, err := r.world.now(op, raw)
	switch {
	case err != nil:
		return nil, err
	case !known:
		return nil, fault.New(fault.Invalid, "", "a tool cannot %s", op)
	case v == nil:
		return nil, nil
	}
	out, err := json.Marshal(v)
	if err == nil && op != "memory.interpolate" {
		err = exact("memory holds", out)
	}
	return out, err
}

// Note implements worker.Parent. It keeps a line of the console, which is shown when the call fails.
func (r *run) Note(op string, raw []byte) {
	var line struct{ Level, Text string }
	if op != worker.NoteLog || len(r.log) >= maxLog || json.Unmarshal(raw, &line) != nil {
		return
	}
	if len(line.Text) > maxLine {
		line.Text = strings.ToValidUTF8(line.Text[:maxLine], "") + "…"
	}
	r.log = append(r.log, line.Level+": "+line.Text)
}
