package devices

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
	"github.com/trailblaze-dev/trailblaze/memory"
)

// inherit takes over what lost daemons left behind, and those that made way only now. Nothing is
// opened before it is needed.
func (p *Pool) inherit(starting bool) {
	entries := p.file.inherit(p.o.Log, starting)
	if len(entries) == 0 {
		return
	}
	for _, entry := range entries {
		id, err := idOf(entry.Spec.ID)
		if err != nil {
			continue
		}
		p.choosing.Lock() // or the device may be forgotten before it has what it inherits
		taken := p.find(id).inherit(entry)
		p.choosing.Unlock()
		if taken || entry.Orphan == nil {
			continue
		}
		if err := p.endOrphan(entry.Orphan, errLost); err != nil {
			p.o.Log.Warn("an orphaned session could not be ended", "session", entry.Orphan.Session, "error", err)
		}
	}
	p.save()
}

// inherit takes over what a lost daemon had under this id, unless something newer is there already
// or it is too old: then its session is over.
func (d *managed) inherit(entry openDevice) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.dev != nil || d.sess != nil || d.orphan != nil || entry.Orphan != nil && entry.Orphan.old(d.pool.o.Now()) {
		return false
	}
	entry.Spec.ID = d.id
	d.spec = entry.Spec
	if entry.Orphan != nil {
		o := *entry.Orphan
		o.daemon, o.Why = true, cmp.Or(o.Why, "the daemon was lost")
		d.orphan, d.url = &o, o.URL
	}
	return true
}

var errLost = fault.New(fault.Unavailable, "", "the daemon was lost and nobody came back to the session")

// endOrphan ends a session that is not continued.
func (p *Pool) endOrphan(o *orphan, why error) error {
	sess, err := session.Open(context.WithoutCancel(p.life), session.Options{
		Root: p.o.Sessions, ID: o.Session, Resume: true,
	})
	if err != nil {
		return err
	}
	outcome := event.Passed
	if why != nil {
		outcome = event.Broken
	}
	return sess.CloseWith(outcome, why)
}

// resume continues an orphaned session on a fresh device, opens its last page, and reports the missing parts: in the
// log once, and to every client that was here before. A call that ends meanwhile, or a device that dies, leaves the
// session for the next call to continue.
func (d *managed) resume(
	ctx context.Context, c *calls.Call, start func() *memory.Store, dev driver.Device, was *orphan,
) (*Session, error) {
	c.Publish(calls.Progress{Event: "device", Message: "going back to " + was.URL})
	page, err := reopen(ctx, dev, was.URL)
	if err != nil {
		return nil, err
	}
	mem := was.memory
	if mem == nil {
		mem = start()
	}
	sess, err := session.Open(ctx, session.Options{
		Root: d.pool.o.Sessions, ID: was.Session, Device: dev, Memory: mem, Version: d.pool.o.Version,
		Now: d.pool.o.Now, Resume: true,
	})
	if err != nil {
		return nil, err
	}
	h, err := readHistory(sess.Log)
	if err != nil {
		_ = sess.Leave()
		return nil, err
	}
	s := track(sess, was.Started, h.actions)
	s.steps.next = h.steps
	if h.step != nil {
		_, _ = sess.Log.Append(event.Event{Type: event.StepEnded, Step: &event.Step{
			Index: h.step.Index, Kind: h.step.Kind, Text: h.step.Text, Outcome: event.Undecided,
		}})
	}
	text := interruption(was, h, page)
	note := event.Event{Type: event.Note, Note: &event.NoteText{Level: "warning", Text: text}}
	if _, err := sess.Log.Append(note); err != nil {
		_ = sess.Leave()
		return nil, err
	}
	if was.daemon {
		d.notify(text)
	}
	d.mu.Lock()
	d.url = was.URL // until a call ends: the device may die before
	d.mu.Unlock()
	return d.install(s), nil
}

// reopenTimeout bounds opening the last page again: a site that is down must not keep the client
// from its session.
const reopenTimeout = 10 * time.Second

// reopen opens the last page again and says, when that cannot be, why. It fails when it cannot be known, because the
// call ended or the device died.
func reopen(ctx context.Context, dev driver.Device, url string) (string, error) {
	nav, ok := driver.As[driver.Navigator](dev)
	switch {
	case url == "" || strings.HasPrefix(url, "about:"):
		return "No page was open.", nil
	case !ok:
		return "Open where you were again.", nil
	case masked(url):
		return "The last page was not opened again, because its address holds a secret.", nil
	}
	back, cancel := context.WithTimeout(ctx, reopenTimeout)
	defer cancel()
	if _, err := nav.Navigate(back, driver.Navigation{URL: url}); err != nil {
		if ctx.Err() != nil || gone(dev) {
			return "", fault.Wrap(err, "", "open "+url+" again")
		}
		if back.Err() != nil && ctx.Err() == nil { // it may be the page itself that does not answer
			mend, done := context.WithTimeout(ctx, restoreTime)
			defer done()
			_, _ = interrupt(mend, dev)
		}
		return fmt.Sprintf("%s could not be opened again: %v.", url, err), nil
	}
	return fmt.Sprintf("%s was opened again.", url), nil
}
