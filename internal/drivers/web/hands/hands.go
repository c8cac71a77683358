// Package hands tells what a person does by hand on a device of the web driver. The page script reports it (attend.ts),
// each time with the document as it was before; Hands makes gestures of the reports. It is safe for concurrent use.
package hands

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"time"

	protopage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/gesture"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/act"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/capture"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/frames"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/page"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/sight"
	"github.com/trailblaze-dev/trailblaze/screen"
)

var _ gesture.Source = (*Hands)(nil)

// binding is the function by which the page script tells what a person does; only the script's own world has
// it. See attend.ts.
const binding = "trailblazeGesture"

// prior is the page script's report of the thing before.
type prior struct {
	T   int64      `json:"t"`
	Out act.Report `json:"out"`
}

// report is a Report of attend.ts.
type report struct {
	T         int64        `json:"t"`
	What      string       `json:"what"`
	IDs       []int64      `json:"ids"`
	Look      *sight.Delta `json:"look"`
	Prior     *prior       `json:"prior"`
	Count     int          `json:"count"`
	Button    string       `json:"button"`
	Modifiers []string     `json:"modifiers"`
	At        []float64    `json:"at"`
	Text      string       `json:"text"`
	Secret    bool         `json:"secret"`
	After     string       `json:"after"`
	Key       string       `json:"key"`
	Options   []string     `json:"options"`
	Checked   bool         `json:"checked"`
	Files     []chosen     `json:"files"`
	To        []int64      `json:"to"`
	Place     string       `json:"place"`
	DX        float64      `json:"dx"`
	DY        float64      `json:"dy"`
}

// chosen is a file that a page was given.
type chosen struct {
	Name     string `json:"name"`
	Size     int64  `json:"size"`
	Modified int64  `json:"modified"` // ms since 1970
}

// Parts are the parts of a device that gestures are made of.
type Parts struct {
	Frames    *frames.Set
	Camera    *capture.Camera
	Performer *act.Performer
}

// Hands holds what a person does on a device.
type Hands struct {
	Parts
	changed frames.Broadcast

	mu    sync.Mutex  // guards the rest
	last  *doing      // the newest that was begun
	ready []*doing    // those that are known and that NextGesture has not returned
	picks chan<- pick // where a person is to point at an element; nil while they are not

	heard    bool             // NextGesture was called: what was before that is no gesture
	browsing *browsing        // what the person did last, when it was that
	closed   []*doing         // tabs that the person closed, until they do something else
	leaves   *frames.Document // of a tab, that ends and does not close it; nil once there is another one
}

// doing is something that a person has begun to do.
type doing struct {
	*act.Attended
	doc   *frames.Document
	past  *capture.Past
	ids   []int64 // of the element and those around it, the innermost first
	said  *report // what it is; nil until that is known
	taken bool    // it is in ready, or was
	began time.Time

	browsing *browsing // in place of all that
}

// browsing is a page that a person opens by means of the browser: its address, and its Back, Forward and Reload. Or it
// is a tab that they close.
type browsing struct {
	driver.Navigation
	tab  *frames.Tab
	tabs []driver.Tab  // with tab among them, which is closed
	over chan struct{} // closed when the person does the next thing
}

// New hears what a person does on the device that has these parts.
func New(x Parts) *Hands { return &Hands{Parts: x} }

// Prepare has the page script of a host tell what a person does. The lock is held.
func (h *Hands) Prepare(host *frames.Host) {
	cdp.Send(host.Session, runtime.AddBinding,
		runtime.AddBindingParams{Name: binding, ExecutionContextName: page.World})
	cdp.Send(host.Session, protopage.AddScriptToEvaluateOnNewDocument, protopage.AddScriptToEvaluateOnNewDocumentParams{
		Source: page.Global + ".hearGestures()", WorldName: page.World, RunImmediately: new(true),
	})
	cdp.On(host.Session, runtime.BindingCalled, func(e runtime.EventBindingCalled) {
		if e.Name != binding {
			return
		}
		var r report
		if doc := h.Frames.In(host, e.ExecutionContextID); doc != nil && json.Unmarshal([]byte(e.Payload), &r) == nil {
			h.did(doc, &r)
		}
	})
	h.preparePick(host)
	h.follow(host)
}

