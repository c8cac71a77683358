package web

import (
	"context"
	"errors"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
)

// awaitUsable waits until the tab can be used after a navigation, as usable says: all of the document has arrived. A
// document that does not stop arriving (a server that trickles, a script in its middle that hangs) can be used once it
// shows something: partial says so. usable is called with Device.mu held.
func (a *action) awaitUsable(ctx context.Context, usable func() (bool, error)) (partial bool, err error) {
	d := a.d
	for {
		var done bool
		var doc *document
		look := func() (bool, error) {
			var err error
			done, err = usable()
			m := a.t.main
			if doc = nil; m != nil && m.loader != a.before.loaders[m.id] {
				doc = m.doc
			}
			return done, err
		}
		if err := d.await(ctx, "page to load", func() (bool, error) {
			ok, err := look()
			return ok || doc != nil, err
		}); err != nil || done {
			return false, err
		}
		first := doc
		more, cancel := context.WithTimeout(ctx, requestCap)
		err := d.await(more, "page to load", func() (bool, error) {
			ok, err := look()
			return ok || doc != first, err
		})
		slow := more.Err() != nil
		cancel()
		switch {
		case err == nil && done:
			return false, nil
		case err == nil:
			continue
		case !slow || ctx.Err() != nil:
			return false, err
		}
		switch err := a.ask(ctx, first, nil, "legible"); {
		case ctx.Err() != nil:
			return false, fault.Wrap(ctx.Err(), "", "wait for page to load")
		case err == nil:
			d.locked(func() { _, err = look(); partial = !done && doc == first; a.t.letArrive(first) })
			if err != nil || done || partial {
				return partial, err
			}
		case !errors.Is(err, errGone) && !errors.Is(err, errDialog) && !errors.Is(err, errClosed):
			return false, err
		}
	}
}

// letArrive stops waiting for the end of a document that can be used without it. Device.mu is held.
func (t *tab) letArrive(doc *document) {
	for id, x := range t.net.open {
		if x.Type == "document" && x.frame == string(doc.frame.id) && x.loader == string(doc.frame.loader) {
			delete(t.net.open, id)
		}
	}
}

// arriving is s for a tab whose document goes on arriving.
func (t *tab) arriving(s driver.Settle) driver.Settle {
	t.dev.mu.Lock()
	defer t.dev.mu.Unlock()
	if t.main != nil && (s.Reason == "navigated" || s.Reason == "busy") {
		s.Reason = "busy"
		s.Pending = append(s.Pending, "the rest of "+shorten(t.main.url))
	}
	return s
}
