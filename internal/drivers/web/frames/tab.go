package frames

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/dialog"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/network"
)

// Tab is a page target: a tab or a popup. The lock guards its fields.
type Tab struct {
	set     *Set
	ID      string // "t1"
	Target  target.ID
	Opener  *Tab
	Host    *Host // its own session
	Session *cdp.Session

	Main   *Frame
	Frames map[proto.FrameID]*Frame

	Dialog  *dialog.Open
	Crashed bool
	Lost    bool                       // its page crashed, and nothing but empty documents came since
	Private bool                       // ours, not listed; every request in it is answered with an empty page
	Viewers int                        // screencasts of it
	Casting bool                       // the browser sends pictures of it
	Shown   *page.EventScreencastFrame // the newest picture of these
	gone    chan struct{}              // closed when the tab is

	Navigations uint64          // documents committed in the main frame
	Judged      uint64          // navigations that the effect of an action has told of
	Asked       bool            // the page asked for another document, which is not there yet
	Failed      proto.LoaderID  // the document that stands for one that did not load
	SameDoc     uint64          // navigations within the document
	LastLoad    Load            // of the main frame
	Traffic     network.Traffic // what its pages ask for
}

// Load is the result of the last load of a main frame.
type Load struct {
	Loader proto.LoaderID
	Status int
	URL    string
}

// Closed reports whether the tab is gone.
func (t *Tab) Closed() bool {
	select {
	case <-t.gone:
		return true
	default:
		return false
	}
}

func (t *Tab) String() string { return fmt.Sprintf("tab %s", t.ID) }

// abandon stops waiting for the requests of the document in f, its own included. The lock is held.
func (t *Tab) abandon(f *Frame) {
	t.Traffic.Abandon(func(x *network.Exchange) bool {
		return x.Frame == string(f.ID) && x.Loader == string(f.Loader)
	})
}

// AddTab takes in a new page target, unless it is known already. A tab that a page opens stays behind the active one
// until SwitchTab makes it active. When the active tab closes, its opener becomes active, or else
// the newest tab. The lock is held.
func (set *Set) AddTab(sess *cdp.Session, info *target.Info) *Tab {
	for _, t := range set.Tabs {
		if t.Target == info.TargetID {
			return nil
		}
	}
	t := &Tab{
		set: set, Target: info.TargetID, Session: sess, gone: make(chan struct{}),
		Frames: map[proto.FrameID]*Frame{},
	}
	t.Host = set.addHost(t, nil, sess, info.TargetID)
	if set.isPrivate(info) {
		t.ID, t.Private = "private", true
		set.privates = append(set.privates, t)
		return t
	}
	set.lastTab++
	t.ID = "t" + strconv.Itoa(set.lastTab)
	for _, o := range set.Tabs {
		if info.OpenerID != "" && o.Target == info.OpenerID {
			t.Opener = o
		}
	}
	set.Tabs = append(set.Tabs, t)
	if set.Active == nil {
		set.Active = t
	} else {
		set.Front()
	}
	set.Changed()
	return t
}

// Front brings the active tab to the front of the browser: a tab in the background does not paint.
// The lock is held.
func (set *Set) Front() {
	if set.Active != nil && !set.Active.Closed() && !set.Hands {
		cdp.Send(set.Active.Session, page.BringToFront, proto.Empty{})
	}
}

// dropTab forgets a closed tab. The lock is held.
func (set *Set) dropTab(t *Tab) {
	set.Tabs = without(set.Tabs, t)
	set.privates = without(set.privates, t)
	set.Changed()
	set.endTab(t)
	if set.Active != t {
		return
	}
	set.Active = nil
	if t.Opener != nil && !t.Opener.Closed() {
		set.Active = t.Opener
	} else if n := len(set.Tabs); n > 0 {
		set.Active = set.Tabs[n-1]
	}
	set.Front()
}

func without(tabs []*Tab, t *Tab) []*Tab {
	kept := tabs[:0:0]
	for _, o := range tabs {
		if o != t {
			kept = append(kept, o)
		}
	}
	return kept
}

func (set *Set) endTab(t *Tab) {
	if t.Closed() {
		return
	}
	close(t.gone)
	t.Dialog = nil
	for _, f := range t.Frames {
		set.explainFrame(f, "its tab "+t.ID+" was closed")
	}
	for _, f := range t.Frames {
		f.setDocument(nil)
	}
	for id, h := range set.Hosts {
		if h.Tab == t {
			delete(set.Hosts, id)
		}
	}
}

