package frames

import (
	proto "github.com/chromedp/cdproto/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/network"
)

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

// setDocument replaces what is loaded in the frame. The lock is held.
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
