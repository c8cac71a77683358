package metrics

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/event"
	"github.com/trailblaze-dev/trailblaze/internal/session"
)

// Exporter delivers finished spans to a collector. Export must not block.
type Exporter interface {
	Export(s Span)
	// Close sends what is left, at most until ctx ends.
	Close(ctx context.Context) error
}

// Span is one finished piece of work: a trail, a step or a tool call.
type Span struct {
	Trace, ID, Parent string // hexadecimal; Parent "" for the outermost
	Name              string
	Start, End        time.Time
	Failed            bool
	Message           string // with Failed: the kind of the failure
	Attributes        map[string]string
}

// Tracer makes spans of calls, and of the trails and steps around them. A nil Tracer makes none.
type Tracer struct {
	out Exporter

	mu       sync.Mutex
	sessions map[*session.Session]*sessionTrace
}

// NewTracer makes a Tracer.
func NewTracer(out Exporter) *Tracer {
	return &Tracer{out: out, sessions: map[*session.Session]*sessionTrace{}}
}

// Close sends what is left.
func (t *Tracer) Close(ctx context.Context) error {
	if t == nil {
		return nil
	}
	return t.out.Close(ctx)
}

// sessionTrace holds the open spans of a session.
type sessionTrace struct {
	begin       sync.Once
	mu          sync.Mutex
	trace       string
	trail, step *Span
}

// active is a span that runs. A nil one is none.
type active struct {
	t    *Tracer
	span Span
}

type spanKey struct{}

// call begins the span of a call.
func (t *Tracer) call(ctx context.Context, inv *dispatch.Invocation) (context.Context, *active) {
	if t == nil || inv.Session == nil {
		return ctx, nil
	}
	s := t.sessionTrace(inv.Session)
	a := &active{t: t, span: Span{Trace: s.trace, ID: newID(8), Name: inv.Call.Name, Start: time.Now(),
		Attributes: map[string]string{
			"trailblaze.tool": inv.Call.Name, "trailblaze.caller": string(inv.Caller),
			"trailblaze.session": inv.Session.ID, "trailblaze.call": inv.ID,
		}}}
	if spec := inv.Spec(); spec != nil {
		a.span.Attributes["trailblaze.kind"] = string(spec.Kind)
	}
	if dev := inv.Session.Device; dev != nil {
		a.span.Attributes["trailblaze.device"] = dev.Info().ID
	}
	if up, ok := ctx.Value(spanKey{}).(*active); ok && up.span.Trace == s.trace {
		a.span.Parent = up.span.ID
	} else {
		a.span.Parent = s.around()
	}
	return context.WithValue(ctx, spanKey{}, a), a
}

func (a *active) end(outcome string) {
	if a == nil {
		return
	}
	a.span.End = time.Now()
	a.span.Attributes["trailblaze.outcome"] = outcome
	if outcome != ok {
		a.span.Failed, a.span.Message = true, outcome
	}
	a.t.out.Export(a.span)
}

// around is the innermost span that a call of this session runs in.
func (s *sessionTrace) around() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.step != nil:
		return s.step.ID
	case s.trail != nil:
		return s.trail.ID
	}
	return ""
}

// sessionTrace begins to follow a session at its first call, when its trail and step may be under
// way.
func (t *Tracer) sessionTrace(sess *session.Session) *sessionTrace {
	t.mu.Lock()
	s := t.sessions[sess]
	if s == nil {
		s = &sessionTrace{trace: newID(16)}
		t.sessions[sess] = s
	}
	t.mu.Unlock()
	s.begin.Do(func() { t.follow(sess, s) }) // without t.mu: the log calls us while it is locked itself
	return s
}

func (t *Tracer) follow(sess *session.Session, s *sessionTrace) {
	if past, err := sess.Log.Events(); err == nil {
		for _, e := range past {
			s.open(e)
			s.shut(e)
		}
	}
	sess.Log.Observe(func(e event.Event) {
		s.open(e)
		if done, ok := s.shut(e); ok {
			t.out.Export(done)
		}
		if e.Type == event.SessionEnded {
			t.mu.Lock()
			defer t.mu.Unlock()
			delete(t.sessions, sess)
		}
	})
}

func (s *sessionTrace) open(e event.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case e.Type == event.TrailStarted && e.Trail != nil:
		s.trail = &Span{Trace: s.trace, ID: newID(8), Name: "trail " + e.Trail.Title, Start: e.Time,
			Attributes: map[string]string{
				"trailblaze.trail": e.Trail.Path, "trailblaze.trail.id": e.Trail.ID,
			}}
	case e.Type == event.StepStarted && e.Step != nil:
		s.step = &Span{Trace: s.trace, ID: newID(8), Name: "step " + e.Step.Text, Start: e.Time,
			Attributes: map[string]string{}}
		if s.trail != nil {
			s.step.Parent = s.trail.ID
		}
	}
}

// shut ends the span that an event ends.
func (s *sessionTrace) shut(e event.Event) (Span, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var done *Span
	var outcome event.Outcome
	switch {
	case e.Type == event.StepEnded && e.Step != nil:
		done, s.step, outcome = s.step, nil, e.Step.Outcome
	case e.Type == event.TrailEnded && e.Trail != nil:
		done, s.trail, outcome = s.trail, nil, e.Trail.Outcome
	}
	if done == nil {
		return Span{}, false
	}
	done.End = e.Time
	done.Attributes["trailblaze.outcome"] = string(outcome)
	if outcome != event.Passed && outcome != event.Flaky && outcome != event.Healed && outcome != event.Skipped {
		done.Failed, done.Message = true, string(outcome)
	}
	return *done, true
}

func newID(n int) string {
	b := make([]byte, n)
	_, _ = rand.Read(b)
	return hex.EncodeToString(b)
}
