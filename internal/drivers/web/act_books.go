package web

import (
	"context"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/screen"
)

// books is how the device stood before an action.
type books struct {
	seq         uint64 // of the last request
	logged      uint64 // of the last message in the console
	navigations uint64
	sameDoc     uint64
	url         string
	main        *document
	loaders     map[cdp.FrameID]cdp.LoaderID
	tabs        map[string]bool
	dialogs     uint64
	downloads   int
}

// outcome is what the page script says an action did to the target's document; see Outcome in act.ts.
type outcome struct {
	State     string   `json:"state"`
	By        string   `json:"by"`
	Tree      int      `json:"tree"`
	Value     bool     `json:"value"`
	Focus     bool     `json:"focus"`
	Selection bool     `json:"selection"`
	Scroll    bool     `json:"scroll"`
	URL       string   `json:"url"`
	Busy      []string `json:"busy"`
	Connected bool     `json:"connected"`
	Hover     bool     `json:"hover"`
	Given     bool     `json:"given"`
	Due       bool     `json:"due"`
	reading
	Checked  string `json:"checked"`
	Dragging bool   `json:"dragging"`
	Look     *look  `json:"look"`
}

// reading is what a field holds; see Reading in act.ts.
type reading struct {
	Read  string   `json:"read"`
	Typed string   `json:"typed"`
	Drawn []string `json:"drawn"`
}

// aside is what an action did to documents it was not aimed at.
type aside struct {
	Tree   int      `json:"tree"`
	Value  int      `json:"value"`
	Scroll int      `json:"scroll"`
	Busy   []string `json:"busy"`
}

// asides waits for the other documents of the tab to come to rest, and adds up what changed in them.
func (a *action) asides(ctx context.Context, s *driver.Settle) {
	docs := a.others()
	if len(docs) == 0 || s.Reason != "quiet" && s.Reason != "busy" {
		return
	}
	got := make([]aside, len(docs))
	var wg sync.WaitGroup
	for i, doc := range docs {
		wg.Go(func() { _ = a.ask(ctx, doc, &got[i], "sideEffect", a.token, settleCap.Milliseconds()) })
	}
	wg.Wait()
	a.aside = aside{}
	for _, g := range got {
		a.aside.Tree += g.Tree
		a.aside.Value += g.Value
		a.aside.Scroll += g.Scroll
		if len(g.Busy) > 0 {
			s.Reason = "busy"
			s.Pending = append(s.Pending, g.Busy...)
		}
	}
}

// open takes stock before anything is sent.
func (a *action) open() {
	d := a.d
	d.mu.Lock()
	a.stock()
	a.nav = d.watchNavigation(a.t)
	d.mu.Unlock()
	for _, doc := range a.others() {
		doc.tell("aside", a.token)
	}
}

// stock notes how things stand. Device.mu is held.
func (a *action) stock() {
	d, t := a.d, a.t
	a.before = books{
		seq: d.network.seq, logged: d.console.seq, navigations: t.navigations, sameDoc: t.sameDoc, tabs: map[string]bool{},
		dialogs: d.dialogs.total, downloads: len(d.downloads.list), loaders: map[cdp.FrameID]cdp.LoaderID{},
	}
	for _, o := range d.tabs {
		a.before.tabs[o.id] = true
	}
	for id, f := range t.frames {
		a.before.loaders[id] = f.loader
	}
	if t.main != nil {
		a.before.url, a.before.main = t.main.url, t.main.doc
	}
	t.habits.open(d.network.seq)
}

// close lets events through again and ends the watch.
func (a *action) close() {
	a.nav.stop()
	if a.doc != nil {
		a.doc.tell("end", a.token)
		for _, doc := range a.others() {
			doc.tell("endSide", a.token)
		}
	}
	a.d.mu.Lock()
	defer a.d.mu.Unlock()
	a.t.habits.shut(a.d.network.seq)
}

// effect is the evidence of the action. now is nil when its document did not live to tell.
func (a *action) effect(now *outcome, s driver.Settle) *driver.Effect {
	d := a.d
	d.mu.Lock()
	defer d.mu.Unlock()
	s.Waited = time.Since(a.began)
	e := &driver.Effect{Settle: s, Method: a.method, Value: a.value, Retries: a.log, Logged: a.before.logged}
	if a.box != (screen.Rect{}) {
		box := a.box
		e.Bounds = &box
	}
	if a.point != (screen.Point{}) {
		p := a.point
		e.Point = &p
	}
	c := &e.Changes
	c.Received, c.Verified = true, a.good
	if now != nil {
		c.Received = now.State == "delivered"
		c.Tree, c.Value, c.Focus, c.Selection, c.Scroll = now.Tree, now.Value, now.Focus, now.Selection, now.Scroll
		c.Focused, e.Due = now.Given, now.Due
		c.Tree += a.aside.Tree
		c.Value = c.Value || a.aside.Value > 0
		c.Scroll = c.Scroll || a.aside.Scroll > 0
		c.Canvas = a.drew
	}
	t := a.t
	c.Navigation = t.navigations > a.before.navigations
	t.judged = t.navigations
	for _, x := range d.network.log {
		if x.Seq > a.before.seq && x.tab == t && counted[x.Type] && !t.habits.polls(d, x) {
			c.Requests++
		}
	}
	if t.main != nil {
		e.URL = t.main.url
		c.URL = c.Navigation && t.main.url != a.before.url || !c.Navigation && t.habits.readdressed(a.before.url, t.main.url)
		if c.Navigation && t.lastLoad.loader == t.main.loader {
			e.Status = t.lastLoad.status
		}
		if c.Navigation && t.failed != "" && t.failed == t.main.loader {
			e.Failed = d.network.failure(t)
		}
	}
	for _, o := range d.tabs {
		if !a.before.tabs[o.id] {
			e.NewTabs = append(e.NewTabs, o.id)
		}
	}
	c.Tabs = len(e.NewTabs) > 0 || t.closed()
	if n := d.dialogs.total - a.before.dialogs; n > 0 {
		c.Dialog = true
		log := d.dialogs.log
		if t.dialog != nil { // counted, but not logged before it is answered
			n--
		}
		e.Dialogs = append(e.Dialogs, log[max(0, len(log)-int(n)):]...)
	}
	for _, f := range d.downloads.list[min(a.before.downloads, len(d.downloads.list)):] {
		e.Files = append(e.Files, *f)
	}
	c.Download = len(e.Files) > 0
	return e
}
