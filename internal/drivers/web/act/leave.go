package act

import (
	"context"
	"time"

	protopage "github.com/chromedp/cdproto/page"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/frames"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/network"
)

var _ driver.Leaver = (*Performer)(nil)

// watchLeaving notes that a tab's page asked for another document, also between actions.
func (p *Performer) watchLeaving(h *frames.Host) {
	mine := func(id string) bool { return h.Tab.Main != nil && string(h.Tab.Main.ID) == id }
	requested := func(e protopage.EventFrameRequestedNavigation) {
		if mine(string(e.FrameID)) && e.Disposition == protopage.ClientNavigationDispositionCurrentTab {
			h.Tab.Asked = true
		}
	}
	within := func(e protopage.EventNavigatedWithinDocument) {
		if mine(string(e.FrameID)) && !h.Tab.Main.Loading {
			h.Tab.Asked = false
		}
	}
	cdp.On(h.Session, protopage.FrameRequestedNavigation, frames.Locked(p.frames, requested))
	cdp.On(h.Session, protopage.NavigatedWithinDocument, frames.Locked(p.frames, within))
	cdp.On(h.Session, protopage.FrameStoppedLoading, frames.Locked(p.frames, func(e protopage.EventFrameStoppedLoading) {
		if mine(string(e.FrameID)) {
			h.Tab.Asked = false
		}
	}))
}

// Leave implements driver.Leaver: it waits for a navigation under way and reports it as an action
// of its own.
func (p *Performer) Leave(ctx context.Context) (*driver.Effect, error) {
	release, err := p.act(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	t, err := p.frames.Current()
	if err != nil {
		return nil, err
	}
	a := &action{p: p, t: t, token: tokens.Add(1), op: "wait for the page", began: time.Now()}
	p.awaitRequested(ctx, t)
	a.open()
	defer a.close()
	p.frames.Lock()
	a.before.navigations = t.Judged
	leaving := t.Leaving()
	if leaving {
		a.nav.asked[t.Main.ID], a.nav.started[t.Main.ID], a.nav.from[t.Main.ID] = true, true, t.Main.Loader
	}
	p.frames.Unlock()
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
func (p *Performer) awaitRequested(ctx context.Context, t *frames.Tab) {
	ctx, cancel := context.WithTimeout(ctx, settleCap)
	defer cancel()
	_ = p.frames.Await(ctx, "navigation to begin", func() (bool, error) {
		return !t.Asked || t.Leaving() || t.Closed(), nil
	})
	p.frames.Locked(func() { t.Asked = false })
}

// broke reports whether the request for the tab's next document failed, other than by being given up.
func (a *action) broke() bool {
	a.p.frames.Lock()
	defer a.p.frames.Unlock()
	if a.t.Main == nil {
		return false
	}
	id := a.t.Main.ID
	x := a.p.network.Newest(&a.t.Traffic, func(x *network.Exchange) bool { return x.Document(string(id)) })
	return x != nil && x.Loader != string(a.before.loaders[id]) && x.Error != "" && x.Error != "net::ERR_ABORTED"
}
