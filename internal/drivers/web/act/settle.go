package act

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/frames"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/sight"
)

const (
	// settleCap limits the wait for an action that keeps the page busy: tickers, endless animations, streams.
	settleCap = 2 * time.Second
	// requestCap limits the wait for requests that an action started and that are not answered.
	requestCap = 4 * time.Second
	// chainCap limits the wait for requests that each end, but lead to others.
	chainCap = 8 * time.Second
	// loadCap limits the time in which a document that can be used already loads images and the like.
	loadCap = 3 * time.Second
	// goCap limits the time in which a navigation that was asked for begins.
	goCap = 500 * time.Millisecond
	// tabCap limits the time in which a new tab opens and shows its page.
	tabCap = 5 * time.Second
)

// settle waits until what an action set off has ended: the document has come to rest, requests are
// answered, a new document has loaded. It waits for events, never for time to pass; the caps above
// are for what never ends. ask is the call into the page script that waits for the document.
func (a *action) settle(
	ctx context.Context, ask func(ctx context.Context) (*outcome, error),
) (*outcome, driver.Settle, error) {
	now, s, err := a.settleTarget(ctx, ask)
	if err == nil {
		a.settleOtherFrames(ctx, &s)
		a.compareCanvas(ctx, now, s)
	}
	return now, s, err
}

// settleTarget is settle for the tab, and for the one document that the action was aimed at.
func (a *action) settleTarget(
	ctx context.Context, ask func(ctx context.Context) (*outcome, error),
) (*outcome, driver.Settle, error) {
	now, err := ask(ctx)
	if err == nil && now != nil && (now.State == "blocked" || now.State == "armed") {
		return now, driver.Settle{}, nil
	}
	began := time.Now()
	w := settling{vainUntil: began.Add(settleCap), limit: began.Add(chainCap)}
	for {
		if s, over, err := cutShort(ctx, err); over {
			return now, s, err
		}
		later, s, over, err2 := a.settleStep(ctx, &w, now)
		if now = later; over || err2 != nil {
			return now, s, err2
		}
		if err = ctx.Err(); err != nil {
			return now, driver.Settle{}, err
		}
		now = a.readAgain(ctx, now, settleCap)
		err = a.doc.Ended()
	}
}

// cutShort reports whether the error of a question to the page ends the wait, and how. A document
// that has ended does not: another one follows.
func cutShort(ctx context.Context, err error) (s driver.Settle, over bool, _ error) {
	switch {
	case err == nil || errors.Is(err, frames.ErrGone) && ctx.Err() == nil:
		return s, false, nil
	case errors.Is(err, errDialog):
		return driver.Settle{Reason: "dialog"}, true, nil
	case errors.Is(err, errClosed):
		return driver.Settle{Reason: "closed"}, true, nil
	case ctx.Err() != nil:
		return s, true, fmt.Errorf("the action was sent, but the page did not come to rest in time: %w", ctx.Err())
	}
	return s, true, err
}

// settling is the state of one wait for a tab.
type settling struct {
	vain             int       // navigations that led nowhere
	vainUntil, limit time.Time // bound further navigations and requests
}

// settleStep waits for one thing that the tab still has to do. over means that nothing is left to
// wait for.
func (a *action) settleStep(
	ctx context.Context, w *settling, now *outcome,
) (later *outcome, s driver.Settle, over bool, err error) {
	rest := a.rest()
	switch {
	case rest.reason != "":
		return now, driver.Settle{Reason: rest.reason}, true, nil
	case rest.leaving:
		if s, over, err = a.arrive(ctx); over || err != nil {
			return now, s, over, err
		}
		if w.vain++; w.vain > 2 && time.Now().After(w.vainUntil) {
			return now, driver.Settle{Reason: "busy", Pending: []string{leadsNowhere}}, true, nil
		}
	case rest.opening:
		a.awaitTab(ctx)
	case len(rest.pending) > 0 && time.Now().After(w.limit):
		return now, driver.Settle{Reason: "busy", Pending: rest.pending}, true, nil
	case len(rest.pending) > 0:
		if busy := a.awaitRequests(ctx); len(busy) > 0 {
			return a.readAgain(ctx, now, 0), driver.Settle{Reason: "busy", Pending: busy}, true, ctx.Err()
		}
	case now != nil && len(now.Busy) > 0:
		return now, driver.Settle{Reason: "busy", Pending: now.Busy}, true, nil
	default:
		return now, driver.Settle{Reason: "quiet"}, true, nil
	}
	return now, s, false, nil
}

