package web

import (
	protopage "github.com/chromedp/cdproto/page"
	"time"

	"github.com/chromedp/cdproto/runtime"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/page"
)

// watchFrames follows the frames of a host and their navigations.
func (d *frameSet) watchFrames(h *host) {
	s := h.sess
	cdp.On(s, protopage.FrameAttached, locked(d, func(e protopage.EventFrameAttached) {
		f := h.tab.ensureFrame(e.FrameID, e.ParentFrameID, h)
		if f.host != h { // it came back into its parent's process
			f.setDocument(nil)
			f.host = h
		}
	}))
	cdp.On(s, protopage.FrameDetached, locked(d, func(e protopage.EventFrameDetached) {
		if f := h.tab.frames[e.FrameID]; f != nil && e.Reason != protopage.FrameDetachedReasonSwap {
			d.explainFrame(f, "its frame was removed from the page")
			h.tab.removeFrame(f)
		}
	}))
	cdp.On(s, protopage.FrameNavigated, locked(d, func(e protopage.EventFrameNavigated) {
		d.frameNavigated(h, e.Frame)
	}))
	cdp.On(s, protopage.NavigatedWithinDocument, locked(d, func(e protopage.EventNavigatedWithinDocument) {
		if f := h.tab.frames[e.FrameID]; f != nil {
			if f == h.tab.main {
				h.tab.sameDoc++
				h.tab.traffic.AddressChanged(f.url, e.URL, time.Now())
			}
			f.url = e.URL
			d.changed()
		}
	}))
	cdp.On(s, protopage.FrameStartedLoading, locked(d, func(e protopage.EventFrameStartedLoading) {
		if f := h.tab.frames[e.FrameID]; f != nil {
			f.loading = true
		}
	}))
	cdp.On(s, protopage.FrameStoppedLoading, locked(d, func(e protopage.EventFrameStoppedLoading) {
		if f := h.tab.frames[e.FrameID]; f != nil {
			f.loading = false
		}
	}))
	cdp.On(s, protopage.LifecycleEvent, locked(d, func(e protopage.EventLifecycleEvent) {
		f := h.tab.frames[e.FrameID]
		switch {
		case f == nil:
		case e.Name == "load":
			f.loaded = e.LoaderID
		case e.Name == "DOMContentLoaded":
			f.ready = e.LoaderID
		}
	}))
}

// watchDocuments follows the documents in a host's frames, each of which begins with the world of
// our page script.
func (d *frameSet) watchDocuments(h *host) {
	s := h.sess
	cdp.On(s, protopage.DocumentOpened, locked(d, func(e protopage.EventDocumentOpened) {
		if f := h.tab.frames[e.Frame.ID]; f != nil && f.doc != nil {
			cdp.Send(f.doc.host.sess, runtime.Evaluate, runtime.EvaluateParams{
				Expression: page.Global + ".reopened()", ContextID: f.doc.world,
			})
			d.changed()
		}
	}))
	cdp.On(s, runtime.ExecutionContextCreated, locked(d, func(e runtime.EventExecutionContextCreated) {
		d.worldCreated(h, e.Context)
	}))
	cdp.On(s, runtime.ExecutionContextDestroyed, locked(d, func(e runtime.EventExecutionContextDestroyed) {
		d.worldGone(h, e.ExecutionContextUniqueID)
	}))
	cdp.On(s, runtime.ExecutionContextsCleared, locked(d, func(runtime.EventExecutionContextsCleared) {
		for uid := range h.documents {
			d.worldGone(h, uid)
		}
		for uid := range h.mains {
			d.worldGone(h, uid)
		}
	}))
}
