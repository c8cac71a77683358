package web

import (
	"context"
	"time"

	protopage "github.com/chromedp/cdproto/page"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/network"
)

var _ driver.Leaver = (*Device)(nil)

// watchLeaving notes that a tab's page asked for another document, also between actions.
func (d *Device) watchLeaving(h *host) {
	mine := func(id string) bool { return h.tab.main != nil && string(h.tab.main.id) == id }
	cdp.On(h.sess, protopage.FrameRequestedNavigation, locked(d, func(e protopage.EventFrameRequestedNavigation) {
		if mine(string(e.FrameID)) && e.Disposition == protopage.ClientNavigationDispositionCurrentTab {
			h.tab.asked = true
		}
	}))
	cdp.On(h.sess, protopage.NavigatedWithinDocument, locked(d, func(e protopage.EventNavigatedWithinDocument) {
		if mine(string(e.FrameID)) && !h.tab.main.loading {
			h.tab.asked = false
		}
	}))
	cdp.On(h.sess, protopage.FrameStoppedLoading, locked(d, func(e protopage.EventFrameStoppedLoading) {
		if mine(string(e.FrameID)) {
			h.tab.asked = false
		}
	}))
}

// Leave implements driver.Leaver: it waits for a navigation under way and reports it as an action
// of its own.
func (d *Device) Leave(ctx context.Context) (*driver.Effect, error) {
	release, err := d.act(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	t, err := d.current()
	if err != nil {
		return nil, err
	}
	a := &action{d: d, t: t, token: tokens.Add(1), op: "wait for the page", began: time.Now()}
	d.awaitRequested(ctx, t)
	a.open()
	defer a.close()
	d.mu.Lock()
	a.before.navigations = t.judged
	leaving := t.leaving()
	if leaving {
		a.nav.asked[t.main.id], a.nav.started[t.main.id], a.nav.from[t.main.id] = true, true, t.main.loader
	}
	d.mu.Unlock()
	s := driver.Settle{Reason: "quiet"}
	if leaving {
		arrived, done, err := a.arrive(ctx)
		if err != nil {
			return nil, err
		}
		if done {
			s = arrived
		}
	}
	return a.effect(nil, s), nil
}

// awaitRequested waits until the document that a page asked for is requested, or is there, or turns
// out to be none: a mail program, a download.
func (d *Device) awaitRequested(ctx context.Context, t *tab) {
	ctx, cancel := context.WithTimeout(ctx, settleCap)
	defer cancel()
	_ = d.await(ctx, "navigation to begin", func() (bool, error) { return !t.asked || t.leaving() || t.closed(), nil })
	d.locked(func() { t.asked = false })
}

// broke reports whether the request for the tab's next document failed, other than by being given up.
func (a *action) broke() bool {
	a.d.mu.Lock()
	defer a.d.mu.Unlock()
	if a.t.main == nil {
		return false
	}
	id := a.t.main.id
	x := a.d.network.Newest(&a.t.traffic, func(x *network.Exchange) bool { return x.Document(string(id)) })
	return x != nil && x.Loader != string(a.before.loaders[id]) && x.Error != "" && x.Error != "net::ERR_ABORTED"
}