// readAgain reads the outcome once more, after further changes; it returns now when the document
// has ended.
func (a *action) readAgain(ctx context.Context, now *outcome, limit time.Duration) *outcome {
	var later outcome
	if err := a.ask(ctx, a.doc, &later, "again", a.token, limit.Milliseconds()); err != nil || later.State == "lost" {
		return now
	}
	return &later
}

// resting is the work left in a tab after its document has come to rest.
type resting struct {
	reason  string // it is over
	leaving bool   // a navigation is under way
	opening bool   // a new tab is
	pending []string
}

func (a *action) rest() resting {
	d, t := a.p, a.t
	d.frames.Lock()
	defer d.frames.Unlock()
	switch {
	case t.Closed():
		return resting{reason: "closed"}
	case t.AwaitsDialog():
		return resting{reason: "dialog"}
	case a.nav.leaving(a):
		return resting{leaving: true}
	case len(a.nav.opened) > 0:
		return resting{opening: true}
	}
	return resting{pending: a.pending()}
}

// pending names the requests that the action started and that are worth waiting for. The lock is
// held.
func (a *action) pending() []string {
	var out []string
	more := 0
	own := &a.t.Traffic
	for _, x := range own.Pending() {
		if x.Seq <= a.before.seq || !awaited[x.Type] || a.p.network.Polls(x) || own.Endless(x) {
			continue
		}
		switch s := x.Method + " " + cdp.ShortURL(x.URL); {
		case slices.Contains(out, s):
		case len(out) < maxNamed:
			out = append(out, s)
		default:
			more++
		}
	}
	if more > 0 {
		out = append(out, fmt.Sprintf("%d more requests", more))
	}
	return out
}

// maxNamed limits the names in a list of awaited requests.
const maxNamed = 8

// awaited are the types of requests that what the page shows next can depend on.
var awaited = map[string]bool{"document": true, "xhr": true, "fetch": true, "script": true, "stylesheet": true}

// counted are the types of requests that show that an action did something. Requests that many a page sends on
// every click (beacons, counting pixels, icons) do not.
var counted = map[string]bool{
	"document": true, "xhr": true, "fetch": true, "script": true, "stylesheet": true, "websocket": true,
	"eventsource": true,
}

// awaitRequests waits until the action's requests are done. It names those that outlast the cap, and does not wait
// for them again in this tab: a stream, a long poll.
func (a *action) awaitRequests(ctx context.Context) []string {
	if a.requestsEnd(ctx, settleCap) {
		return nil
	}
	if a.unanswered() && a.requestsEnd(ctx, requestCap-settleCap) {
		return nil
	}
	a.p.frames.Lock()
	defer a.p.frames.Unlock()
	busy := a.pending()
	for _, x := range a.t.Traffic.Pending() {
		if x.Seq > a.before.seq {
			a.t.Traffic.MarkEndless(x)
		}
	}
	return busy
}

func (a *action) requestsEnd(ctx context.Context, limit time.Duration) bool {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return a.p.frames.Await(ctx, "requests", func() (bool, error) {
		t := a.t
		return len(a.pending()) == 0 || t.Halted() || a.nav.leaving(a), nil
	}) == nil
}

