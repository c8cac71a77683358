// Package session is one sitting with one device: its memory, its event log and its directory. The dispatcher
// runs calls in it; cli, daemon and transports open and close it. A Session is safe for concurrent use.
//
//	s, err := session.Open(ctx, session.Options{Root: root, Device: dev, Memory: memory.New()})
//	defer s.Close(event.Passed)
package session

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/redact"
	"github.com/trailblaze-dev/trailblaze/memory"
)

// Session is one sitting with one device. Fields are set by Open and never change.
type Session struct {
	ID     string
	Dir    string // <sessions root>/<ID>; "" keeps nothing on disk
	Device driver.Device
	Memory *memory.Store
	Log    *event.Log
	Actor  string // whose it is in a session of several, "" in any other

	of     *Session            // that it was joined to
	actors map[string]*Session // that joined it

	info    event.Session
	started time.Time
	now     func() time.Time
	acting  *ActionLock

	mu     sync.Mutex
	step   int    // index of the running step, event.NoStep outside steps
	client string // who acts now
	ended  bool
	closed error
}

// Options describe a session. All fields may be left out.
type Options struct {
	Root    string // directory of all sessions; "" keeps nothing on disk
	ID      string // "" makes a new one from Title
	Title   string
	Device  driver.Device // nil for sessions that only use tools without one
	Memory  *memory.Store // nil makes an empty one
	Labels  map[string]string
	Version string // of trailblaze
	Now     func() time.Time

	// Resume continues the session of this ID below Root, whose process died or left it: nothing is written, the
	// numbering continues, and title, labels and start stay.
	Resume bool
	// Forget keeps no event, not even in memory, for long-lived sessions whose calls are not asked for later.
	Forget bool
}

// Open starts a session: it opens the log and writes SessionStarted. The device stays the caller's
// to close.
func Open(ctx context.Context, o Options) (*Session, error) {
	const op = "open session"
	if err := ctx.Err(); err != nil {
		return nil, fault.Wrap(err, "", op)
	}
	s := &Session{ID: o.ID, Device: o.Device, Memory: o.Memory, now: o.Now, step: event.NoStep, acting: newActionLock(nil)}
	if s.now == nil {
		s.now = time.Now
	}
	s.started = s.now()
	if s.Memory == nil {
		s.Memory = memory.New()
	}
	if s.ID == "" {
		s.ID = NewID(s.started, s.Memory.Mask(o.Title)) // a directory name is as public as a log
	}
	if !ValidID(s.ID) {
		return nil, fault.New(fault.Invalid, op, "%q is not a session id", s.ID).
			WithHint("Use letters, digits, underscores, dots and dashes only.")
	}
	s.info = event.Session{ID: s.ID, Title: o.Title, Version: o.Version, Labels: o.Labels}
	if o.Resume {
		if err := s.resume(o.Root); err != nil {
			return nil, err
		}
	}
	if o.Device != nil {
		i := o.Device.Info()
		s.info.Device, s.info.Platform, s.info.Driver = i.ID, string(i.Platform), i.Driver
		s.info.Browser, s.info.Width, s.info.Height = i.Version, i.Width, i.Height
		s.conceal()
	}
	if o.Root != "" {
		s.Dir = filepath.Join(o.Root, s.ID)
	}
	if err := s.start(o); err != nil {
		return nil, err
	}
	return s, nil
}

// Join makes the session of an actor on a device of its own: what it does is in the log and the folder of s, and its
// memory is that of s as the actor sees it. It ends with s. Join all before the first call; the device stays the
// caller's to close.
func (s *Session) Join(actor string, dev driver.Device) *Session {
	a := &Session{
		ID: s.ID, Dir: s.Dir, Device: dev, Memory: s.Memory.Of(actor), Log: s.Log, Actor: actor, of: s,
		info: s.info, started: s.started, now: s.now, acting: newActionLock(nil), step: event.NoStep, client: s.client,
	}
	a.conceal()
	if s.actors == nil {
		s.actors = map[string]*Session{}
	}
	s.actors[actor] = a
	return a
}

// Of returns the session of an actor that joined s, or joined what s did; nil when there is none.
func (s *Session) Of(actor string) *Session {
	if s.of != nil {
		s = s.of
	}
	return s.actors[actor]
}

// conceal has the device hide the secrets of the session on its screen.
func (s *Session) conceal() {
	if c, ok := driver.As[driver.Concealer](s.Device); ok {
		c.Conceal(s.secrets)
	}
}

// secrets returns the secrets that the device looks for on its screen.
func (s *Session) secrets() driver.Secrets {
	if k := s.Memory.Masker(); k != nil {
		return k
	}
	return nil
}

