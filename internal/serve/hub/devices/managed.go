package devices

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/memory/mask"
)

// managed is a managed device: an entry that is created on first use, and whose browser or phone
// may be opened and closed many times. Only the call that has its lease changes it; mu is for
// readers.
type managed struct {
	id     string
	pool   *Pool
	queue  queue
	health health

	mu      sync.Mutex
	spec    Spec
	dev     driver.Device // nil: none is open
	info    driver.Info
	opening bool
	res     *reservation  // nil: no client of the pool has it alone
	wanted  int           // calls that are about to use it
	used    time.Time     // when a call last wanted it
	sess    *Session      // nil: none records
	orphan  *orphan       // a session without a device, to be continued
	past    *memory.Store // of the newest session: its secrets stay secret for as long as the entry lives
	notices []notice
	why     string // the session will be left, for the daemon that continues it
	url     string // the page that was last open
}

// notice is given once to every client that used the device before it was made.
type notice struct {
	text     string
	at       time.Time
	informed map[string]bool // by client id
}

const maxNotices = 8

// notify leaves a notice for the clients of before now, except those that know.
func (d *managed) notify(text string, knows ...*clients.Client) {
	told := map[string]bool{}
	for _, c := range knows {
		told[c.ID()] = true
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.notices = append(d.notices, notice{text, d.pool.o.Now(), told})
	if len(d.notices) > maxNotices {
		d.notices = slices.Delete(d.notices, 0, 1)
	}
}

// noticesFor returns the notices that a client has not had yet.
func (d *managed) noticesFor(c *clients.Client) []string {
	created := c.State().Created
	d.mu.Lock()
	defer d.mu.Unlock()
	var out []string
	for _, n := range d.notices {
		if !n.informed[c.ID()] && !created.After(n.at) {
			n.informed[c.ID()] = true
			out = append(out, n.text)
		}
	}
	return out
}

// ID is the name of the device.
func (d *managed) ID() string { return d.id }

// Mask cuts out the secrets that sessions of the device know.
func (d *managed) Mask(text string) string {
	if m := d.memory(); m != nil {
		return m.Mask(text)
	}
	return text
}

func (d *managed) memory() *memory.Store {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.past
}

func (d *managed) device() driver.Device {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.dev
}

func (d *managed) session() *Session {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.sess
}

func (d *managed) platform() driver.Platform {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.info.Platform
}

// inUse reports whether a client can mean the device without naming it.
func (d *managed) inUse() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.dev != nil || d.orphan != nil || d.wanted > 0 || d.res != nil
}

func (d *managed) lastUsed() time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.used
}

// of is the workspace that the device belongs to, and the program whose own it is.
func (d *managed) of() (workspace, owner string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.spec.Workspace, d.spec.Owner
}

// idleSince reports whether no call has wanted the device since then.
func (d *managed) idleSince(then time.Time) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.wanted == 0 && d.res == nil && d.used.Before(then)
}

// want keeps the entry for a workspace and its owner. It forgets how another one opened a device that is closed.
func (d *managed) want(workspace, owner string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	unused := d.dev == nil && d.orphan == nil && d.wanted == 0 && d.res == nil
	if unused && (d.spec.Workspace != workspace || d.spec.Owner != owner) {
		d.spec, d.notices = Spec{ID: d.id, Workspace: workspace, Owner: owner}, nil
	}
	d.wanted++
	d.used = d.pool.o.Now()
}

func (d *managed) unwant() {
	d.mu.Lock()
	d.wanted--
	d.used = d.pool.o.Now()
	if d.wanted == 0 && d.res != nil && d.res.why != "" {
		d.pool.work.Go(d.res.handOver)
	}
	d.mu.Unlock()
	d.pool.freed.Wake()
}

// gone asks a device whether it is dead, without waiting for it.
func gone(dev driver.Device) bool {
	l, ok := driver.As[driver.Lifeline](dev)
	return ok && l.Gone()
}

// drop gives up a device that is of no use any more. Its session is orphaned until a device is opened again; every
// client gets a notice. The caller has the lease.
func (d *managed) drop(why string) {
	d.mu.Lock()
	dev, s, url := d.dev, d.sess, d.url
	d.dev, d.sess = nil, nil
	if s != nil {
		d.orphan = s.orphaned(url, why)
	}
	reserved := d.res != nil
	d.mu.Unlock()
	if s != nil {
		if err := s.Leave(); err != nil {
			d.pool.o.Log.Warn("session did not close cleanly", "session", s.ID, "error", err)
		}
	}
	if dev != nil && reserved {
		d.health.noteApps(dev)
	}
	if dev != nil { // a dead device may take its time to close
		d.pool.work.Go(func() { _ = dev.Close() })
	}
	d.notify(d.id + " had to be opened anew: " + why +
		". What was not saved is gone: cookies, what was typed into forms, the state of the page.")
	d.pool.save()
}

// dropGone gives up a device that has died. The caller has the lease.
func (d *managed) dropGone() {
	if dev := d.device(); dev != nil && gone(dev) {
		d.drop("its browser or phone died")
	}
}

// end ends the session and closes the device. A login state that was given goes with it: the next
// client that opens the device may be another. The caller has the lease, or no call can have it any
// more.
func (d *managed) end(outcome event.Outcome, why error) error {
	d.mu.Lock()
	dev, s, orphan := d.dev, d.sess, d.orphan
	d.dev, d.sess, d.orphan, d.url = nil, nil, nil, ""
	d.spec.StorageState = nil
	d.mu.Unlock()
	var errs []error
	if s != nil {
		errs = append(errs, s.CloseWith(outcome, why))
	}
	if orphan != nil {
		errs = append(errs, d.pool.endOrphan(orphan, why))
	}
	if dev != nil {
		errs = append(errs, dev.Close())
	}
	d.pool.save()
	d.pool.freed.Wake()
	return errors.Join(errs...)
}

// shut is end for a pool that closes.
func (d *managed) shut() {
	if err := d.end(event.Passed, nil); err != nil {
		d.pool.o.Log.Warn("device did not end cleanly", "device", d.id, "error", err)
	}
	d.giveBack()
}

// leaving notes why the session will be left.
func (d *managed) leaving(why string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.orphan == nil && d.sess != nil {
		d.why = why
	}
}

// saved is the device as the file keeps it; ok is false when there is nothing to keep.
func (d *managed) saved() (o openDevice, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	o = openDevice{Spec: d.spec, Orphan: d.orphan}
	if s := d.sess; s != nil {
		o.Orphan = &orphan{Session: s.ID, Title: s.title(), Dir: s.Dir, URL: d.url, Started: s.started, Why: d.why}
	}
	return o, d.dev != nil || o.Orphan != nil
}

// locate notes which page is open, when the device can say so without being asked.
func (d *managed) locate(ctx context.Context, mem *memory.Store) {
	dev := d.device()
	nav, ok := driver.As[driver.Navigator](dev)
	if dev == nil || !ok {
		return
	}
	url, err := nav.URL(ctx)
	if err != nil {
		return
	}
	url = mem.Mask(url)
	d.mu.Lock()
	moved := url != d.url
	d.url = url
	d.mu.Unlock()
	if moved {
		d.pool.save()
	}
}

// masked reports whether a secret was cut out of a text.
func masked(text string) bool { return strings.Contains(text, mask.Masked) }
