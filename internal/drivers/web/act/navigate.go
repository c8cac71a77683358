package act

import (
	"context"
	"errors"
	"strings"
	"time"

	proto "github.com/chromedp/cdproto/cdp"
	protopage "github.com/chromedp/cdproto/page"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/frames"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/network"
)

// downloadGrace limits the time between the end of a navigation and the announcement of its download.
const downloadGrace = time.Second

// maxAttempts limits the tries of a call that a leaving page made fail.
const maxAttempts = 3

// Navigate implements driver.Navigator.
func (p *Performer) Navigate(ctx context.Context, n driver.Navigation) (*driver.Effect, error) {
	release, err := p.act(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	t, err := p.navigable(ctx, n)
	if err != nil {
		return nil, err
	}
	for try := 1; ; try++ {
		e, gone, err := p.navigate(ctx, t, n)
		if !gone || try == maxAttempts {
			return e, err
		}
	}
}

// navigable is the tab that a navigation is for. A crashed tab gets a new process by navigating;
// when no tab is open, an address opens one.
func (p *Performer) navigable(ctx context.Context, n driver.Navigation) (*frames.Tab, error) {
	p.frames.Lock()
	t := p.frames.Active
	p.frames.Unlock()
	if t != nil {
		return t, nil
	}
	t, err := p.frames.Current()
	if fault.KindOf(err) == fault.NotFound && n.URL != "" && p.mayOpen(n.URL) == nil {
		return p.newTab(ctx)
	}
	return t, err
}

// navigate navigates once. gone says that the browser gave the navigation up and no other page
// came: it does so when the process that it chose for the new page is about to end. Such a process
// is one for the site that crashed, which the browser starts again also for an empty page, and ends
// when nothing uses it.
func (p *Performer) navigate(
	ctx context.Context, t *frames.Tab, n driver.Navigation,
) (e *driver.Effect, gone bool, err error) {
	w := p.beginNavigation(t)
	defer w.end()
	if err = p.startNavigation(ctx, t, n, w); err == nil {
		e, err = p.finishNavigation(ctx, t, w)
	}
	p.frames.Lock()
	defer p.frames.Unlock()
	return e, err != nil && p.gaveUp(t, w), err
}

// navigating is a navigation under way: the state of the tab before it, and the browser's reports about it.
type navigating struct {
	began       time.Time
	op          string
	from        string
	navigations uint64
	sameDoc     uint64
	downloads   int
	dialogs     int
	requests    uint64
	crashed     bool           // the page that is left
	loader      proto.LoaderID // the new document's, when it is known; "" means within the document, or not known
	within      bool           // stays in the document
	action      *action        // what the new document is settled with, as after any other action
	settled     bool           // nothing more will come: a download, no content
}

func (p *Performer) beginNavigation(t *frames.Tab) *navigating {
	p.frames.Lock()
	defer p.frames.Unlock()
	now := time.Now()
	w := &navigating{
		action: &action{p: p, t: t, token: tokens.Add(1), op: "navigate", began: now},
		began:  now, navigations: t.Navigations, sameDoc: t.SameDoc, downloads: p.downloads.Len(),
		dialogs: p.dialogs.Len(), requests: t.Traffic.Started(),
	}
	if t.Main != nil {
		w.from = t.Main.URL
	}
	w.crashed, t.Crashed = t.Crashed, false // whatever comes gets a new process
	w.action.noteBefore()
	w.action.nav = p.watchNavigation(t)
	return w
}

func (w *navigating) end() {
	w.action.nav.stop()
	w.action.p.frames.Lock()
	defer w.action.p.frames.Unlock()
	t := w.action.t
	t.Judged = t.Navigations
	t.Crashed = t.Crashed || w.crashed && t.Navigations == w.navigations // nothing came
	t.Traffic.EndAction(w.action.p.network.Seq())
}

func (p *Performer) startNavigation(ctx context.Context, t *frames.Tab, n driver.Navigation, w *navigating) error {
	switch n.Action {
	case "", "goto":
		w.op = "open " + n.URL
		return p.goTo(ctx, t, n, w)
	case "back":
		w.op = "go back"
		return p.travel(ctx, t, -1, w)
	case "forward":
		w.op = "go forward"
		return p.travel(ctx, t, +1, w)
	case "reload":
		w.op = "reload page"
		return fault.Wrap(cdp.Do(ctx, t.Session, protopage.Reload, protopage.ReloadParams{}), "", w.op)
	}
	return fault.New(fault.Invalid, "navigate", "no navigation is called %q", n.Action).
		WithHint("Use goto, back, forward or reload.")
}

func (p *Performer) goTo(ctx context.Context, t *frames.Tab, n driver.Navigation, w *navigating) error {
	if n.URL == "" {
		return fault.New(fault.Invalid, "open page", "the URL is empty")
	}
	if err := p.open(ctx, n.URL); err != nil {
		return err
	}
	res, err := cdp.Call(ctx, t.Session, protopage.Navigate, protopage.NavigateParams{URL: n.URL, Referrer: n.Referer})
	if err != nil {
		var e *cdp.Error
		if errors.As(err, &e) && strings.Contains(e.Message, "invalid URL") {
			return fault.New(fault.Invalid, w.op, "not a URL the browser can open").
				WithHint("Write the whole address, with https://.")
		}
		return fault.Wrap(err, "", w.op)
	}
	switch {
	case res.IsDownload:
		w.settled = true
		return p.awaitDownload(ctx, w)
	case res.ErrorText != "":
		return p.navigationError(ctx, t, w, res)
	case res.LoaderID == "":
		w.within = true
	default:
		w.loader = res.LoaderID
	}
	return nil
}

// navigationError distinguishes a failed load from one that was never meant to show a page.
func (p *Performer) navigationError(
	ctx context.Context, t *frames.Tab, w *navigating, res protopage.NavigateResult,
) error {
	text := res.ErrorText
	if text == "net::ERR_ABORTED" {
		if err := p.awaitDownload(ctx, w); err != nil {
			return err
		}
		p.frames.Lock()
		downloading, status := p.downloads.Len() > w.downloads, p.lastStatus(t, w)
		if t.Lost && status == 0 { // no page is there that could have aborted it, and no server answered
			w.loader = res.LoaderID
		}
		p.frames.Unlock()
		if downloading || status == 204 || status == 205 {
			w.settled = true
			return nil
		}
		return fault.New(fault.NotActed, w.op, "the navigation was aborted (%s)", text).
			WithHint("The page may have started another navigation, or kept this one from leaving it.")
	}
	// The browser shows its own error page now; wait for it, so that the next action does not race
	// it.
	if err := p.frames.Await(ctx, "error page", func() (bool, error) {
		return t.Navigations > w.navigations || t.Closed(), nil
	}); err != nil {
		return err
	}
	hint := "Check that the address is right and that the server runs."
	if strings.Contains(text, "ERR_NAME_NOT_RESOLVED") {
		hint = "Check the host name."
	}
	return fault.New(fault.Unavailable, w.op, "%s", text).WithHint("%s", hint)
}

// awaitDownload waits a moment for the browser to announce the download that a navigation turned
// into.
func (p *Performer) awaitDownload(ctx context.Context, w *navigating) error {
	wait, cancel := context.WithTimeout(ctx, downloadGrace)
	defer cancel()
	err := p.frames.Await(wait, "download", func() (bool, error) {
		status := 0
		if p.frames.Active != nil {
			status = p.lastStatus(p.frames.Active, w)
		}
		return p.downloads.Len() > w.downloads || status == 204 || status == 205, nil
	})
	if err != nil && wait.Err() != nil {
		return ctx.Err()
	}
	return err
}

// lastStatus is the newest main document status since the navigation began. The lock is held.
func (p *Performer) lastStatus(t *frames.Tab, w *navigating) int {
	x := p.network.Newest(&t.Traffic, func(x *network.Exchange) bool {
		return x.Type == "document" && !x.Started.Before(w.began.Add(-time.Second))
	})
	if x == nil {
		return 0
	}
	return x.Status
}

func (p *Performer) travel(ctx context.Context, t *frames.Tab, by int64, w *navigating) error {
	h, err := cdp.Call(ctx, t.Session, protopage.GetNavigationHistory, proto.Empty{})
	if err != nil {
		return fault.Wrap(err, "", w.op)
	}
	to := h.CurrentIndex + by
	if to < 0 || to >= int64(len(h.Entries)) {
		which := "previous"
		if by > 0 {
			which = "next"
		}
		return fault.New(fault.NotActed, w.op, "this tab has no %s page in its history", which)
	}
	entry := protopage.NavigateToHistoryEntryParams{EntryID: h.Entries[to].ID}
	return fault.Wrap(cdp.Do(ctx, t.Session, protopage.NavigateToHistoryEntry, entry), "", w.op)
}

// gaveUp reports whether the browser dropped a document that it had begun to load. The lock is held.
func (p *Performer) gaveUp(t *frames.Tab, w *navigating) bool {
	if w.loader == "" || t.Navigations > w.navigations {
		return false
	}
	if t.Lost && t.Main != nil && w.action.nav.ended[t.Main.ID] {
		return true // an empty page has no request that could fail
	}
	x := p.network.Newest(&t.Traffic, func(x *network.Exchange) bool {
		return x.Type == "document" && x.Loader == string(w.loader)
	})
	return x != nil && x.Error == "net::ERR_ABORTED"
}

// finishNavigation waits until the new document has loaded and settled.
func (p *Performer) finishNavigation(ctx context.Context, t *frames.Tab, w *navigating) (*driver.Effect, error) {
	settle, err := p.awaitLoad(ctx, t, w)
	if err != nil {
		return nil, err
	}
	settle.Waited = time.Since(w.began)
	e := &driver.Effect{Settle: settle}
	p.frames.Lock()
	defer p.frames.Unlock()
	e.Changes = driver.Changes{
		Navigation: t.Navigations > w.navigations, Requests: int(t.Traffic.Started() - w.requests),
		Dialog: p.dialogs.Len() > w.dialogs, Download: p.downloads.Len() > w.downloads,
	}
	if t.Main != nil {
		e.URL = t.Main.URL
		e.Changes.URL = e.URL != w.from
		if e.Changes.Navigation && t.LastLoad.Loader == t.Main.Loader {
			e.Status = t.LastLoad.Status
		}
	}
	e.Dialogs = append(e.Dialogs, p.dialogs.Last(max(0, p.dialogs.Len()-w.dialogs))...)
	e.Files = p.downloads.Since(w.downloads)
	if w.settled && !e.Changes.Navigation {
		e.Status = p.lastStatus(t, w)
	}
	return e, nil
}

// awaitLoad waits until the new document can be used, then for its load to end and the page to come
// to rest. The latter two are not worth failing for: an image may hang, a ticker tick forever.
func (p *Performer) awaitLoad(ctx context.Context, t *frames.Tab, w *navigating) (driver.Settle, error) {
	if w.settled {
		return driver.Settle{Reason: "quiet"}, nil
	}
	partial, err := w.action.awaitUsable(ctx, func() (bool, error) { return p.usable(t, w) })
	if err != nil {
		return driver.Settle{}, err
	}
	if partial {
		return p.arriving(t, w.action.settleNew(ctx)), fault.Wrap(ctx.Err(), "", w.op)
	}
	load, cancel := context.WithTimeout(ctx, loadCap)
	defer cancel()
	err = p.frames.Await(load, "page to load", func() (bool, error) {
		m := t.Main
		return m == nil || m.Loaded == m.Loader || t.Navigations == w.navigations || t.Closed() || t.AwaitsDialog(), nil
	})
	s := w.action.settleNew(ctx)
	if err != nil && ctx.Err() == nil && s.Reason == "navigated" {
		s.Reason = "busy"
		s.Pending = append(s.Pending, "loading of "+cdp.ShortURL(t.Main.URL))
	}
	return s, fault.Wrap(ctx.Err(), "", w.op)
}

// usable reports whether the navigation has led to a document that can be looked at. The lock is
// held.
func (p *Performer) usable(t *frames.Tab, w *navigating) (bool, error) {
	switch m := t.Main; {
	case t.Closed():
		return false, fault.New(fault.NotActed, w.op, "the tab was closed meanwhile")
	case t.Crashed && t.Navigations > w.navigations: // a crash of the page that is left keeps no other from coming
		return false, cdp.PageCrashed(w.op, "while it loaded, the page")
	case t.AwaitsDialog():
		return true, nil // the page is halted until the dialog is answered
	case p.gaveUp(t, w):
		return false, fault.New(fault.NotActed, w.op, "the browser gave the navigation up").
			WithHint("The page may have started another navigation. Try again.")
	case t.SameDoc > w.sameDoc && t.Navigations == w.navigations:
		return true, nil
	case w.within:
		return false, nil // its event comes after the answer
	case m == nil || m.Document == nil || t.Navigations == w.navigations:
		return p.downloads.Len() > w.downloads, nil
	default:
		return m.Ready == m.Loader || m.Loaded == m.Loader, nil
	}
}