func (s *Session) start(o Options) error {
	log := event.Discard()
	if !o.Forget {
		var err error
		if log, err = event.Create(s.Dir); err != nil {
			return err
		}
	}
	log.SetMask(func(e event.Event) event.Event { return redact.Event(s.Memory, e) })
	s.Log = log
	if o.Resume {
		return nil
	}
	info := s.info
	if _, err := log.Append(event.Event{Type: event.SessionStarted, Time: s.started.UTC(), Session: &info}); err != nil {
		_ = log.Close()
		return err
	}
	return nil
}

// Info returns the data of SessionStarted.
func (s *Session) Info() event.Session { return s.info }

// Started returns when the session began.
func (s *Session) Started() time.Time { return s.started }

// SetStep sets the step of a trail that runs from now on; event.NoStep for none. Calls and screens carry it.
func (s *Session) SetStep(i int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.step = i
}

// SetClient sets the acting client from now on. Calls carry it.
func (s *Session) SetClient(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.client = name
}

// Client returns the acting client, "" when it is not known.
func (s *Session) Client() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.client
}

// Step is the index of the running step, event.NoStep outside steps.
func (s *Session) Step() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.step
}

// Close ends the session with this outcome. The first call wins; later ones change nothing and return the same.
func (s *Session) Close(outcome event.Outcome) error { return s.CloseWith(outcome, nil) }

// CloseWith is Close with the reason.
func (s *Session) CloseWith(outcome event.Outcome, why error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return s.closed
	}
	s.ended = true
	info := s.info
	info.Outcome, info.Error, info.Duration = outcome, fault.FailureOf(why), s.now().Sub(s.started)
	if err := s.keepActivity(); err != nil { // which is no part of the outcome
		text := "What the pages did is not kept: " + s.Memory.Mask(err.Error())
		_, _ = s.Log.Append(event.Event{Type: event.Note, Note: &event.NoteText{Level: "warning", Text: text}})
	}
	_, err := s.Log.Append(event.Event{Type: event.SessionEnded, Session: &info})
	if e := s.Log.Close(); err == nil {
		err = e
	}
	s.closed = err
	return err
}

// Closed reports whether the session has ended.
func (s *Session) Closed() bool {
	if s.of != nil {
		return s.of.Closed()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ended
}

// Act waits until no other action acts on the device, and lets the tool act until the lock is released.
func (s *Session) Act(ctx context.Context, tool string) (*ActionLock, error) {
	return s.acting.Acquire(ctx, tool)
}

// ActionLock lets one action at a time act on a device, first come first served: two actions at
// once would make each other's effects unprovable. A session has one for the actions of its
// callers. The action that holds it has one, in turn, for the actions that it makes.
type ActionLock struct {
	outer *ActionLock            // that the action holds; nil: it is the session's
	held  chan struct{}          // holds a value while an action acts
	tool  atomic.Pointer[string] // that acts
}

func newActionLock(outer *ActionLock) *ActionLock {
	return &ActionLock{outer: outer, held: make(chan struct{}, 1)}
}

// Acquire waits until the lock is free and holds it for the action of a tool. It returns the lock for the actions that
// this one makes, which Release ends. When ctx ends first, the error names the tool that holds it.
func (l *ActionLock) Acquire(ctx context.Context, tool string) (inner *ActionLock, err error) {
	select {
	case l.held <- struct{}{}:
	case <-ctx.Done():
		holder := "another action"
		if t := l.tool.Load(); t != nil {
			holder = *t
		}
		return nil, fault.Wrap(fmt.Errorf("wait for %s to end: %w", holder, ctx.Err()), "", "")
	}
	l.tool.Store(&tool)
	return newActionLock(l), nil
}

// Release lets the next action act.
func (l *ActionLock) Release() {
	l.outer.tool.Store(nil)
	<-l.outer.held
}

// resume takes over what the session was.
func (s *Session) resume(root string) error {
	const op = "resume session"
	if root == "" {
		return fault.New(fault.Invalid, op, "nothing of session %s is on disk", s.ID)
	}
	was, ok := summarise(filepath.Join(root, s.ID), s.ID)
	switch {
	case !ok || was.Started.IsZero():
		return fault.New(fault.NotFound, op, "there is no session %s in %s", s.ID, root)
	case !was.Running:
		return fault.New(fault.Conflict, op, "session %s has ended", s.ID).WithHint("Start a new session.")
	}
	s.info, s.started = was.Session, was.Started
	return nil
}

// Leave lets go of a session without ending it, so that it can be resumed: its log is closed, and further
// calls are refused.
func (s *Session) Leave() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return s.closed
	}
	s.ended = true
	s.closed = s.Log.Close()
	return s.closed
}

// Summary is the session as a listing shows it.
func (s *Session) Summary() Summary {
	return Summary{Session: s.info, Dir: s.Dir, Started: s.started, Running: !s.Closed()}
}
