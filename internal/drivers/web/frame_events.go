package web

import (
	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	protopage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/page"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/sight"
)

// addFrameTree takes in the frames that were there before we attached.
func (d *frameSet) addFrameTree(h *host, n *protopage.FrameTree, parent proto.FrameID) {
	f := h.tab.ensureFrame(n.Frame.ID, parent, h)
	if f.loader == "" {
		f.url, f.loader, f.mime = n.Frame.URL+n.Frame.URLFragment, n.Frame.LoaderID, n.Frame.MimeType
	}
	if h.parent == nil && parent == "" && h.tab.main == nil {
		h.tab.main = f
	}
	for _, c := range n.ChildFrames {
		d.addFrameTree(h, c, n.Frame.ID)
	}
}

func (d *frameSet) frameNavigated(h *host, n *proto.Frame) {
	t := h.tab
	f := t.ensureFrame(n.ID, n.ParentID, h)
	if f.host != h {
		f.setDocument(nil)
		f.host = h
	}
	if h.parent == nil && n.ParentID == "" && t.main != f {
		if t.main != nil { // a prerendered page took over
			t.removeFrame(t.main)
		}
		t.main = f
	}
	for _, c := range t.children(f) {
		if c.loader != n.LoaderID && f.loader != n.LoaderID {
			d.explainFrame(c, "its frame went away when the page navigated to "+n.URL)
			t.removeFrame(c)
		}
	}
	if f.loader != n.LoaderID {
		what := "the page"
		if f != t.main && f.parent != nil {
			what = "its frame"
		}
		d.explainDocument(f, what+" navigated to "+n.URL)
		if f.loader != "" { // when its process ends too, the browser does not report how its requests ended
			t.abandon(f)
		}
	}
	f.url, f.loader, f.mime = n.URL+n.URLFragment, n.LoaderID, n.MimeType
	if f == t.main {
		t.crashed = false
		t.navigations++
		t.asked = false
		t.traffic.NewDocument()
		if n.UnreachableURL != "" {
			f.url, t.failed = n.UnreachableURL, n.LoaderID
		}
	}
}

// worldCreated notes a new execution context: our isolated world, which makes a document, or a
// frame's main world.
func (d *frameSet) worldCreated(h *host, c *runtime.ExecutionContextDescription) {
	var aux struct {
		FrameID   proto.FrameID `json:"frameId"`
		IsDefault bool          `json:"isDefault"`
	}
	if jsonv2.Unmarshal(c.AuxData, &aux) != nil || aux.FrameID == "" {
		return
	}
	f := h.tab.ensureFrame(aux.FrameID, "", h)
	if f.host != h {
		return // the frame has moved on to another process
	}
	switch {
	case aux.IsDefault:
		f.main = mainWorld{h.sess, c.ID, c.UniqueID}
		h.mains[c.UniqueID] = f
	case c.Name == page.World:
		d.lastDoc++
		doc := &document{
			frame: f, host: h, serial: d.lastDoc, world: c.ID, uid: c.UniqueID,
			gone: make(chan struct{}), sight: sight.New(),
		}
		d.documents[doc.serial] = doc
		f.setDocument(doc)
	}
}

func (d *frameSet) worldGone(h *host, uid string) {
	if f := h.mains[uid]; f != nil {
		delete(h.mains, uid)
		if f.main.uid == uid {
			f.main = mainWorld{}
		}
	}
	doc := h.documents[uid]
	if doc == nil {
		return
	}
	if doc.frame.doc == doc {
		doc.frame.setDocument(nil)
		return
	}
	delete(h.documents, uid)
}

// explainDocument notes why the frame's document is about to end, or has just ended, for
// ExplainRef. Device.mu is held.
func (d *frameSet) explainDocument(f *frame, why string) {
	if f.doc != nil {
		d.ended[f.doc.serial] = why
	}
	for _, serial := range f.unexplained {
		if d.ended[serial] == "" {
			d.ended[serial] = why
		}
	}
	f.unexplained = nil
}

// explainFrame does the same for everything in the frame.
func (d *frameSet) explainFrame(f *frame, why string) {
	d.explainDocument(f, why)
	for _, c := range f.tab.children(f) {
		d.explainFrame(c, why)
	}
}