// FindTab finds a tab by its id. The lock is held.
func (set *Set) FindTab(id string) (*Tab, error) {
	for _, t := range set.Tabs {
		if t.ID == id {
			return t, nil
		}
	}
	return nil, fault.New(fault.NotFound, "find tab", "no tab %q is open", id).
		WithHint("List the tabs to see their ids.")
}

// AwaitsDialog reports whether an open dialog waits for HandleDialog: the page does nothing until then. The lock is
// held.
func (t *Tab) AwaitsDialog() bool { return t.Dialog != nil && t.Dialog.Keep }

// Halted reports whether the tab is closed or held: nothing more comes from its page. The lock is
// held.
func (t *Tab) Halted() bool { return t.Closed() || t.AwaitsDialog() }

// Leaving reports whether the browser asks a server for another document of a tab. The lock is held.
func (t *Tab) Leaving() bool {
	if t.Main == nil {
		return false
	}
	return slices.ContainsFunc(t.Traffic.Pending(), func(x *network.Exchange) bool {
		return x.Document(string(t.Main.ID)) && x.Loader != string(t.Main.Loader)
	})
}

// LetArrive stops waiting for the end of a document that can be used without it. The lock is held.
func (t *Tab) LetArrive(doc *Document) {
	f := doc.Frame
	t.Traffic.Abandon(func(x *network.Exchange) bool {
		return x.Document(string(f.ID)) && x.Loader == string(f.Loader)
	})
}

// isPrivate reports whether a new tab is ours. A headless shell announces a tab before it has an address. The lock
// is held.
func (set *Set) isPrivate(info *target.Info) bool {
	return strings.HasPrefix(info.URL, PrivateURL) || set.asking > 0 && info.URL == "" && info.OpenerID == ""
}

// PrivateURL is the address that private tabs open with.
const PrivateURL = "about:blank#trailblaze-private"

// Private makes tabs that are opened from now on private until done is called, where the browser does not yet
// report their address.
func (set *Set) Private() (done func()) {
	set.Locked(func() { set.asking++ })
	return func() { set.Locked(func() { set.asking-- }) }
}

// FindPrivate finds a private tab; nil is none. The lock is held.
func (set *Set) FindPrivate(id target.ID) *Tab {
	for _, t := range set.privates {
		if t.Target == id {
			return t
		}
	}
	return nil
}

// Crash notes that the process of the tab's page has died. The lock is held.
func (t *Tab) Crash() {
	t.Crashed, t.Lost = true, true
	t.set.Changed()
	for _, f := range t.Frames {
		f.setDocument(nil)
	}
}

// arrive notes a new document in the main frame. The lock is held.
func (t *Tab) arrive(url string) {
	t.Crashed, t.Lost = false, t.Lost && strings.HasPrefix(url, "about:blank")
	t.Navigations++
	t.Asked = false
	t.Traffic.NewDocument()
}

// OwnHosts are the sessions with frames of the tab, and those of its workers. The lock is held.
func (t *Tab) OwnHosts() []*Host {
	var out []*Host
	for _, h := range t.set.Hosts {
		if h.Tab == t {
			out = append(out, h)
		}
	}
	return out
}

// Frame is a place that documents are loaded into: a tab's viewport, an iframe. The lock guards
// its fields.
type Frame struct {
	Tab    *Tab
	ID     proto.FrameID
	Number int    // the n-th frame met in this session; 0 for the tab's first main frame
	Parent *Frame // nil for a main frame
	Host   *Host

	URL         string
	Loader      proto.LoaderID
	Loading     bool           // between the start and the end of a load
	Loaded      proto.LoaderID // the loader whose load event has fired
	Ready       proto.LoaderID // the loader whose DOMContentLoaded has fired
	Document    *Document      // nil while there is none that our script runs in
	unexplained []int64        // serials of documents that ended before the browser said why
	World       World          // the page's own world
	mime        string         // of the document
}

// ensureFrame returns the frame with that id, making it when it is new.
func (t *Tab) ensureFrame(id, parent proto.FrameID, h *Host) *Frame {
	f := t.Frames[id]
	if f == nil {
		f = &Frame{Tab: t, ID: id, Host: h, Number: t.set.frameNumber(id)}
		t.Frames[id] = f
	}
	if parent != "" && f.Parent == nil {
		f.Parent = t.Frames[parent]
	}
	return f
}

