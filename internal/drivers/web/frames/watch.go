package frames

import (
	"time"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	protopage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/page"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/sight"
)

// Watch follows the frames and documents of a host.
func (set *Set) Watch(h *Host) {
	set.watchFrames(h)
	set.watchDocuments(h)
}

// watchFrames follows the frames of a host and their navigations.
func (set *Set) watchFrames(h *Host) {
	s := h.Session
	cdp.On(s, protopage.FrameAttached, Locked(set, func(e protopage.EventFrameAttached) {
		f := h.Tab.ensureFrame(e.FrameID, e.ParentFrameID, h)
		if f.Host != h { // it came back into its parent's process
			f.setDocument(nil)
			f.Host = h
		}
	}))
	cdp.On(s, protopage.FrameDetached, Locked(set, func(e protopage.EventFrameDetached) {
		if f := h.Tab.Frames[e.FrameID]; f != nil && e.Reason != protopage.FrameDetachedReasonSwap {
			set.explainFrame(f, "its frame was removed from the page")
			h.Tab.removeFrame(f)
		}
	}))
	cdp.On(s, protopage.FrameNavigated, Locked(set, func(e protopage.EventFrameNavigated) {
		set.frameNavigated(h, e.Frame)
	}))
	cdp.On(s, protopage.NavigatedWithinDocument, Locked(set, func(e protopage.EventNavigatedWithinDocument) {
		if f := h.Tab.Frames[e.FrameID]; f != nil {
			if f == h.Tab.Main {
				h.Tab.SameDoc++
				h.Tab.Traffic.AddressChanged(f.URL, e.URL, time.Now())
			}
			f.URL = e.URL
			set.Changed()
		}
	}))
	cdp.On(s, protopage.FrameStartedLoading, Locked(set, func(e protopage.EventFrameStartedLoading) {
		if f := h.Tab.Frames[e.FrameID]; f != nil {
			f.Loading = true
		}
	}))
	cdp.On(s, protopage.FrameStoppedLoading, Locked(set, func(e protopage.EventFrameStoppedLoading) {
		if f := h.Tab.Frames[e.FrameID]; f != nil {
			f.Loading = false
		}
	}))
	cdp.On(s, protopage.LifecycleEvent, Locked(set, func(e protopage.EventLifecycleEvent) {
		f := h.Tab.Frames[e.FrameID]
		switch {
		case f == nil:
		case e.Name == "load":
			f.Loaded = e.LoaderID
		case e.Name == "DOMContentLoaded":
			f.Ready = e.LoaderID
			if f.World.Session == nil && f.Host == h {
				f.begin()
			}
		}
	}))
}

// watchDocuments follows the documents in a host's frames, each of which begins with the world of
// our page script.
func (set *Set) watchDocuments(h *Host) {
	s := h.Session
	cdp.On(s, protopage.DocumentOpened, Locked(set, func(e protopage.EventDocumentOpened) {
		if f := h.Tab.Frames[e.Frame.ID]; f != nil && f.Document != nil {
			cdp.Send(f.Document.Host.Session, runtime.Evaluate, runtime.EvaluateParams{
				Expression: page.Global + ".reopened()", ContextID: f.Document.World,
			})
			set.Changed()
		}
	}))
	cdp.On(s, runtime.ExecutionContextCreated, Locked(set, func(e runtime.EventExecutionContextCreated) {
		set.worldCreated(h, e.Context)
	}))
	cdp.On(s, runtime.ExecutionContextDestroyed, Locked(set, func(e runtime.EventExecutionContextDestroyed) {
		set.worldGone(h, e.ExecutionContextUniqueID)
	}))
	cdp.On(s, runtime.ExecutionContextsCleared, Locked(set, func(runtime.EventExecutionContextsCleared) {
		for uid := range h.documents {
			set.worldGone(h, uid)
		}
		for uid := range h.mains {
			set.worldGone(h, uid)
		}
	}))
}

// AddTree takes in the frames that were there before the host was attached to. The lock is held.
func (set *Set) AddTree(h *Host, n *protopage.FrameTree) { set.addTree(h, n, "") }

