package devices

import (
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/memory"
)

// Sessions lists the sessions, orphaned ones too.
func (p *Pool) Sessions() []SessionStatus {
	var out []SessionStatus
	for _, d := range p.all() {
		if st, ok := d.sessionStatus(); ok {
			out = append(out, st)
		}
	}
	return out
}

// Session is the session that a client means: that of its device, or of the only one. It is there
// for saving even when it is orphaned; nothing is opened.
func (p *Pool) Session(by *clients.Client) (SessionStatus, error) {
	d, err := p.existing(by, "")
	switch {
	case err != nil && fault.KindOf(err) != fault.NotFound:
		return SessionStatus{}, err
	case err == nil:
		if st, ok := d.sessionStatus(); ok {
			return st, nil
		}
	}
	return SessionStatus{}, fault.New(fault.NotFound, "find session", "no session runs").
		WithHint("One begins by itself with the first call of a tool that acts on a device.")
}

// SessionByID returns a session by its id, while it runs on a device: that of a Reply, for data that belongs to it.
func (p *Pool) SessionByID(id string) (*session.Session, bool) {
	for _, d := range p.all() {
		if s := d.session(); s != nil && s.ID == id {
			return s.Session, true
		}
	}
	return nil, false
}

// RunningSession is the session that a client's calls go to, while it runs on a device.
func (p *Pool) RunningSession(by *clients.Client) (*session.Session, bool) {
	d, err := p.existing(by, "")
	if err != nil {
		return nil, false
	}
	s := d.session()
	if s == nil {
		return nil, false
	}
	return s.Session, true
}

// StartSession begins a new session on the device that a call means, ending the one that runs
// there.
func (p *Pool) StartSession(c *calls.Call, title string, start func() *memory.Store) (SessionStatus, error) {
	const op = "start session"
	ctx, by := c.Context(), c.Client()
	l, err := p.Acquire(ctx, c, c.Request().Device)
	if err != nil {
		return SessionStatus{}, fault.Wrap(err, "", op)
	}
	defer l.Release()
	l.d.dropGone()
	if err := l.d.endSession(by); err != nil {
		p.o.Log.Warn("session did not end cleanly", "device", l.d.id, "error", err)
	}
	if err := l.open(ctx); err != nil {
		return SessionStatus{}, fault.Wrap(err, "", op)
	}
	s, err := l.d.begin(ctx, by, start(), l.d.device(), title)
	if err != nil {
		return SessionStatus{}, fault.Wrap(err, "", op)
	}
	c.Ran(l.d.id, l.d.platform(), s.ID)
	return s.status(l.d.id, by.Short()), nil
}

// StopSession ends a session: the one with this id, or with "" that of the device that the call
// means. The device stays open.
func (p *Pool) StopSession(c *calls.Call, id string) (SessionStatus, error) {
	const op = "stop session"
	d, err := p.ofSession(c, id)
	if err != nil {
		return SessionStatus{}, fault.Wrap(err, "", op)
	}
	l, err := p.Acquire(c.Context(), c, d.id)
	if err != nil {
		return SessionStatus{}, fault.Wrap(err, "", op)
	}
	defer l.Release()
	st, ok := l.d.sessionStatus()
	if !ok || id != "" && st.ID != id {
		return SessionStatus{}, fault.New(fault.NotFound, op, "the session has ended already")
	}
	return st, fault.Wrap(l.d.endSession(c.Client()), "", op)
}

// ofSession is the device of a session.
func (p *Pool) ofSession(c *calls.Call, id string) (*managed, error) {
	if id == "" {
		return p.existing(c.Client(), c.Request().Device)
	}
	for _, d := range p.all() {
		if st, ok := d.sessionStatus(); ok && st.ID == id {
			return d, nil
		}
	}
	return nil, fault.New(fault.NotFound, "find session", "no live session is called %.60q", id).
		WithHint("List the sessions to see which run.")
}
