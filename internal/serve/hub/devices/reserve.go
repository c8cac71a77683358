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
	Held     bool              // as long as the call lasts, and opened by another process

	failed map[string]error // why devices could not be opened
}

// reservation is what a pool keeps, beside the ledger, of a device that a client of its own has alone.
type reservation struct {
	of    *managed
	by    *clients.Client
	limit time.Duration
	timer *time.Timer // nil without a limit
	why   string      // the client is done with the device, which is being closed for the next one; "" until then
}

// Reserve opens a device that fits a wish, makes it the client's and refuses it to others, until the client
// disconnects it, its connection ends, or it makes no call on the device for the limit. While others have all that
// fit, the call waits for its turn. A device that cannot be opened is left out. One that is held is not opened, and
// kept until the call ends.
func (p *Pool) Reserve(c *calls.Call, wish Wish) (Status, error) {
	const op = "reserve device"
	if wish.Held {
		return Status{}, fault.Wrap(wish.hold(p, c), "", op)
	}
	wish.failed = map[string]error{}
	for {
		d, err := p.awaitTurn(c, wish)
		if err != nil {
			return Status{}, fault.Wrap(err, "", op)
		}
		c.PlaceAt(d)
		err = p.connect(c, d.id, Spec{ID: d.id})
		d.unwant()
		if err == nil {
			c.Ran(d.id, d.platform(), "")
			return d.status(), c.Client().Bind(d.id)
		}
		wish.failed[d.id] = err
		d.giveBack()
		if c.Context().Err() != nil || wish.Device == defaultID {
			return Status{}, fault.Wrap(err, "", op)
		}
		c.Warn("%s is left out: %v", d.id, err)
	}
}

// hold keeps a device until the call ends. The progress of the call says which device it is.
func (wish Wish) hold(p *Pool, c *calls.Call) error {
	d, err := p.awaitTurn(c, wish)
	if err != nil {
		return err
	}
	d.unwant()
	defer d.giveBack()
	c.Tell(calls.Progress{Event: "reserved", Message: d.id})
	<-c.Context().Done()
	return fault.Wrap(context.Cause(c.Context()), fault.Canceled, "")
}

