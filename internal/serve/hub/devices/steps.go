package devices

import (
	"strings"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// steps groups the calls of a session by their intent. Calls of one client with the same intent in a row are one step;
// an action without an intent is outside of steps; a query without one changes nothing.
type steps struct {
	sess *session.Session

	mu      sync.Mutex
	next    int // index of the next step
	open    bool
	text    string
	client  string // its id
	calls   int
	failed  *fault.Failure // of the newest call
	started time.Time
}

// enter sets the step that a call runs in, ending the one before when it is another.
func (st *steps) enter(client, intent string, kind tool.Kind) {
	intent = strings.TrimSpace(intent)
	st.mu.Lock()
	defer st.mu.Unlock()
	switch {
	case intent == "" && kind != tool.Action:
		return
	case st.open && st.text == intent && st.client == client:
		return
	}
	st.endLocked()
	if intent == "" {
		return
	}
	st.open, st.text, st.client, st.calls, st.failed, st.started = true, intent, client, 0, nil, time.Now()
	st.sess.SetStep(st.next)
	st.append(event.StepStarted, &event.Step{Index: st.next, Kind: "step", Text: intent})
	st.next++
}

// called notes how a call of the step went: the outcome of a step is that of its last call, because
// an attempt that failed and was then repeated with success is done.
func (st *steps) called(err error) {
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.open {
		st.calls++
		st.failed = fault.FailureOf(err)
	}
}

func (st *steps) end() {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.endLocked()
}

func (st *steps) endLocked() {
	if !st.open {
		return
	}
	outcome := event.Passed
	if st.failed != nil {
		outcome = event.Failed
	}
	st.append(event.StepEnded, &event.Step{
		Index: st.next - 1, Kind: "step", Text: st.text, Calls: st.calls, Outcome: outcome,
		Error: st.failed, Duration: time.Since(st.started),
	})
	st.open = false
	st.sess.SetStep(event.NoStep)
}

// append ignores a log that cannot be written: the call itself reports that.
func (st *steps) append(t event.Type, s *event.Step) {
	_, _ = st.sess.Log.Append(event.Event{Type: t, Step: s})
}

// follow continues where another left off: the same log, in another session.Session.
func (st *steps) follow(was *steps) {
	was.mu.Lock()
	defer was.mu.Unlock()
	st.mu.Lock()
	defer st.mu.Unlock()
	st.next, st.open, st.text, st.client = was.next, was.open, was.text, was.client
	st.calls, st.failed, st.started = was.calls, was.failed, was.started
	if st.open {
		st.sess.SetStep(st.next - 1)
	}
}
