package frames

import (
	"time"

	protopage "github.com/chromedp/cdproto/page"

	"github.com/chromedp/cdproto/runtime"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/page"
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
