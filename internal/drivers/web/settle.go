package web

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
)

const (
	// settleCap is how long an action is waited for that keeps the page busy: tickers, endless animations, streams.
	settleCap = 2 * time.Second
	// requestCap is how long requests are waited for that an action started and that are not answered.
	requestCap = 4 * time.Second
	// chainCap is how long requests are waited for that each end, but lead to others.
	chainCap = 8 * time.Second
	// loadCap is how long a document that can be used already may still load images and the like.
	loadCap = 3 * time.Second
	// goCap is how long a navigation that was asked for may take to begin.
	goCap = 500 * time.Millisecond
	// tabCap is how long a new tab may take to open and show its page.
	tabCap = 5 * time.Second
)

// settle waits until what an action set off has ended: the document has come to rest, requests are answered, a new
// document has loaded. It waits for events, never for time to pass; the caps above are for what never ends. ask is the
// call into the page script that waits for the document.
func (a *action) settle(ctx context.Context, ask func(ctx context.Context) (*outcome, error)) (*outcome, driver.Settle, error) {
	now, s, err := a.settleTarget(ctx, ask)
	if err == nil {
		a.asides(ctx, &s)
		a.compareCanvas(ctx, now, s)
	}
	return now, s, err
}

// settleTarget is settle for the tab, and for the one document that the action was aimed at.
func (a *action) settleTarget(ctx context.Context, ask func(ctx context.Context) (*outcome, error)) (*outcome, driver.Settle, error) {
	now, err := ask(ctx)
	if now != nil && (now.State == "blocked" || now.State == "armed") && err == nil {
		return now, driver.Settle{}, nil
	}
	began, vain := time.Now(), 0
	limit := began.Add(chainCap)
	for {
		switch {
		case errors.Is(err, errDialog):
			return now, driver.Settle{Reason: "dialog"}, nil
		case errors.Is(err, errClosed):
			return now, driver.Settle{Reason: "closed"}, nil
		case err != nil && ctx.Err() != nil:
			return now, driver.Settle{}, fmt.Errorf("the action was sent, but the page did not come to rest in time: %w", ctx.Err())
		case err != nil && !errors.Is(err, errGone):
			return now, driver.Settle{}, err
		}
		rest := a.rest()
		switch {
		case rest.reason != "":
			return now, driver.Settle{Reason: rest.reason}, nil
		case rest.leaving:
			s, done, err := a.arrive(ctx)
			if done || err != nil {
				return now, s, err
			}
			if vain++; vain > 2 && time.Since(began) > settleCap {
				return now, driver.Settle{Reason: "busy", Pending: []string{leadsNowhere}}, nil
			}
		case rest.opening:
			a.awaitTab(ctx)
		case len(rest.pending) > 0 && time.Now().After(limit):
			return now, driver.Settle{Reason: "busy", Pending: rest.pending}, nil
		case len(rest.pending) > 0:
			if busy := a.awaitRequests(ctx); len(busy) > 0 {
				return a.lookAgain(ctx, now, 0), driver.Settle{Reason: "busy", Pending: busy}, ctx.Err()
			}
		default:
			if now != nil && len(now.Busy) > 0 {
				return now, driver.Settle{Reason: "busy", Pending: now.Busy}, nil
			}
			return now, driver.Settle{Reason: "quiet"}, nil
		}
		if err = ctx.Err(); err != nil {
			return now, driver.Settle{}, err
		}
		now = a.lookAgain(ctx, now, settleCap)
		select {
		case <-a.doc.gone:
			err = errGone
		default:
			err = nil
		}
	}
}

// lookAgain reads the outcome once more, after what came since; now when the document is not there to tell.
func (a *action) lookAgain(ctx context.Context, now *outcome, limit time.Duration) *outcome {
	var later outcome
	if err := a.ask(ctx, a.doc, &later, "again", a.token, limit.Milliseconds()); err != nil || later.State == "lost" {
		return now
	}
	return &later
}

// resting is what a tab still has to do after its document has come to rest.
type resting struct {
	reason  string // it is over
	leaving bool   // a navigation is under way
	opening bool   // a new tab is
	pending []string
}