// did takes in the reports of the page script, in the order in which they come.
func (h *Hands) did(doc *frames.Document, r *report) {
	if r.What == "begin" {
		h.began(doc, r)
		return
	}
	h.mu.Lock()
	if r.What == "leave" {
		h.leaves = doc
	}
	if x := h.last; x != nil && x.doc == doc && x.Token() == r.T && !x.taken {
		if len(r.IDs) > 0 {
			x.ids = r.IDs
		}
		x.said = r
		if r.What != "type" { // a person may go on typing
			h.take(x)
		}
	}
	h.mu.Unlock()
	h.changed.Notify()
}

// take makes something a gesture. mu is held.
func (h *Hands) take(x *doing) {
	x.taken = true
	h.ready = append(h.ready, x)
}

// began notes that a person begins to do something, and so is done with what they did before.
func (h *Hands) began(doc *frames.Document, r *report) {
	var past *capture.Past
	err := error(nil)
	h.Frames.Locked(func() { past, err = capture.NewPast(h.Camera, doc, r.Look) })
	if err != nil {
		return // its document has ended, or the page script and we are not of one build
	}
	h.mu.Lock()
	over := h.leave()
	h.takeClosed()
	h.mu.Unlock()
	over(doc, r.Prior)
	x := &doing{Attended: h.Performer.Attend(doc, r.T), doc: doc, past: past, ids: r.IDs, began: time.Now()}
	h.mu.Lock()
	h.last = x
	h.mu.Unlock()
	h.changed.Notify()
}

// leave makes what the person is in the middle of a gesture, as they do the next thing. The function that it returns
// says so to the gesture before that, without the lock. mu is held.
func (h *Hands) leave() (over func(doc *frames.Document, now *prior)) {
	h.conclude()
	last, page := h.last, h.browsing
	h.last, h.browsing = nil, nil
	return func(doc *frames.Document, now *prior) {
		if last != nil {
			var out *act.Report
			if now != nil && last.doc == doc && last.Token() == now.T {
				out = &now.Out
			}
			last.Over(out)
		}
		if page != nil {
			close(page.over)
		}
	}
}

// conclude makes what the person is in the middle of a gesture. A press whose page went away at once was a click. mu is
// held.
func (h *Hands) conclude() {
	x := h.last
	if x == nil || x.taken {
		return
	}
	if x.said == nil && x.doc.Ended() != nil {
		x.said = &report{What: "click", Count: 1}
	}
	if x.said != nil {
		h.take(x)
	}
}

// takeClosed makes gestures of the tabs that the person has closed. mu is held.
func (h *Hands) takeClosed() {
	h.ready = append(h.ready, h.closed...)
	h.closed = nil
}

// NextGesture implements gesture.Source.
func (h *Hands) NextGesture(ctx context.Context, until <-chan struct{}) (*gesture.Gesture, error) {
	for pending := false; ; {
		changed, tabs, left := h.changed.Wait(), h.Frames.Changes.Wait(), h.left()
		h.mu.Lock()
		if h.heard = true; pending {
			h.conclude()
			h.takeClosed()
		}
		var x *doing
		if len(h.ready) > 0 {
			x, h.ready = h.ready[0], h.ready[1:]
		}
		h.mu.Unlock()
		switch {
		case x != nil && x.browsing != nil:
			return x.browsing.gesture(h.Frames), nil
		case x != nil:
			return h.gesture(ctx, x), nil
		}
		if pending {
			return nil, nil
		}
		if left {
			return nil, fault.New(fault.Unavailable, "wait for a gesture", "the last tab was closed")
		}
		select {
		case <-changed:
		case <-tabs:
		case <-until:
			pending = true
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-h.Frames.Done:
			return nil, fault.New(fault.Unavailable, "wait for a gesture", "the device was closed")
		case <-h.Frames.Lost:
			return nil, cdp.BrowserGone("wait for a gesture")
		}
	}
}

// left reports whether the person has closed the last tab.
func (h *Hands) left() bool {
	h.Frames.Lock()
	defer h.Frames.Unlock()
	return len(h.Frames.Tabs) == 0
}