// unanswered reports whether a request still waits for the first byte: a slow server gets more time
// than a stream.
func (a *action) unanswered() bool {
	a.p.frames.Lock()
	defer a.p.frames.Unlock()
	for _, x := range a.t.Traffic.Pending() {
		if x.Seq > a.before.seq && awaited[x.Type] && x.Status == 0 {
			return true
		}
	}
	return false
}

// arrive waits for the navigation under way. done is false when it ended without a document, as with a download.
func (a *action) arrive(ctx context.Context) (s driver.Settle, done bool, err error) {
	var over, partial bool
	arrived := func() (bool, error) {
		over = a.nav.over(a)
		return over || a.nav.usable(a) || a.t.Halted(), nil
	}
	err = a.awaitFor(ctx, goCap, "navigation to begin", func() (bool, error) {
		over = a.nav.over(a)
		return over || a.nav.begun(a) || a.t.Closed(), nil
	})
	switch {
	case err != nil && ctx.Err() == nil:
		a.p.frames.Locked(a.nav.forget)
		return s, false, nil
	case err != nil:
	case a.mainLeaves():
		partial, err = a.awaitUsable(ctx, arrived)
	default: // a page can do without one of its frames
		err = a.awaitFor(ctx, requestCap, "frame to load", arrived)
		if err != nil && ctx.Err() == nil {
			return driver.Settle{Reason: "busy", Pending: []string{"loading of a frame"}}, true, nil
		}
	}
	switch {
	case err != nil:
		return s, true, fmt.Errorf("the action was sent, but the page it leads to did not load: %w", err)
	case partial:
		return a.p.arriving(a.t, a.settleNew(ctx)), true, ctx.Err()
	case over && a.ledNowhere(ctx):
		a.p.frames.Locked(a.nav.forget)
		return s, false, nil
	}
	return a.settleLoaded(ctx), true, ctx.Err()
}

// awaitFor is await with a time limit of its own.
func (a *action) awaitFor(ctx context.Context, limit time.Duration, what string, cond func() (bool, error)) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return a.p.frames.Await(ctx, what, cond)
}

// ledNowhere reports whether a navigation that is over brought no document. Where its request
// failed, the browser shows an error page of its own, a moment later.
func (a *action) ledNowhere(ctx context.Context) (nowhere bool) {
	if a.broke() {
		_ = a.awaitFor(ctx, goCap, "error page", func() (bool, error) { return a.nav.committed(a) || a.t.Closed(), nil })
	}
	a.p.frames.Locked(func() { nowhere = !a.nav.committed(a) })
	return nowhere
}

// settleLoaded waits for the load of the new document to end and for the document to come to rest.
// A load that does not end, as of an image that hangs, is reported as pending.
func (a *action) settleLoaded(ctx context.Context) driver.Settle {
	err := a.awaitFor(ctx, loadCap, "page to load", func() (bool, error) {
		return a.nav.loaded(a) || a.t.Halted(), nil
	})
	s := a.settleNew(ctx)
	if err != nil && s.Reason == "navigated" {
		s.Reason = "busy"
		a.p.frames.Lock()
		s.Pending = append(s.Pending, "loading of "+cdp.ShortURL(a.t.Main.URL))
		a.p.frames.Unlock()
	}
	return s
}

// These are the reasons given for a page that keeps navigating without an action.
const leadsNowhere, leadsOn = "navigations that lead nowhere", "navigations, one after another"

func (a *action) mainLeaves() bool {
	a.p.frames.Lock()
	defer a.p.frames.Unlock()
	return a.nav.frame(a) == a.t.Main
}