func (a *action) rest() resting {
	d, t := a.d, a.t
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case t.closed():
		return resting{reason: "closed"}
	case t.dialog != nil && t.dialog.keep:
		return resting{reason: "dialog"}
	case a.nav.leaving(a):
		return resting{leaving: true}
	case len(a.nav.opened) > 0:
		return resting{opening: true}
	}
	return resting{pending: a.pending()}
}

// pending names the requests that the action started and that are worth waiting for. Device.mu is held.
func (a *action) pending() []string {
	var out []string
	more := 0
	for _, x := range a.t.pending() {
		if x.Seq <= a.before.seq || !awaited[x.Type] || a.t.habits.polls(a.d, x) || a.t.habits.endless[key(x)] {
			continue
		}
		switch s := x.Method + " " + shorten(x.URL); {
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

// maxNamed is how many requests that are waited for are named.
const maxNamed = 8

// awaited are the types of requests that what the page shows next can depend on.
var awaited = map[string]bool{"document": true, "xhr": true, "fetch": true, "script": true, "stylesheet": true}

// counted are the types of requests that show that an action did something. What every click on many a page sets off
// (beacons, counting pixels, icons) does not.
var counted = map[string]bool{
	"document": true, "xhr": true, "fetch": true, "script": true, "stylesheet": true, "websocket": true, "eventsource": true,
}

func shorten(url string) string {
	url, _, _ = strings.Cut(url, "?")
	if len(url) > 120 {
		return url[:119] + "…"
	}
	return url
}

// awaitRequests waits until the action's requests are done. What outlasts the cap is named, and not waited for again in
// this tab: a stream, a long poll.
func (a *action) awaitRequests(ctx context.Context) []string {
	if a.requestsEnd(ctx, settleCap) {
		return nil
	}
	if a.unanswered() && a.requestsEnd(ctx, requestCap-settleCap) {
		return nil
	}
	a.d.mu.Lock()
	defer a.d.mu.Unlock()
	busy := a.pending()
	for _, x := range a.t.pending() {
		if x.Seq > a.before.seq {
			a.t.habits.learn(x)
		}
	}
	return busy
}

func (a *action) requestsEnd(ctx context.Context, limit time.Duration) bool {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return a.d.await(ctx, "requests", func() (bool, error) {
		t := a.t
		return len(a.pending()) == 0 || t.closed() || t.dialog != nil && t.dialog.keep || a.nav.leaving(a), nil
	}) == nil
}

// unanswered says whether a request still waits for the first byte: a slow server gets more time than a stream.
func (a *action) unanswered() bool {
	a.d.mu.Lock()
	defer a.d.mu.Unlock()
	for _, x := range a.t.pending() {
		if x.Seq > a.before.seq && awaited[x.Type] && x.Status == 0 {
			return true
		}
	}
	return false
}

// arrive waits for the navigation under way. done is false when it came to nothing, as a download does.
func (a *action) arrive(ctx context.Context) (s driver.Settle, done bool, err error) {
	d, t := a.d, a.t
	var over, partial bool
	start, cancel := context.WithTimeout(ctx, goCap)
	err = d.await(start, "navigation to begin", func() (bool, error) {
		over = a.nav.over(a)
		return over || a.nav.begun(a) || t.closed(), nil
	})
	cancel()
	if err != nil && ctx.Err() == nil {
		d.locked(a.nav.forget)
		return s, false, nil
	}
	if err == nil && !a.mainLeaves() { // a page can do without one of its frames
		slow, cancel := context.WithTimeout(ctx, requestCap)
		err = d.await(slow, "frame to load", func() (bool, error) {
			over = a.nav.over(a)
			return over || a.nav.usable(a) || t.closed() || t.dialog != nil && t.dialog.keep, nil
		})
		cancel()
		if err != nil && ctx.Err() == nil {
			return driver.Settle{Reason: "busy", Pending: []string{"loading of a frame"}}, true, nil
		}
	} else if err == nil {
		partial, err = a.awaitUsable(ctx, func() (bool, error) {
			over = a.nav.over(a)
			return over || a.nav.usable(a) || t.closed() || t.dialog != nil && t.dialog.keep, nil
		})
	}
	if err != nil {
		return s, true, fmt.Errorf("the action was sent, but the page it leads to did not load: %w", err)
	}
	if partial {
		return t.arriving(a.settleNew(ctx)), true, ctx.Err()
	}
	if over && a.broke() { // the browser's own error page follows
		page, cancel := context.WithTimeout(ctx, goCap)
		_ = d.await(page, "error page", func() (bool, error) { return a.nav.committed(a) || t.closed(), nil })
		cancel()
		d.locked(func() { over = !a.nav.committed(a) })
	}
	if over && !a.nav.committed(a) {
		d.locked(a.nav.forget)
		return s, false, nil
	}
	load, cancel := context.WithTimeout(ctx, loadCap)
	err = d.await(load, "page to load", func() (bool, error) {
		return a.nav.loaded(a) || t.closed() || t.dialog != nil && t.dialog.keep, nil
	})
	cancel()
	s = a.settleNew(ctx)
	if err != nil && s.Reason == "navigated" {
		s.Reason = "busy"
		d.mu.Lock()
		s.Pending = append(s.Pending, "loading of "+shorten(t.main.url))
		d.mu.Unlock()
	}
	return s, true, ctx.Err()
}

// What keeps a page busy that navigates again and again, by itself.
const leadsNowhere, leadsOn = "navigations that lead nowhere", "navigations, one after another"

func (a *action) mainLeaves() bool {
	a.d.mu.Lock()
	defer a.d.mu.Unlock()
	return a.nav.frame(a) == a.t.main
}

// settleNew waits until the document that the tab has arrived at has come to rest.
func (a *action) settleNew(ctx context.Context) driver.Settle {
	d, t := a.d, a.t
	limit := time.Now().Add(chainCap)
	d.mu.Lock()
	f := a.nav.frame(a)
	a.nav.arrived(a)
	d.mu.Unlock()
	for {
		d.mu.Lock()
		closed, dialog, leaving := t.closed(), t.dialog != nil && t.dialog.keep, a.nav.leaving(a)
		if f == nil || t.frames[f.id] != f {
			f = t.main
		}
		var doc *document
		if f != nil {
			doc = f.doc
		}
		d.mu.Unlock()
		switch {
		case closed:
			return driver.Settle{Reason: "closed"}
		case dialog:
			return driver.Settle{Reason: "dialog"}
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
		var busy []string
		if err := a.ask(ctx, doc, &busy, "rest", settleCap.Milliseconds()); errors.Is(err, errGone) {
			if d.awaitDocument(ctx, t, worldGrace) != nil {
				return driver.Settle{Reason: "navigated"}
			}
			continue
		}
		d.mu.Lock()
		pending := a.pending()
		d.mu.Unlock()
		if len(pending) > 0 {
			if time.Now().After(limit) {
				return driver.Settle{Reason: "busy", Pending: pending}
			}
			if busy := a.awaitRequests(ctx); len(busy) > 0 {
				return driver.Settle{Reason: "busy", Pending: busy}
			}
			continue
		}
		if len(busy) > 0 {
			return driver.Settle{Reason: "busy", Pending: busy}
		}
		return driver.Settle{Reason: "navigated"}
	}
}

// awaitNext waits for a navigation that follows upon another.
func (a *action) awaitNext(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, requestCap)
	defer cancel()
	_ = a.d.await(ctx, "page to load", func() (bool, error) {
		return a.nav.over(a) || a.nav.committed(a) && a.nav.loaded(a) || a.t.closed() || a.t.dialog != nil && a.t.dialog.keep, nil
	})
	a.d.locked(func() { a.nav.arrived(a) })
}

func blank(url string) bool { return url == "" || strings.HasPrefix(url, "about:blank") }

// awaitTab waits until the tab that the action opens is there and shows its page.
func (a *action) awaitTab(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, tabCap)
	defer cancel()
	d := a.d
	_ = d.await(ctx, "new tab", func() (bool, error) {
		fresh := 0
		for _, o := range d.tabs {
			if a.before.tabs[o.id] {
				continue
			}
			if m := o.main; m == nil || m.doc == nil || m.loader == "" || m.loaded != m.loader || blank(m.url) && !blank(a.nav.opened[min(fresh, len(a.nav.opened)-1)]) {
				return false, nil
			}
			fresh++
		}
		return fresh >= len(a.nav.opened), nil
	})
	d.locked(func() { a.nav.opened = nil; d.front() })
}
