package web

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/dialog"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/network"
)

// tab is a page target: a tab or a popup. Device.mu guards its fields.
type tab struct {
	set    *frameSet
	id     string // "t1"
	target target.ID
	opener *tab
	host   *host // its own session
	sess   *cdp.Session

	main   *frame
	frames map[proto.FrameID]*frame

	dialog  *dialog.Open
	crashed bool
	private bool          // ours, not listed; every request in it is answered with an empty page
	gone    chan struct{} // closed when the tab is

	navigations uint64           // documents committed in the main frame
	judged      uint64           // navigations that the effect of an action has told of
	asked       bool             // the page asked for another document, which is not there yet
	failed      proto.LoaderID   // the document that stands for one that did not load
	sameDoc     uint64           // navigations within the document
	lastLoad    navigationResult // of the main frame
	traffic     network.Traffic  // what its pages ask for
}

// navigationResult is how the last load of a main frame went.
type navigationResult struct {
	loader proto.LoaderID
	status int
	url    string
}

func (t *tab) closed() bool {
	select {
	case <-t.gone:
		return true
	default:
		return false
	}
}

func (t *tab) String() string { return fmt.Sprintf("tab %s", t.id) }

// ensureFrame returns the frame with that id, making it when it is new.
func (t *tab) ensureFrame(id, parent proto.FrameID, h *host) *frame {
	f := t.frames[id]
	if f == nil {
		f = &frame{tab: t, id: id, host: h, number: t.set.frameNumber(id)}
		t.frames[id] = f
	}
	if parent != "" && f.parent == nil {
		f.parent = t.frames[parent]
	}
	return f
}

// abandon stops waiting for the requests of the document in f, its own included. Device.mu is held.
func (t *tab) abandon(f *frame) {
	t.traffic.Abandon(func(x *network.Exchange) bool {
		return x.Frame == string(f.id) && x.Loader == string(f.loader)
	})
}

// children are the frames directly inside f.
func (t *tab) children(f *frame) []*frame {
	var out []*frame
	for _, c := range t.frames {
		if c.parent == f {
			out = append(out, c)
		}
	}
	return out
}

// removeFrame forgets a frame and everything in it.
func (t *tab) removeFrame(f *frame) {
	for _, c := range t.children(f) {
		t.removeFrame(c)
	}
	f.setDocument(nil)
	if t.frames[f.id] == f {
		// Its requests are not waited for any more: the browser does not report how they ended.
		t.traffic.Abandon(func(x *network.Exchange) bool { return x.Frame == string(f.id) })
		delete(t.frames, f.id)
	}
}

// setDocument replaces what is loaded in the frame. Device.mu is held.
func (f *frame) setDocument(d *document) {
	if old := f.doc; old != nil {
		delete(old.host.documents, old.uid)
		close(old.gone)
		f.tab.set.documentGone(old)
		f.unexplained = append(f.unexplained, old.serial)
	}
	f.doc = d
	f.tab.set.changed()
	if d != nil {
		d.host.documents[d.uid] = d
	}
}

// newTab makes the record of a new page target. A tab that a page opens stays behind the active one
// until SwitchTab makes it active. When the active tab closes, its opener becomes active, or else
// the newest tab.
func (d *frameSet) newTab(info *target.Info) *tab {
	t := &tab{
		set: d, target: info.TargetID, gone: make(chan struct{}),
		frames: map[proto.FrameID]*frame{},
	}
	if d.isPrivate(info) {
		t.id, t.private = "private", true
		d.privates = append(d.privates, t)
		return t
	}
	d.lastTab++
	t.id = "t" + strconv.Itoa(d.lastTab)
	for _, o := range d.tabs {
		if info.OpenerID != "" && o.target == info.OpenerID {
			t.opener = o
		}
	}
	d.tabs = append(d.tabs, t)
	if d.active == nil {
		d.active = t
	} else {
		d.front()
	}
	d.changed()
	return t
}

// front brings the active tab to the front of the browser: a tab in the background does not paint.
// Device.mu is held.
func (d *frameSet) front() {
	if d.active != nil && !d.active.closed() {
		cdp.Send(d.active.sess, page.BringToFront, proto.Empty{})
	}
}

// dropTab forgets a closed tab. Device.mu is held.
func (d *frameSet) dropTab(t *tab) {
	d.tabs = without(d.tabs, t)
	d.privates = without(d.privates, t)
	d.changed()
	d.endTab(t)
	if d.active != t {
		return
	}
	d.active = nil
	if t.opener != nil && !t.opener.closed() {
		d.active = t.opener
	} else if n := len(d.tabs); n > 0 {
		d.active = d.tabs[n-1]
	}
	d.front()
}

func without(tabs []*tab, t *tab) []*tab {
	kept := tabs[:0:0]
	for _, o := range tabs {
		if o != t {
			kept = append(kept, o)
		}
	}
	return kept
}

func (d *frameSet) endTab(t *tab) {
	if t.closed() {
		return
	}
	close(t.gone)
	t.dialog = nil
	for _, f := range t.frames {
		d.explainFrame(f, "its tab "+t.id+" was closed")
	}
	for _, f := range t.frames {
		f.setDocument(nil)
	}
	for id, h := range d.hosts {
		if h.tab == t {
			delete(d.hosts, id)
		}
	}
}

// findTab finds a tab by its id. Device.mu is held.
func (d *frameSet) findTab(id string) (*tab, error) {
	for _, t := range d.tabs {
		if t.id == id {
			return t, nil
		}
	}
	return nil, fault.New(fault.NotFound, "find tab", "no tab %q is open", id).
		WithHint("List the tabs to see their ids.")
}

// held reports whether a dialog is open that waits for HandleDialog: the page stands still until
// then. Device.mu is held.
func (t *tab) held() bool { return t.dialog != nil && t.dialog.Keep }

// halted reports whether the tab is closed or held: nothing more comes from its page. Device.mu is
// held.
func (t *tab) halted() bool { return t.closed() || t.held() }

// leaving reports whether the browser asks a server for another document of a tab. Device.mu is held.
func (t *tab) leaving() bool {
	if t.main == nil {
		return false
	}
	return slices.ContainsFunc(t.traffic.Pending(), func(x *network.Exchange) bool {
		return x.Document(string(t.main.id)) && x.Loader != string(t.main.loader)
	})
}

// letArrive stops waiting for the end of a document that can be used without it. Device.mu is held.
func (t *tab) letArrive(doc *document) {
	f := doc.frame
	t.traffic.Abandon(func(x *network.Exchange) bool {
		return x.Document(string(f.id)) && x.Loader == string(f.loader)
	})
}

// isPrivate says whether a new tab is ours. A headless shell tells of a tab before it has an address.
// Device.mu is held.
func (d *frameSet) isPrivate(info *target.Info) bool {
	return strings.HasPrefix(info.URL, privateURL) || d.asking > 0 && info.URL == "" && info.OpenerID == ""
}

// privateURL is what private tabs open with.
const privateURL = "about:blank#trailblaze-private"
