package devices

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// Wish describes a device that a client asks to have alone.
type Wish struct {
	Device   string            // its id, its platform, or a pattern of ids: android/*
	Requires map[string]string // as config.requires of a trail
	Limit    time.Duration     // the device is given back after this time without a call on it; 0: keepOwn
	Wait     time.Duration     // for a device that others have

	failed map[string]error // why devices could not be opened
}

// reservation keeps a device for one client.
type reservation struct {
	by    *clients.Client
	since time.Time
	limit time.Duration
	timer *time.Timer
	over  bool // the device is being closed for the next client
}

// line holds the clients that wait for a reservation. Each client has its turn: who asks for many devices waits
// longer for the next than who asks for one. The pool's choosing is held.
type line struct {
	waiting []*waiting
	turn    int            // of the reservation that was made last
	next    map[string]int // turn of a client's next wish, by its id
}

type waiting struct {
	by   *clients.Client
	turn int
	fits []string // ids of devices
}

// join adds a client behind those whose turn comes before.
func (l *line) join(by *clients.Client) *waiting {
	if l.next == nil {
		l.next = map[string]int{}
	}
	for id, turn := range l.next {
		if turn <= l.turn {
			delete(l.next, id)
		}
	}
	w := &waiting{by: by, turn: max(l.turn, l.next[by.ID()])}
	l.next[by.ID()] = w.turn + 1
	i := 0
	for i < len(l.waiting) && l.waiting[i].turn <= w.turn {
		i++
	}
	l.waiting = slices.Insert(l.waiting, i, w)
	return w
}

// leave takes a client out. One that got nothing keeps its turn.
func (l *line) leave(w *waiting, served bool) {
	l.waiting = slices.DeleteFunc(l.waiting, func(v *waiting) bool { return v == w })
	if served {
		l.turn = max(l.turn, w.turn)
	} else {
		l.next[w.by.ID()]--
	}
}

// before reports whether a client waits for a device whose turn comes before.
func (l *line) before(w *waiting, id string) bool {
	for _, v := range l.waiting {
		if v == w {
			return false
		}
		if slices.Contains(v.fits, id) {
			return true
		}
	}
	return false
}

// Reserve opens a device that fits a wish, makes it the client's and refuses it to others, until the client
// disconnects it or makes no call on it for the limit. While others have all that fit, the call waits for its turn. A
// device that cannot be opened is left out.
func (p *Pool) Reserve(c *calls.Call, wish Wish) (Status, error) {
	const op = "reserve device"
	wish.failed = map[string]error{}
	for {
		d, err := p.awaitTurn(c, wish)
		if err != nil {
			return Status{}, fault.Wrap(err, "", op)
		}
		c.PlaceAt(d)
		if err = p.connect(c, d.id, Spec{ID: d.id}); err == nil {
			c.Ran(d.id, d.platform(), "")
			return d.status(), c.Client().Bind(d.id)
		}
		wish.failed[d.id] = err
		d.giveBack()
		p.freed.Wake()
		if c.Context().Err() != nil || wish.Device == defaultID {
			return Status{}, fault.Wrap(err, "", op)
		}
		c.Warn("%s is left out: %v", d.id, err)
	}
}

// awaitTurn waits for a device that fits and is free, and keeps it for the client.
func (p *Pool) awaitTurn(c *calls.Call, wish Wish) (d *managed, err error) {
	ctx, cancel := context.WithTimeout(c.Context(), wish.Wait)
	defer cancel()
	p.choosing.Lock()
	me := p.line.join(c.Client())
	p.choosing.Unlock()
	defer func() {
		p.choosing.Lock()
		p.line.leave(me, d != nil)
		p.choosing.Unlock()
		p.freed.Wake()
	}()
	for {
		changed := p.freed.Next()
		fits, err := wish.fitting(c.Context(), p)
		if err != nil {
			return nil, err
		}
		if d := p.take(me, fits, wish); d != nil {
			return d, nil
		}
		have := make([]string, len(fits))
		for i, id := range fits {
			have[i] = p.find(id).had()
		}
		if ctx.Err() == nil {
			c.Tell(calls.Progress{Event: "waiting", Message: "waiting for a device: " + strings.Join(have, "; ")})
		}
		select {
		case <-changed:
		case <-ctx.Done():
			if err := context.Cause(c.Context()); err != nil {
				return nil, fault.Wrap(err, fault.KindOf(err), "wait for "+wish.Device)
			}
			return nil, fault.New(fault.Busy, "", "no device for %s is free: %s", wish.Device, strings.Join(have, "; ")).
				WithHint("Wait for longer, or have one of these clients disconnect its device.")
		}
	}
}

// take keeps the first free device of these for a client whose turn it is.
func (p *Pool) take(me *waiting, fits []string, wish Wish) *managed {
	p.choosing.Lock()
	defer p.choosing.Unlock()
	me.fits = fits
	if wish.Device == defaultID {
		me.fits, fits = nil, []string{p.freeID(me.by.State().Workspace)}
	}
	for _, id := range fits {
		if d := p.find(id); !p.line.before(me, id) && d.keep(me.by, wish) {
			p.forgetUnused()
			return d
		}
	}
	return nil
}