// awaitTurn waits for a device that fits and is free, and keeps it for the client. It is wanted until unwant: a limit
// that is shorter than the way to the device does not end before it is open.
func (p *Pool) awaitTurn(c *calls.Call, wish Wish) (d *managed, err error) {
	ctx, cancel := context.WithTimeout(c.Context(), wish.Wait)
	defer cancel()
	me := p.o.Ledger.Join(c.Client().ID())
	defer func() { p.o.Ledger.Leave(me, d != nil) }()
	for {
		changed, freed := p.o.Ledger.Changed(), p.freed.Next()
		fits, err := wish.fitting(c.Context(), p)
		if err != nil {
			return nil, err
		}
		if d := p.take(me, c.Client(), fits, wish); d != nil {
			return d, nil
		}
		have := make([]string, len(fits))
		for i, id := range fits {
			have[i] = p.find(id).had()
		}
		if wish.Device == defaultID {
			have = []string{p.browsers.full(p.all())}
		}
		if ctx.Err() == nil {
			c.Tell(calls.Progress{Event: "waiting", Message: "waiting for a device: " + strings.Join(have, "; ")})
		}
		select {
		case <-changed:
		case <-freed:
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
func (p *Pool) take(ticket string, by *clients.Client, fits []string, wish Wish) *managed {
	p.choosing.Lock()
	defer p.choosing.Unlock()
	free := fits
	if wish.Device == defaultID {
		if fits, free = nil, []string{p.freeID(by.State().Workspace)}; p.browsers.full(p.all()) != "" {
			free = nil
		}
	}
	free = slices.DeleteFunc(slices.Clone(free), func(id string) bool { return !wish.mayTake(p.find(id), by) })
	limit := cmp.Or(wish.Limit, keepOwn)
	if wish.Held {
		limit = 0
	}
	id := p.o.Ledger.Take(ticket, fits, free, Holding{
		Client: by.ID(), Short: by.Short(), Label: by.Label(), Since: p.o.Now(), Limit: limit,
	})
	if id == "" {
		return nil
	}
	d := p.find(id)
	keep(d, by, limit)
	p.forgetUnused()
	return d
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
		var err error
		if ids, err = wish.healthy(p, ids); err != nil {
			return nil, err
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

// mayTake reports whether a client can get a device of the pool that no other client has alone: one that nothing uses,
// or that only this client uses, or that it names and has already. Who opens it itself gets an open one, too.
func (wish Wish) mayTake(d *managed, by *clients.Client) bool {
	mine := by.State().Device == d.id
	holder, _ := d.queue.current()
	d.mu.Lock()
	defer d.mu.Unlock()
	if r := d.res; r != nil {
		return r.by.ID() == by.ID() && r.why == "" && r.timer != nil && wish.Device == d.id && !wish.Held
	}
	closed := d.dev == nil && d.orphan == nil && d.wanted == 0
	return closed || wish.Held || mine && (holder == nil || holder.ID() == by.ID())
}

// keep notes that a client of the pool has a device alone, and wants it. One that had it already gets another limit.
func keep(d *managed, by *clients.Client, limit time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.used = d.pool.o.Now()
	unused := d.dev == nil && d.orphan == nil && d.wanted == 0
	d.wanted++
	if r := d.res; r != nil {
		r.limit = limit
		r.timer.Reset(limit)
		return
	}
	if unused {
		st := by.State()
		d.spec, d.notices = Spec{ID: d.id, Workspace: st.Workspace, Owner: st.Owner()}, nil
	}
	r := &reservation{of: d, by: by, limit: limit}
	if limit > 0 {
		r.timer = time.AfterFunc(limit, r.expire)
	}
	d.res = r
}

// expire takes a device from a client that has made no call on it for its limit.
func (r *reservation) expire() {
	d := r.of
	d.pool.choosing.Lock()
	defer d.pool.choosing.Unlock()
	d.mu.Lock()
	idle, limit := d.pool.o.Now().Sub(d.used), r.limit
	if d.wanted > 0 {
		idle = 0
	}
	early := idle < limit
	if early && d.res == r {
		r.timer.Reset(limit - idle)
	}
	d.mu.Unlock()
	if !early {
		r.dismiss(r.by.Label() + " made no call on it for " + calls.DurationText(limit))
	}
}

// dismiss has the device closed for the next client as soon as no call is on it. Its client is refused from now on.
// The pool's choosing is held.
func (r *reservation) dismiss(why string) {
	d := r.of
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.res != r || r.why != "" || d.pool.life.Err() != nil {
		return
	}
	r.why = why
	if d.wanted == 0 {
		d.pool.work.Go(r.handOver)
	}
}

// handOver closes a device whose client was dismissed, and gives it back.
func (r *reservation) handOver() {
	d := r.of
	d.clean()
	d.notify(d.id + " was given back and closed: " + r.why + ".")
	d.shut()
	d.mu.Lock()
	r.why = ""
	d.mu.Unlock()
	d.giveBack()
}

// leftBy has the device closed for the next client when this one had it alone.
func (d *managed) leftBy(c *clients.Client) {
	d.pool.choosing.Lock()
	defer d.pool.choosing.Unlock()
	d.mu.Lock()
	r := d.res
	d.mu.Unlock()
	if r != nil && r.by == c {
		r.dismiss(c.Label() + " has gone")
	}
}

// giveBack ends the reservation of a device, unless it is being handed over.
func (d *managed) giveBack() {
	d.mu.Lock()
	r := d.res
	if r == nil || r.why != "" {
		d.mu.Unlock()
		return
	}
	if r.timer != nil {
		r.timer.Stop()
	}
	d.res = nil
	d.mu.Unlock()
	d.pool.o.Ledger.Give(d.id)
}

// refuse returns an error for a client, by its id, when another has the device alone, or when its time there is over.
func (d *managed) refuse(client string) error {
	h, held := d.pool.o.Ledger.Holding(d.id)
	d.mu.Lock()
	over := d.res != nil && d.res.why != ""
	d.mu.Unlock()
	if !held || h.Client == client && !over {
		return nil
	}
	f := fault.New(fault.Busy, "use device", "%s", d.had())
	f.Device = d.id
	return f.WithHint("Reserve a device yourself, or work on another: connect web/NAME and use that.")
}

// had says who has a device since when.
func (d *managed) had() string {
	holder, _ := d.queue.current()
	h, held := d.pool.o.Ledger.Holding(d.id)
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.res != nil && d.res.why != "":
		return d.id + " is being closed"
	case held:
		until := "its work ends"
		if h.Limit > 0 {
			until = "it makes no call for " + calls.DurationText(h.Limit)
		}
		return fmt.Sprintf("%s is reserved by %s (client %s) for %s now, until %s", d.id, h.Label, h.Short,
			calls.DurationText(d.pool.o.Now().Sub(h.Since)), until)
	case holder != nil:
		return fmt.Sprintf("%s is used by %s (client %s)", d.id, holder.Label(), holder.Short())
	case d.dev != nil || d.orphan != nil || d.wanted > 0:
		return d.id + " is open"
	}
	if q, yes := d.health.quarantined(); yes {
		return d.id + " is quarantined: " + q.why
	}
	return d.id + " is free"
}