// Children are the frames directly inside f.
func (t *Tab) Children(f *Frame) []*Frame {
	var out []*Frame
	for _, c := range t.Frames {
		if c.Parent == f {
			out = append(out, c)
		}
	}
	return out
}

// removeFrame forgets a frame and everything in it.
func (t *Tab) removeFrame(f *Frame) {
	for _, c := range t.Children(f) {
		t.removeFrame(c)
	}
	f.setDocument(nil)
	if t.Frames[f.ID] == f {
		// Its requests are not waited for any more: the browser does not report how they ended.
		t.Traffic.Abandon(func(x *network.Exchange) bool { return x.Frame == string(f.ID) })
		delete(t.Frames, f.ID)
	}
}

// setDocument replaces the document of the frame. The lock is held.
func (f *Frame) setDocument(d *Document) {
	if old := f.Document; old != nil {
		delete(old.Host.documents, old.uid)
		close(old.gone)
		f.Tab.set.documentGone(old)
		f.unexplained = append(f.unexplained, old.serial)
	}
	f.Document = d
	f.Tab.set.Changed()
	if d != nil {
		d.Host.documents[d.uid] = d
	}
}

// Host is a protocol session that has frames in it: a tab's own, or that of a frame in another
// process.
type Host struct {
	Tab     *Tab
	Parent  *Host // nil for the tab's own
	Target  target.ID
	Session *cdp.Session

	documents map[string]*Document // by the unique id of their isolated world
	mains     map[string]*Frame    // by the unique id of their main world
}

// addHost takes in a session. The lock is held.
func (set *Set) addHost(t *Tab, parent *Host, sess *cdp.Session, id target.ID) *Host {
	h := &Host{
		Tab: t, Parent: parent, Session: sess, Target: id, documents: map[string]*Document{}, mains: map[string]*Frame{},
	}
	set.Hosts[sess.ID()] = h
	return h
}

// AddFrame takes in a frame in a process of its own. The lock is held.
func (set *Set) AddFrame(parent *Host, sess *cdp.Session, info *target.Info) *Host {
	h := set.addHost(parent.Tab, parent, sess, info.TargetID)
	f := parent.Tab.ensureFrame(proto.FrameID(info.TargetID), info.ParentFrameID, h)
	f.Host = h
	f.setDocument(nil) // what was there lived in the parent's process
	f.URL = info.URL
	return h
}

// AddWorker takes in the session of a worker, which has no frames. The lock is held.
func (set *Set) AddWorker(parent *Host, sess *cdp.Session) *Host {
	return set.addHost(parent.Tab, parent, sess, "")
}

// Remove forgets a session with the tab or the frame that it was for, and returns it; nil is one that is not known. The
// lock is held.
func (set *Set) Remove(id target.SessionID) *Host {
	h := set.Hosts[id]
	if h == nil {
		return nil
	}
	delete(set.Hosts, id)
	if h.Parent == nil {
		set.dropTab(h.Tab)
	} else if f := h.Tab.Frames[proto.FrameID(h.Target)]; f != nil && f.Host == h {
		set.explainFrame(f, "its frame was removed from the page")
		h.Tab.removeFrame(f)
	}
	return h
}

// AwaitDocument waits a moment for frames that are between two documents, whose content is of no
// use.
func (set *Set) AwaitDocument(ctx context.Context, t *Tab, grace time.Duration) error {
	wait, cancel := context.WithTimeout(ctx, grace)
	defer cancel()
	err := set.Await(wait, "page", func() (bool, error) {
		if t.Closed() || t.Dialog != nil || t.Crashed {
			return true, nil
		}
		for _, f := range t.Frames {
			if f.Document == nil && (f == t.Main || grace < WorldGrace) {
				return false, nil
			}
		}
		return t.Main != nil, nil
	})
	if err != nil && wait.Err() != nil {
		return fault.Wrap(ctx.Err(), "", "capture screen")
	}
	return err
}

// Current is the active tab, or the reason why there is none.
func (set *Set) Current() (*Tab, error) {
	set.Lock()
	defer set.Unlock()
	return set.CurrentLocked()
}

// explainFrame does the same for everything in the frame.
func (set *Set) explainFrame(f *Frame, why string) {
	set.explainDocument(f, why)
	for _, c := range f.Tab.Children(f) {
		set.explainFrame(c, why)
	}
}
