package web

import (
	"fmt"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
)

// tab is a page target: a tab or a popup. Device.mu guards its fields.
type tab struct {
	dev    *Device
	id     string // "t1"
	target target.ID
	opener *tab
	host   *host // its own session
	sess   *cdp.Session

	main   *frame
	frames map[proto.FrameID]*frame

	dialog  *openDialog
	crashed bool
	private bool          // ours, in nobody's list; every request in it is answered with an empty page
	gone    chan struct{} // closed when the tab is

	navigations uint64           // documents committed in the main frame
	judged      uint64           // navigations that the effect of an action has told of
	asked       bool             // the page asked for another document, which is not there yet
	failed      proto.LoaderID   // the document that stands for one that did not load
	sameDoc     uint64           // navigations within the document
	lastLoad    navigationResult // of the main frame
	net         inflight
	habits      habits // what its pages do by themselves
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
		f = &frame{tab: t, id: id, host: h, number: t.dev.frameNumber(id)}
		t.frames[id] = f
	}
	if parent != "" && f.parent == nil {
		f.parent = t.frames[parent]
	}
	return f
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
		t.abandonFrame(string(f.id))
		delete(t.frames, f.id)
	}
}

// setDocument replaces what is loaded in the frame. Device.mu is held.
func (f *frame) setDocument(d *document) {
	if old := f.doc; old != nil {
		delete(old.host.documents, old.uid)
		close(old.gone)
		f.tab.dev.documentGone(old)
		f.unexplained = append(f.unexplained, old.serial)
	}
	f.doc = d
	f.tab.dev.changed()
	if d != nil {
		d.host.documents[d.uid] = d
	}
}
