package devices

import (
	"context"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/internal/trails/record"
	"github.com/trailblaze-dev/trailblaze/memory"
)

// record makes sure that a session records: it continues an orphaned one, or begins a new one. The
// caller has the lease.
func (d *managed) record(ctx context.Context, c *calls.Call, start func() *memory.Store) (*Session, error) {
	d.mu.Lock()
	dev, s, was := d.dev, d.sess, d.orphan
	d.mu.Unlock()
	if s != nil && !s.Closed() {
		return s, nil
	}
	if was != nil {
		s, err := d.resume(ctx, c, start, dev, was)
		if err == nil || ctx.Err() != nil || gone(dev) {
			return s, err
		}
		c.Warn("session %s could not be continued, so a new one was started: %v", was.Session, err)
	}
	return d.begin(ctx, c.Client(), start(), dev, "")
}

// begin starts a new session.
func (d *managed) begin(
	ctx context.Context, by *clients.Client, mem *memory.Store, dev driver.Device, title string,
) (*Session, error) {
	if title == "" {
		title = d.id
	}
	labels := map[string]string{"client": by.Label(), "workspace": by.State().Workspace, "device": d.id}
	d.mu.Lock()
	if d.past != nil { // the page may still show what was secret in it
		mem.InheritMasks(d.past)
	}
	if d.url != "" && !masked(d.url) {
		labels[record.LabelURL] = d.url // a recording that opens no page itself begins there
	}
	d.mu.Unlock()
	sess, err := session.Open(ctx, session.Options{
		Root: d.pool.o.Sessions, Title: title, Device: dev, Memory: mem, Version: d.pool.o.Version,
		Now: d.pool.o.Now, Labels: labels,
	})
	if err != nil {
		return nil, err
	}
	return d.install(track(sess, d.pool.o.Now(), 0)), nil
}

// install makes a session the device's.
func (d *managed) install(s *Session) *Session {
	d.mu.Lock()
	d.sess, d.orphan, d.past = s, nil, s.Memory
	d.mu.Unlock()
	d.pool.save()
	return s
}

// renew continues the same log in another session.Session, which can act.
func (d *managed) renew(s *Session) {
	o := d.pool.o
	if err := s.Leave(); err != nil {
		o.Log.Warn("session did not close cleanly", "session", s.ID, "error", err)
	}
	sess, err := session.Open(context.WithoutCancel(d.pool.life), session.Options{
		Root: o.Sessions, ID: s.ID, Device: d.device(), Memory: s.Memory, Version: o.Version, Now: o.Now, Resume: true,
	})
	if err != nil {
		o.Log.Warn("session could not be renewed", "session", s.ID, "error", err)
		d.mu.Lock()
		d.sess = nil
		d.mu.Unlock()
		return
	}
	next := track(sess, s.started, int(s.actions.Load()))
	next.steps.follow(&s.steps)
	next.Observer = s.Observer
	d.install(next)
}

// endSession ends the session; the device stays. The caller has the lease.
func (d *managed) endSession(by *clients.Client) error {
	if st, ok := d.sessionStatus(); ok {
		d.notify("session "+st.ID+" was ended by "+by.Label()+": another one records now.", by)
	}
	d.mu.Lock()
	s, was := d.sess, d.orphan
	d.sess, d.orphan = nil, nil
	d.mu.Unlock()
	var err error
	switch {
	case s != nil:
		err = s.CloseWith(event.Passed, nil)
	case was != nil:
		err = d.pool.endOrphan(was, nil)
	}
	d.pool.save()
	return err
}

// sessionStatus is the session as a listing shows it.
func (d *managed) sessionStatus() (SessionStatus, bool) {
	holder, _ := d.queue.current()
	client := ""
	if holder != nil {
		client = holder.Short()
	}
	d.mu.Lock()
	s, was := d.sess, d.orphan
	d.mu.Unlock()
	switch {
	case s != nil:
		return s.status(d.id, client), true
	case was != nil:
		return was.status(d.id), true
	}
	return SessionStatus{}, false
}