// gesture makes the gesture of what a person did.
func (h *Hands) gesture(ctx context.Context, x *doing) *gesture.Gesture {
	g := &gesture.Gesture{Tab: x.doc.Frame.Tab.ID, Screen: x.past.Snapshot(ctx), Over: x.Next()}
	target := driver.Target{Node: nodeOf(g.Screen, x.doc, x.ids)}
	r := x.said
	holds := true
	switch r.What {
	case "click":
		holds = false
		if len(r.At) == 2 {
			target.Node, target.Point = x.doc.NodeID(x.ids[0]), &screen.Point{X: r.At[0], Y: r.At[1]}
		}
		g.Action = driver.Tap{Target: target, Count: r.Count, Button: driver.Button(r.Button), Modifiers: r.Modifiers}
	case "type":
		added := strings.TrimPrefix(r.Text, r.After)
		g.Action = driver.TypeText{Target: target, Text: added, Clear: r.After == "", Secret: r.Secret}
	case "key":
		holds = false
		g.Action = driver.PressKey{Target: target, Key: r.Key}
	case "choose":
		g.Action = driver.SelectOption{Target: target, Options: r.Options}
	case "check":
		g.Action = driver.SetChecked{Target: target, Checked: r.Checked}
	case "upload":
		g.Action = driver.Upload{Target: target}
		for _, f := range r.Files {
			g.Files = append(g.Files, gesture.File{Name: f.Name, Size: f.Size, Modified: time.UnixMilli(f.Modified)})
		}
	case "drag":
		holds = false
		to := driver.Target{Point: &screen.Point{X: r.DX, Y: r.DY}}
		if len(r.To) > 0 {
			to = driver.Target{Node: nodeOf(g.Screen, x.doc, r.To)}
		}
		g.Action = driver.Drag{From: target, To: to}
	}
	g.Effect = func(ctx context.Context) (*driver.Effect, error) {
		e, err := x.Effect(ctx)
		if err != nil {
			return nil, err
		}
		own := *e
		own.Changes.Verified = holds
		if holds && !r.Secret {
			own.Value = r.Text
		}
		return &own, nil
	}
	return g
}

// gesture makes the gesture of it.
func (b *browsing) gesture(set *frames.Set) *gesture.Gesture {
	if b.tabs != nil {
		return &gesture.Gesture{Tabs: b.tabs, Tab: b.tab.ID, Over: b.over,
			Effect: func(context.Context) (*driver.Effect, error) {
				return &driver.Effect{Changes: driver.Changes{Tabs: true}, Settle: driver.Settle{Reason: "quiet"}}, nil
			}}
	}
	return &gesture.Gesture{
		Navigation: &b.Navigation, Tab: b.tab.ID, NewTab: b.Action == "", Over: b.over,
		Effect: func(ctx context.Context) (*driver.Effect, error) {
			began := time.Now()
			if err := set.AwaitDocument(ctx, b.tab, frames.WorldGrace); err != nil {
				return nil, err
			}
			e := &driver.Effect{Changes: driver.Changes{Navigation: true, URL: true, Tabs: b.Action == ""}}
			set.Locked(func() {
				if e.Status = b.tab.LastLoad.Status; b.tab.Main != nil {
					e.URL = b.tab.Main.URL
				}
			})
			e.Settle = driver.Settle{Reason: "navigated", Waited: time.Since(began)}
			return e, nil
		},
	}
}

// nodeOf is the element that a person means who acts on the innermost of these: the control that it is a part of, else
// the innermost that takes presses and does not fill the screen, else the innermost that the screen shows.
func nodeOf(s *screen.Snapshot, doc *frames.Document, ids []int64) screen.NodeID {
	var first, takes *screen.Node
	for _, id := range ids {
		n := s.Node(doc.NodeID(id))
		switch {
		case n == nil:
			continue
		case first == nil:
			first = n
		case 2*n.Bounds.W*n.Bounds.H > float64(s.Width*s.Height):
			continue
		}
		if controls[n.Role] || n.State.Has(screen.Editable) {
			return n.ID
		}
		if takes == nil && n.State&(screen.Clickable|screen.Checkable|screen.Expandable|screen.Draggable) != 0 {
			takes = n
		}
	}
	switch {
	case takes != nil:
		return takes.ID
	case first != nil:
		return first.ID
	case len(ids) > 0:
		return doc.NodeID(ids[0])
	}
	return 0
}

// controls are the roles of what people press as a whole.
var controls = map[string]bool{
	"button": true, "link": true, "checkbox": true, "radio": true, "switch": true, "combobox": true, "listbox": true,
	"option": true, "tab": true, "menuitem": true, "menuitemcheckbox": true, "menuitemradio": true, "treeitem": true,
	"textbox": true, "searchbox": true, "spinbutton": true, "slider": true,
}