// settleNew waits until the document that the tab has arrived at has come to rest.
func (a *action) settleNew(ctx context.Context) driver.Settle {
	d := a.p
	limit := time.Now().Add(chainCap)
	d.frames.Lock()
	f := a.nav.frame(a)
	a.nav.arrived(a)
	d.frames.Unlock()
	for {
		doc, leaving, reason := a.arrivedAt(f)
		switch {
		case reason == "closed" || reason == "dialog":
			return driver.Settle{Reason: reason}
		case ctx.Err() != nil:
			return driver.Settle{Reason: "navigated"}
		case leaving && time.Now().After(limit):
			return driver.Settle{Reason: "busy", Pending: []string{leadsOn}}
		case leaving: // it leads on to another document
			a.awaitNext(ctx)
			continue
		case doc == nil:
			return driver.Settle{Reason: "navigated"}
		}
		busy, err := a.restOf(ctx, doc)
		if errors.Is(err, frames.ErrGone) {
			if d.frames.AwaitDocument(ctx, a.t, frames.WorldGrace) != nil {
				return driver.Settle{Reason: "navigated"}
			}
			continue
		}
		if late, waited := a.awaitOutstanding(ctx, limit); waited {
			if busy = late; len(late) == 0 {
				continue
			}
		}
		if len(busy) > 0 {
			return driver.Settle{Reason: "busy", Pending: busy}
		}
		return driver.Settle{Reason: "navigated"}
	}
}

// restOf waits until a document without an action has come to rest, and names the reasons why it does not.
func (a *action) restOf(ctx context.Context, doc *frames.Document) (busy []string, err error) {
	var r struct {
		Busy []string     `json:"busy"`
		Look *sight.Delta `json:"look"`
	}
	then, take := a.p.camera.Prefetch(doc, true)
	err = a.ask(ctx, doc, &r, "rest", settleCap.Milliseconds(), then)
	take(r.Look)
	return r.Busy, err
}

// awaitOutstanding waits for the requests of a new document; after the limit it only names them.
// waited is false when there are none.
func (a *action) awaitOutstanding(ctx context.Context, limit time.Time) (busy []string, waited bool) {
	a.p.frames.Lock()
	pending := a.pending()
	a.p.frames.Unlock()
	switch {
	case len(pending) == 0:
		return nil, false
	case time.Now().After(limit):
		return pending, true
	}
	return a.awaitRequests(ctx), true
}

// arrivedAt is the document in f now, or in the main frame once f is gone. reason is set when the
// tab is closed or held by a dialog; leaving when another navigation has begun.
func (a *action) arrivedAt(f *frames.Frame) (doc *frames.Document, leaving bool, reason string) {
	a.p.frames.Lock()
	defer a.p.frames.Unlock()
	t := a.t
	if f == nil || t.Frames[f.ID] != f {
		f = t.Main
	}
	if f != nil {
		doc = f.Document
	}
	switch {
	case t.Closed():
		reason = "closed"
	case t.AwaitsDialog():
		reason = "dialog"
	}
	return doc, a.nav.leaving(a), reason
}

// awaitNext waits for a navigation that follows upon another.
func (a *action) awaitNext(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, requestCap)
	defer cancel()
	_ = a.p.frames.Await(ctx, "page to load", func() (bool, error) {
		return a.nav.over(a) || a.nav.committed(a) && a.nav.loaded(a) || a.t.Halted(), nil
	})
	a.p.frames.Locked(func() { a.nav.arrived(a) })
}

func blank(url string) bool { return url == "" || strings.HasPrefix(url, "about:blank") }

// awaitTab waits until the tab that the action opens is there and shows its page.
func (a *action) awaitTab(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, tabCap)
	defer cancel()
	d := a.p
	_ = d.frames.Await(ctx, "new tab", func() (bool, error) {
		fresh := 0
		for _, o := range d.frames.Tabs {
			if a.before.tabs[o.ID] {
				continue
			}
			m, url := o.Main, a.nav.opened[min(fresh, len(a.nav.opened)-1)]
			if m == nil || m.Document == nil || m.Loader == "" || m.Loaded != m.Loader || blank(m.URL) && !blank(url) {
				return false, nil
			}
			fresh++
		}
		return fresh >= len(a.nav.opened), nil
	})
	d.frames.Locked(func() { a.nav.opened = nil; d.frames.Front() })
}
