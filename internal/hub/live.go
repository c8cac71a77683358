package hub

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/event"
	"github.com/trailblaze-dev/trailblaze/internal/observe"
	"github.com/trailblaze-dev/trailblaze/internal/record"
	"github.com/trailblaze-dev/trailblaze/internal/session"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// live is the session of a slot while its device lives.
type live struct {
	sess    *session.Session
	started time.Time
	actions atomic.Int64 // that succeeded
	steps   steps
	quiet   func() // ends counting

	observer *observe.Observer // what each seat was last shown

	taughtBy string          // the client whose secrets the session knows; guarded by the slot's claim
	taught   map[string]bool // their names
}

// watch counts what is done in the session.
func watch(sess *session.Session, started time.Time, actions int) *live {
	l := &live{sess: sess, started: started, steps: steps{sess: sess}, observer: observe.New()}
	l.actions.Store(int64(actions))
	l.quiet = sess.Log.Observe(func(e event.Event) {
		if acted(e) {
			l.actions.Add(1)
		}
	})
	return l
}

// acted says whether an event is an action that somebody asked for and that succeeded.
func acted(e event.Event) bool {
	return e.Type == event.ToolCall && e.Call != nil && e.Call.Parent == "" && e.Call.Kind == tool.Action && !e.Call.IsError
}

func (l *live) end(outcome event.Outcome, why error) error {
	l.steps.end()
	l.quiet()
	return l.sess.CloseWith(outcome, why)
}

// lost is what is left of the session when its device goes.
func (l *live) lost(url, why string) *lost {
	return &lost{Session: l.sess.ID, Title: l.title(), memory: l.sess.Memory, Dir: l.sess.Dir, URL: url, Started: l.started, Actions: int(l.actions.Load()), Why: why}
}

// leave lets the session go without ending it.
func (l *live) leave() error {
	l.quiet()
	return l.sess.Leave()
}

// title is what the session is called, as everybody may read it.
func (l *live) title() string { return l.sess.Memory.Mask(l.sess.Info().Title) }

func (l *live) status(device, seat string) SessionStatus {
	return SessionStatus{
		ID: l.sess.ID, Title: l.title(), Device: device, Dir: l.sess.Dir, Started: l.started,
		Actions: int(l.actions.Load()), Seat: seat,
	}
}

// recording makes sure that a session runs in the slot: it begins by itself (R10). The caller has the claim.
func (sl *slot) recording(ctx context.Context, c *call, sp *space) (*live, error) {
	dev, l, was := sl.look()
	if l != nil && !l.sess.Closed() {
		return l, nil
	}
	if was != nil {
		l, err := sl.resume(ctx, c, sp, dev, was)
		if err == nil || fault.KindOf(err) == fault.Canceled {
			return l, err
		}
		c.warn("session %s could not be continued, so a new one was started: %v", was.Session, err)
	}
	return sl.begin(ctx, c.seat, sp, dev, "")
}

// begin starts a new session in the slot.
func (sl *slot) begin(ctx context.Context, s *Seat, sp *space, dev driver.Device, title string) (*live, error) {
	st := s.State()
	if title == "" {
		title = sl.id
	}
	labels := map[string]string{"client": s.who(), "workspace": st.Workspace, "device": sl.id}
	mem := sp.memory()
	sl.mu.Lock()
	keepSecrets(sl.past, mem)
	if sl.url != "" && !masked(sl.url) {
		labels[record.LabelURL] = sl.url // a recording that opens no page itself begins there
	}
	sl.mu.Unlock()
	sess, err := session.Open(ctx, session.Options{
		Root: sl.hub.o.Sessions, Title: title, Device: dev, Memory: mem, Version: sl.hub.o.Version, Now: sl.hub.o.Now,
		Labels: labels,
	})
	if err != nil {
		return nil, err
	}
	return sl.seated(watch(sess, sl.hub.now(), 0)), nil
}

// seated puts a session into the slot.
func (sl *slot) seated(l *live) *live {
	sl.mu.Lock()
	sl.live, sl.lost, sl.past = l, nil, l.sess.Memory
	sl.mu.Unlock()
	sl.hub.keepOpen()
	return l
}
