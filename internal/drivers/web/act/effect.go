package act

import (
	"context"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/fieldtext"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/frames"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/network"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/sight"
	"github.com/trailblaze-dev/trailblaze/screen"
)

// before is the state of the device before an action.
type before struct {
	seq         uint64 // of the last request
	logged      uint64 // of the last message in the console
	navigations uint64
	sameDoc     uint64
	url         string
	main        *frames.Document
	loaders     map[cdp.FrameID]cdp.LoaderID
	tabs        map[string]bool
	dialogs     uint64
	downloads   int
}

// outcome is the page script's report on the target's document after an action; see Outcome in
// act.ts.
type outcome struct {
	State     string   `json:"state"`
	By        string   `json:"by"`
	Tree      int      `json:"tree"`
	Own       int      `json:"own"`
	Unsure    int      `json:"unsure"`
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
	fieldtext.Reading
	Checked  string       `json:"checked"`
	Dragging bool         `json:"dragging"`
	Look     *sight.Delta `json:"look"`
}

// otherFrames sums up the changes in documents that the action was not aimed at.
type otherFrames struct {
	Tree   int      `json:"tree"`
	Own    int      `json:"own"`
	Unsure int      `json:"unsure"`
	Value  int      `json:"value"`
	Scroll int      `json:"scroll"`
	Busy   []string `json:"busy"`
}

// settleOtherFrames waits until the other documents of the tab are at rest and adds up their
// changes.
func (a *action) settleOtherFrames(ctx context.Context, s *driver.Settle) {
	docs := a.others()
	if len(docs) == 0 || s.Reason != "quiet" && s.Reason != "busy" {
		return
	}
	got := make([]otherFrames, len(docs))
	var wg sync.WaitGroup
	for i, doc := range docs {
		wg.Go(func() { _ = a.ask(ctx, doc, &got[i], "sideEffect", a.token, settleCap.Milliseconds()) })
	}
	wg.Wait()
	a.otherFrames = otherFrames{}
	for _, g := range got {
		a.otherFrames.Tree += g.Tree
		a.otherFrames.Own += g.Own
		a.otherFrames.Unsure += g.Unsure
		a.otherFrames.Value += g.Value
		a.otherFrames.Scroll += g.Scroll
		if len(g.Busy) > 0 {
			s.Reason = "busy"
			s.Pending = append(s.Pending, g.Busy...)
		}
	}
}

// open notes the state before anything is sent and begins to watch for navigations.
func (a *action) open() {
	d := a.p
	d.frames.Lock()
	a.noteBefore()
	a.nav = d.watchNavigation(a.t)
	d.frames.Unlock()
	for _, doc := range a.others() {
		doc.Tell("aside", a.token)
	}
}

// noteBefore notes the state of the device. The lock is held.
func (a *action) noteBefore() {
	d, t := a.p, a.t
	a.before = before{
		seq: d.network.Seq(), logged: d.console.Last(), navigations: t.Navigations, sameDoc: t.SameDoc,
		tabs:    map[string]bool{},
		dialogs: d.dialogs.Total(), downloads: d.downloads.Len(), loaders: map[cdp.FrameID]cdp.LoaderID{},
	}
	for _, o := range d.frames.Tabs {
		a.before.tabs[o.ID] = true
	}
	for id, f := range t.Frames {
		a.before.loaders[id] = f.Loader
	}
	if t.Main != nil {
		a.before.url, a.before.main = t.Main.URL, t.Main.Document
	}
	t.Traffic.BeginAction(d.network.Seq())
}

// close lets events through again and ends the watch.
func (a *action) close() {
	a.nav.stop()
	if a.doc != nil {
		a.doc.Tell("end", a.token)
		for _, doc := range a.others() {
			doc.Tell("endSide", a.token)
		}
	}
	a.p.frames.Lock()
	defer a.p.frames.Unlock()
	a.t.Traffic.EndAction(a.p.network.Seq())
}

// effect is the evidence of the action. now is nil when its document ended before it could report.
func (a *action) effect(now *outcome, s driver.Settle) *driver.Effect {
	a.p.frames.Lock()
	defer a.p.frames.Unlock()
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
	e.Changes.Received, e.Changes.Verified = true, a.good
	if now != nil {
		a.addOutcome(e, now)
	}
	a.addOtherFrames(e)
	a.addNavigation(e)
	a.addDeviceEvents(e)
	return e
}

// addOutcome adds the changes in the target's document.
func (a *action) addOutcome(e *driver.Effect, now *outcome) {
	c := &e.Changes
	c.Received = now.State == "delivered"
	c.Focus, c.Selection, c.Focused, e.Due = now.Focus, now.Selection, now.Given, now.Due
	c.Tree, c.Value, c.Scroll, c.Canvas = now.Tree, now.Value, now.Scroll, a.drew
	c.Own, c.Unsure = now.Own, now.Unsure
}

// addOtherFrames adds the changes in the tab's other documents.
func (a *action) addOtherFrames(e *driver.Effect) {
	c, others := &e.Changes, a.otherFrames
	c.Tree += others.Tree
	c.Own += others.Own
	c.Unsure += others.Unsure
	c.Value = c.Value || others.Value > 0
	c.Scroll = c.Scroll || others.Scroll > 0
}

// addNavigation adds the requests of the tab, and where it is now. The lock is held.
func (a *action) addNavigation(e *driver.Effect) {
	t, log, c := a.t, a.p.network, &e.Changes
	c.Navigation = t.Navigations > a.before.navigations
	t.Judged = t.Navigations
	for _, x := range log.Since(a.before.seq) {
		if x.Traffic == &t.Traffic && counted[x.Type] && !log.Polls(x) {
			c.Requests++
		}
	}
	if t.Main == nil {
		return
	}
	e.URL = t.Main.URL
	if !c.Navigation {
		c.URL, e.Roams = t.Traffic.Readdressed(a.before.url, t.Main.URL), t.Traffic.Roams()
		return
	}
	c.URL = t.Main.URL != a.before.url
	if t.LastLoad.Loader == t.Main.Loader {
		e.Status = t.LastLoad.Status
	}
	if t.Failed != "" && t.Failed == t.Main.Loader {
		e.Failed = a.failure()
	}
}

// failure is the reason why the newest document of the tab did not load. The lock is held.
func (a *action) failure() string {
	x := a.p.network.Newest(&a.t.Traffic, func(x *network.Exchange) bool {
		return x.Document(string(a.t.Main.ID)) && x.Error != ""
	})
	if x == nil {
		return "the browser shows an error page"
	}
	return x.Error
}

// addDeviceEvents adds the tabs, dialogs and downloads that began. The lock is held.
func (a *action) addDeviceEvents(e *driver.Effect) {
	d, t := a.p, a.t
	for _, o := range d.frames.Tabs {
		if !a.before.tabs[o.ID] {
			e.NewTabs = append(e.NewTabs, o.ID)
		}
	}
	e.Changes.Tabs = len(e.NewTabs) > 0 || t.Closed()
	if n := d.dialogs.Total() - a.before.dialogs; n > 0 {
		e.Changes.Dialog = true
		if t.Dialog != nil { // counted, but not logged before it is answered
			n--
		}
		e.Dialogs = append(e.Dialogs, d.dialogs.Last(int(n))...)
	}
	e.Files = d.downloads.Since(a.before.downloads)
	e.Changes.Download = len(e.Files) > 0
}