// addTree takes in the frames that were there before we attached.
func (set *Set) addTree(h *Host, n *protopage.FrameTree, parent proto.FrameID) {
	f := h.Tab.ensureFrame(n.Frame.ID, parent, h)
	if f.Loader == "" {
		f.URL, f.Loader, f.mime = n.Frame.URL+n.Frame.URLFragment, n.Frame.LoaderID, n.Frame.MimeType
	}
	if h.Parent == nil && parent == "" && h.Tab.Main == nil {
		h.Tab.Main = f
	}
	for _, c := range n.ChildFrames {
		set.addTree(h, c, n.Frame.ID)
	}
}

func (set *Set) frameNavigated(h *Host, n *proto.Frame) {
	t := h.Tab
	f := t.ensureFrame(n.ID, n.ParentID, h)
	if f.Host != h {
		f.setDocument(nil)
		f.Host = h
	}
	if h.Parent == nil && n.ParentID == "" && t.Main != f {
		if t.Main != nil { // a prerendered page took over
			t.removeFrame(t.Main)
		}
		t.Main = f
	}
	for _, c := range t.Children(f) {
		if c.Loader != n.LoaderID && f.Loader != n.LoaderID {
			set.explainFrame(c, "its frame went away when the page navigated to "+n.URL)
			t.removeFrame(c)
		}
	}
	if f.Loader != n.LoaderID {
		what := "the page"
		if f != t.Main && f.Parent != nil {
			what = "its frame"
		}
		set.explainDocument(f, what+" navigated to "+n.URL)
		if f.Loader != "" { // when its process ends too, the browser does not report how its requests ended
			t.abandon(f)
		}
	}
	f.URL, f.Loader, f.mime = n.URL+n.URLFragment, n.LoaderID, n.MimeType
	if f == t.Main {
		t.arrive(n.URL)
		if n.UnreachableURL != "" {
			f.URL, t.Failed = n.UnreachableURL, n.LoaderID
		}
	}
}

// worldCreated notes a new execution context: our isolated world, which makes a document, or a
// frame's main world.
func (set *Set) worldCreated(h *Host, c *runtime.ExecutionContextDescription) {
	var aux struct {
		FrameID   proto.FrameID `json:"frameId"`
		IsDefault bool          `json:"isDefault"`
	}
	if jsonv2.Unmarshal(c.AuxData, &aux) != nil || aux.FrameID == "" {
		return
	}
	f := h.Tab.ensureFrame(aux.FrameID, "", h)
	if f.Host != h {
		return // the frame has moved on to another process
	}
	switch {
	case aux.IsDefault:
		f.World = World{h.Session, c.ID, c.UniqueID}
		h.mains[c.UniqueID] = f
	case c.Name == page.World:
		set.lastDoc++
		doc := &Document{
			Frame: f, Host: h, serial: set.lastDoc, World: c.ID, uid: c.UniqueID,
			gone: make(chan struct{}), Sight: sight.New(),
		}
		set.documents[doc.serial] = doc
		f.setDocument(doc)
	}
}

// In is the document of a host that our script's world with this id is in; nil once it has ended.
func (set *Set) In(h *Host, world runtime.ExecutionContextID) *Document {
	set.Lock()
	defer set.Unlock()
	for _, doc := range h.documents {
		if doc.World == world {
			return doc
		}
	}
	return nil
}

func (set *Set) worldGone(h *Host, uid string) {
	if f := h.mains[uid]; f != nil {
		delete(h.mains, uid)
		if f.World.uid == uid {
			f.World = World{}
		}
	}
	doc := h.documents[uid]
	if doc == nil {
		return
	}
	if doc.Frame.Document == doc {
		doc.Frame.setDocument(nil)
		return
	}
	delete(h.documents, uid)
}

// explainDocument notes why the frame's document is about to end, or has just ended, for
// ExplainRef. The lock is held.
func (set *Set) explainDocument(f *Frame, why string) {
	if f.Document != nil {
		set.ended[f.Document.serial] = why
	}
	for _, serial := range f.unexplained {
		if set.ended[serial] == "" {
			set.ended[serial] = why
		}
	}
	f.unexplained = nil
}
