package act

import (
	"context"
	"errors"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/frames"
)

// awaitUsable waits until the tab can be used after a navigation, as usable reports: all of the
// document has arrived. A document that does not stop arriving (a server that trickles, a script in
// its middle that hangs) can be used once it shows something; partial is true then. usable is
// called with the lock held.
func (a *action) awaitUsable(ctx context.Context, usable func() (bool, error)) (partial bool, err error) {
	w := arrival{a: a, usable: usable}
	for {
		if err := a.p.frames.Await(ctx, "page to load", func() (bool, error) {
			ok, err := w.check()
			return ok || w.doc != nil, err
		}); err != nil || w.done {
			return false, err
		}
		first := w.doc
		more, cancel := context.WithTimeout(ctx, requestCap)
		err := a.p.frames.Await(more, "page to load", func() (bool, error) {
			ok, err := w.check()
			return ok || w.doc != first, err
		})
		slow := more.Err() != nil
		cancel()
		switch {
		case err == nil && w.done:
			return false, nil
		case err == nil:
			continue
		case !slow || ctx.Err() != nil:
			return false, err
		}
		if partial, err = w.shows(ctx, first); err != nil || w.done || partial {
			return partial, err
		}
	}
}

// arrival is a wait for a document. The lock guards it.
type arrival struct {
	a      *action
	usable func() (bool, error)
	done   bool             // the tab can be used
	doc    *frames.Document // the new document of the main frame, as far as it has arrived
}

// check reports whether the tab can be used now. The lock is held.
func (w *arrival) check() (ok bool, err error) {
	w.done, err = w.usable()
	m := w.a.t.Main
	if w.doc = nil; m != nil && m.Loader != w.a.before.loaders[m.ID] {
		w.doc = m.Document
	}
	return w.done, err
}

// shows waits until a document that is slow to arrive shows something. It reports false when the
// document was replaced or has arrived meanwhile.
func (w *arrival) shows(ctx context.Context, doc *frames.Document) (yes bool, err error) {
	err = w.a.ask(ctx, doc, nil, "legible")
	switch {
	case ctx.Err() != nil:
		return false, fault.Wrap(ctx.Err(), "", "wait for page to load")
	case errors.Is(err, frames.ErrGone) || errors.Is(err, errDialog) || errors.Is(err, errClosed):
		return false, nil
	case err != nil:
		return false, err
	}
	w.a.p.frames.Locked(func() {
		_, err = w.check()
		yes = !w.done && w.doc == doc
		w.a.t.LetArrive(doc)
	})
	return yes && err == nil, err
}

// arriving returns s for a tab whose document is still arriving.
func (p *Performer) arriving(t *frames.Tab, s driver.Settle) driver.Settle {
	p.frames.Lock()
	defer p.frames.Unlock()
	if t.Main != nil && (s.Reason == "navigated" || s.Reason == "busy") {
		s.Reason = "busy"
		s.Pending = append(s.Pending, "the rest of "+cdp.ShortURL(t.Main.URL))
	}
	return s
}
