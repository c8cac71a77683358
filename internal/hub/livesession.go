package hub

import (
	"context"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/event"
	"github.com/trailblaze-dev/trailblaze/internal/session"
)

// session is the slot's session as a listing shows it.
func (sl *slot) session() (SessionStatus, bool) {
	holder, _ := sl.claim.now()
	seat := ""
	if holder != nil {
		seat = short(holder.handle)
	}
	_, l, was := sl.look()
	switch {
	case l != nil:
		return l.status(sl.id, seat), true
	case was != nil:
		return was.status(sl.id), true
	}
	return SessionStatus{}, false
}

// Sessions lists the live sessions, those of a lost daemon too.
func (h *Hub) Sessions() []SessionStatus {
	var out []SessionStatus
	for _, sl := range h.allSlots() {
		if st, ok := sl.session(); ok {
			out = append(out, st)
		}
	}
	return out
}

// Session is the live session the seat means: that of its device, or of the only one. It is there for saving even when its
// device is lost; nothing is opened.
func (h *Hub) Session(s *Seat) (SessionStatus, error) {
	h.choosing.Lock()
	sl, err := h.meant(s.State(), "")
	h.choosing.Unlock()
	if err != nil {
		return SessionStatus{}, err
	}
	if sl != nil {
		if st, ok := sl.session(); ok {
			return st, nil
		}
	}
	return SessionStatus{}, fault.New(fault.NotFound, "find session", "no session runs").
		WithHint("One begins by itself with the first call of a tool that acts on a device.")
}

// SessionByID is a live session by its id, while it runs on a device: that of a Reply, for what belongs to it.
func (h *Hub) SessionByID(id string) (*session.Session, bool) {
	for _, sl := range h.allSlots() {
		if _, l, _ := sl.look(); l != nil && l.sess.ID == id {
			return l.sess, true
		}
	}
	return nil, false
}

// LiveSession is the session the seat's calls go to, while it runs on a device.
func (h *Hub) LiveSession(s *Seat) (*session.Session, bool) {
	h.choosing.Lock()
	sl, err := h.meant(s.State(), "")
	h.choosing.Unlock()
	if err != nil || sl == nil {
		return nil, false
	}
	_, l, _ := sl.look()
	if l == nil {
		return nil, false
	}
	return l.sess, true
}

// StartSession starts a new live session on the seat's slot, ending the one that runs there.
func (h *Hub) StartSession(ctx context.Context, s *Seat, title string) (SessionStatus, error) {
	const op = "start session"
	c, end, err := h.errand(ctx, s, "session start")
	if err != nil {
		return SessionStatus{}, err
	}
	defer end()
	sp, leave, err := h.space(c.ctx, s.State().Workspace)
	if err != nil {
		return SessionStatus{}, err
	}
	defer leave()
	sl, bind, done, err := h.target(s, DeviceFrom(ctx))
	if err != nil {
		return SessionStatus{}, fault.Wrap(err, "", op)
	}
	defer done()
	c.place(sl)
	if err := sl.claim.take(c.ctx, c, h.o.ClaimWait); err != nil {
		return SessionStatus{}, fault.Wrap(err, "", op)
	}
	defer sl.claim.give(c)
	if dev, _, _ := sl.look(); dev != nil && gone(dev) {
		sl.drop("its browser or phone died")
	}
	if err := sl.endSession(s); err != nil {
		h.o.Log.Warn("session did not end cleanly", "device", sl.id, "error", err)
	}
	if err := sl.opened(c.ctx, c); err != nil {
		return SessionStatus{}, fault.Wrap(err, "", op)
	}
	if bind {
		c.bind(sl.id)
	}
	dev, _, _ := sl.look()
	l, err := sl.begin(c.ctx, s, sp, dev, title)
	if err != nil {
		return SessionStatus{}, fault.Wrap(err, "", op)
	}
	c.parent.ran(sl, l)
	return l.status(sl.id, short(s.handle)), nil
}

// endSession ends the slot's session; its device stays. The caller has the claim.
func (sl *slot) endSession(by *Seat) error {
	if st, ok := sl.session(); ok {
		sl.tell("session "+st.ID+" was ended by "+by.who()+": another one records now.", by)
	}
	sl.mu.Lock()
	l, was := sl.live, sl.lost
	sl.live, sl.lost = nil, nil
	sl.mu.Unlock()
	var err error
	switch {
	case l != nil:
		err = l.end(event.Passed, nil)
	case was != nil:
		err = was.end(sl.hub, nil)
	}
	sl.hub.keepOpen()
	return err
}

// StopSession ends a live session: the one with this id, or with "" that of the seat's slot. The device stays open.
func (h *Hub) StopSession(ctx context.Context, s *Seat, id string) (SessionStatus, error) {
	const op = "stop session"
	c, end, err := h.errand(ctx, s, "session stop")
	if err != nil {
		return SessionStatus{}, err
	}
	defer end()
	sl, err := h.slotOfSession(s, DeviceFrom(ctx), id)
	if err != nil {
		return SessionStatus{}, fault.Wrap(err, "", op)
	}
	c.place(sl)
	if err := sl.claim.take(c.ctx, c, h.o.ClaimWait); err != nil {
		return SessionStatus{}, fault.Wrap(err, "", op)
	}
	defer sl.claim.give(c)
	st, ok := sl.session()
	if !ok || id != "" && st.ID != id {
		return SessionStatus{}, fault.New(fault.NotFound, op, "the session has ended already")
	}
	return st, fault.Wrap(sl.endSession(s), "", op)
}

func (h *Hub) slotOfSession(s *Seat, device, id string) (*slot, error) {
	if id == "" {
		return h.existing(s, device)
	}
	for _, sl := range h.allSlots() {
		if st, ok := sl.session(); ok && st.ID == id {
			return sl, nil
		}
	}
	return nil, fault.New(fault.NotFound, "find session", "no live session is called %.60q", id).WithHint("List the sessions to see which run.")
}

// renew goes on with the same log in another Session, whose turn is free.
func (sl *slot) renew(l *live) {
	dev, _, _ := sl.look()
	if err := l.leave(); err != nil {
		sl.hub.o.Log.Warn("session did not close cleanly", "session", l.sess.ID, "error", err)
	}
	sess, err := session.Open(context.WithoutCancel(sl.hub.life), session.Options{
		Root: sl.hub.o.Sessions, ID: l.sess.ID, Device: dev, Memory: l.sess.Memory, Version: sl.hub.o.Version, Now: sl.hub.o.Now, Resume: true,
	})
	if err != nil {
		sl.hub.o.Log.Warn("session could not be renewed", "session", l.sess.ID, "error", err)
		sl.mu.Lock()
		sl.live = nil
		sl.mu.Unlock()
		return
	}
	next := watch(sess, l.started, int(l.actions.Load()))
	next.steps.follow(&l.steps)
	next.observer = l.observer
	sl.seated(next)
}