// fitting lists the ids of the devices that fit a wish, whether free or not. A name that is no pattern fits itself.
func (wish Wish) fitting(ctx context.Context, p *Pool) ([]string, error) {
	pattern := wish.Device
	if pattern == string(driver.AndroidPlatform) {
		pattern += "/*"
	}
	var ids []string
	if !strings.ContainsAny(pattern, "*?[") {
		id, err := idOf(pattern)
		if err != nil {
			return nil, err
		}
		ids = []string{id}
	} else {
		if _, err := path.Match(pattern, ""); err != nil {
			return nil, fault.New(fault.Invalid, "", "%q is not a pattern", pattern)
		}
		for _, st := range p.Devices(ctx) {
			if ok, _ := path.Match(pattern, st.ID); ok {
				ids = append(ids, st.ID)
			}
		}
	}
	for id, err := range wish.failed {
		ids = slices.DeleteFunc(ids, func(s string) bool { return s == id })
		if len(ids) == 0 {
			return nil, err
		}
	}
	fits, unfit := ids, []string{"none is connected"}
	if len(wish.Requires) > 0 && len(ids) > 0 {
		fits, unfit = nil, nil
		c := trail.Config{Requires: wish.Requires}
		for _, id := range ids {
			if unmet := c.Unmet(p.o.Provider.Facts(ctx, id)); unmet != "" {
				unfit = append(unfit, id+" has not "+unmet)
				continue
			}
			fits = append(fits, id)
		}
	}
	if len(fits) == 0 {
		return nil, fault.New(fault.NotFound, "", "no device fits %s: %s", wish.Device, strings.Join(unfit, "; ")).
			WithHint("`trailblaze device list --all` shows what is connected.")
	}
	return fits, nil
}

// keep reserves a device that nothing has, or that only this client has. One that it names and has reserved gets
// another limit. choosing is held.
func (d *managed) keep(by *clients.Client, wish Wish) bool {
	limit := cmp.Or(wish.Limit, keepOwn)
	mine := by.State().Device == d.id
	holder, _ := d.queue.current()
	d.mu.Lock()
	defer d.mu.Unlock()
	if r := d.res; r != nil && r.by.ID() == by.ID() && !r.over && wish.Device == d.id {
		r.limit, d.used = limit, d.pool.o.Now()
		r.timer.Reset(limit)
		return true
	}
	closed := d.dev == nil && d.orphan == nil && d.wanted == 0
	if d.res != nil || !closed && (!mine || holder != nil && holder.ID() != by.ID()) {
		return false
	}
	if closed {
		st := by.State()
		d.spec, d.notices = Spec{ID: d.id, Workspace: st.Workspace, Owner: st.Owner()}, nil
	}
	now := d.pool.o.Now()
	r := &reservation{by: by, since: now, limit: limit}
	r.timer = time.AfterFunc(limit, func() { d.expire(r) })
	d.res, d.used = r, now
	return true
}

// expire gives a device back that its client has left, closed for the next one.
func (d *managed) expire(r *reservation) {
	p := d.pool
	p.choosing.Lock()
	defer p.choosing.Unlock()
	d.mu.Lock()
	defer d.mu.Unlock()
	idle := p.o.Now().Sub(d.used)
	switch {
	case d.res != r || p.life.Err() != nil:
	case d.wanted > 0:
		r.timer.Reset(r.limit)
	case idle < r.limit:
		r.timer.Reset(r.limit - idle)
	default:
		r.over = true
		p.work.Go(func() {
			d.shut()
			d.notify(d.id + " was given back and closed: " + r.by.Label() + " made no call on it for " +
				calls.DurationText(r.limit) + ".")
			p.freed.Wake()
		})
	}
}

// giveBack ends the reservation of a device.
func (d *managed) giveBack() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.res != nil {
		d.res.timer.Stop()
		d.res = nil
	}
}

// refuse returns an error for a client, by its id, when another has the device alone, or when its time there is over.
func (d *managed) refuse(client string) error {
	d.mu.Lock()
	free := d.res == nil || d.res.by.ID() == client && !d.res.over
	d.mu.Unlock()
	if free {
		return nil
	}
	f := fault.New(fault.Busy, "use device", "%s", d.had())
	f.Device = d.id
	return f.WithHint("Reserve a device yourself, or work on another: connect web/NAME and use that.")
}

// had says who has a device since when.
func (d *managed) had() string {
	holder, _ := d.queue.current()
	d.mu.Lock()
	defer d.mu.Unlock()
	switch r := d.res; {
	case r != nil && r.over:
		return d.id + " is being closed"
	case r != nil:
		return fmt.Sprintf("%s is reserved by %s (client %s) for %s now, until it makes no call for %s", d.id,
			r.by.Label(), r.by.Short(), calls.DurationText(d.pool.o.Now().Sub(r.since)), calls.DurationText(r.limit))
	case holder != nil:
		return fmt.Sprintf("%s is used by %s (client %s)", d.id, holder.Label(), holder.Short())
	case d.dev != nil || d.orphan != nil || d.wanted > 0:
		return d.id + " is open"
	}
	return d.id + " is free"
}
