package hub

import (
	"strings"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/event"
	"github.com/trailblaze-dev/trailblaze/internal/session"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// steps groups the calls of a live session by what their callers say they are for. Calls with the same intent in a row are
// one step; an action without an intent stands outside steps; a look around without one changes nothing.
type steps struct {
	sess *session.Session

	mu      sync.Mutex
	next    int // index of the next step
	open    bool
	text    string
	seat    string
	calls   int
	failed  *event.Failure // of the newest call
	started time.Time
}

// enter says which step a call runs in, ending the one before when it is another.
func (st *steps) enter(seat, intent string, kind tool.Kind) {
	intent = strings.TrimSpace(intent)
	st.mu.Lock()
	defer st.mu.Unlock()
	switch {
	case intent == "" && kind != tool.Action:
		return
	case st.open && st.text == intent && st.seat == seat:
		return
	}
	st.endLocked()
	if intent == "" {
		return
	}
	st.open, st.text, st.seat, st.calls, st.failed, st.started = true, intent, seat, 0, nil, time.Now()
	st.sess.SetStep(st.next)
	st.append(event.StepStarted, &event.Step{Index: st.next, Kind: "step", Text: intent})
	st.next++
}

// called notes how a call of the step went: a step is as good as its last call, because what was tried in vain before and
// then done right is done.
func (st *steps) called(err error) {
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.open {
		st.calls++
		st.failed = event.FailureOf(err)
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
		Index: st.next - 1, Kind: "step", Text: st.text, Calls: st.calls, Outcome: outcome, Error: st.failed, Duration: time.Since(st.started),
	})
	st.open = false
	st.sess.SetStep(event.NoStep)
}

// append leaves out what cannot be written: the call itself will say so.
func (st *steps) append(t event.Type, s *event.Step) {
	_, _ = st.sess.Log.Append(event.Event{Type: t, Step: s})
}

// follow goes on where another left off: the same log, in another session.
func (st *steps) follow(was *steps) {
	was.mu.Lock()
	defer was.mu.Unlock()
	st.mu.Lock()
	defer st.mu.Unlock()
	st.next, st.open, st.text, st.seat, st.calls, st.failed, st.started = was.next, was.open, was.text, was.seat, was.calls, was.failed, was.started
	if st.open {
		st.sess.SetStep(st.next - 1)
	}
}
