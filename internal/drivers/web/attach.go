package web

import (
	"time"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	protopage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/page"
)

// attach takes a new target into the device. It runs on the event goroutine, so everything it asks
// for is sent at once and in order, and the target is let go last. It reports false for targets it
// has no use for.
func (d *Device) attach(parent *host, sess *cdp.Session, info *target.Info) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	select {
	case <-d.done:
		return false
	default:
	}
	switch {
	case info.Type == "page" && info.Subtype == "" && parent == nil:
		d.attachTab(sess, info)
	case info.Type == "iframe" && parent != nil:
		d.attachFrame(parent, sess, info)
	case parent != nil:
		d.attachWorker(parent, sess)
		return true
	default:
		return false
	}
	return true
}

// release lets a target run that the device does not follow.
func release(sess *cdp.Session) {
	cdp.Send(sess, runtime.RunIfWaitingForDebugger, proto.Empty{})
}

func (d *Device) attachTab(sess *cdp.Session, info *target.Info) {
	for _, t := range d.tabs {
		if t.target == info.TargetID {
			release(sess)
			return
		}
	}
	t := d.newTab(info)
	t.sess = sess
	t.host = newHost(t, nil, sess, info.TargetID)
	d.hosts[sess.ID()] = t.host
	d.watch(t.host)
	d.watchTab(t)
	d.setup(t.host, info)
	d.changes.notify()
}

func (d *Device) attachFrame(parent *host, sess *cdp.Session, info *target.Info) {
	t := parent.tab
	h := newHost(t, parent, sess, info.TargetID)
	d.hosts[sess.ID()] = h
	f := t.ensureFrame(proto.FrameID(info.TargetID), info.ParentFrameID, h)
	f.host = h
	f.setDocument(nil) // what was there lived in the parent's process
	f.url = info.URL
	d.watch(h)
	d.setup(h, info)
}

// attachWorker only watches a worker's network: its requests may be what an action waits for.
func (d *Device) attachWorker(parent *host, sess *cdp.Session) {
	h := newHost(parent.tab, parent, sess, "")
	d.hosts[sess.ID()] = h
	d.watchNetwork(h)
	d.intercepted.enableRoutes(h)
	cdp.Send(sess, network.Enable, network.EnableParams{})
	cdp.Send(sess, target.SetAutoAttach, autoAttach())
	release(sess)
}

func newHost(t *tab, parent *host, sess *cdp.Session, id target.ID) *host {
	return &host{tab: t, parent: parent, sess: sess, target: id, documents: map[string]*document{},
		mains: map[string]*frame{}}
}

// setup sends what every host needs before its page may run.
func (d *Device) setup(h *host, info *target.Info) {
	s := h.sess
	cdp.Send(s, protopage.Enable, protopage.EnableParams{})
	cdp.Go(s, protopage.GetFrameTree, proto.Empty{}, func(r protopage.GetFrameTreeResult, err error) {
		if err == nil && r.FrameTree != nil {
			d.locked(func() { d.addFrameTree(h, r.FrameTree, "") })
		}
	})
	cdp.Send(s, protopage.SetLifecycleEventsEnabled, protopage.SetLifecycleEventsEnabledParams{Enabled: true})
	cdp.Send(s, target.SetAutoAttach, autoAttach())
	cdp.Send(s, runtime.Enable, proto.Empty{})
	cdp.Send(s, runtime.AddBinding, runtime.AddBindingParams{Name: deliveredBinding, ExecutionContextName: page.World})
	cdp.Send(s, log.Enable, proto.Empty{})
	cdp.Send(s, network.Enable, network.EnableParams{})
	cdp.Send(s, protopage.AddScriptToEvaluateOnNewDocument, protopage.AddScriptToEvaluateOnNewDocumentParams{
		Source: page.Source, WorldName: page.World, RunImmediately: new(true),
	})
	cdp.Send(s, protopage.AddScriptToEvaluateOnNewDocument, protopage.AddScriptToEvaluateOnNewDocumentParams{
		Source: page.Handlers, IncludeCommandLineAPI: new(true), RunImmediately: new(true),
	})
	cdp.Send(s, protopage.AddScriptToEvaluateOnNewDocument, protopage.AddScriptToEvaluateOnNewDocumentParams{
		Source: timersScript, RunImmediately: new(true),
	})
	if d.canvasToken != "" {
		d.recordCanvasTextOf(h)
	}
	if h.parent == nil {
		cdp.Send(s, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
	}
	d.emulation.Apply(h.sess, h.parent == nil)
	d.intercepted.enableRoutes(h)
	release(s)
}

// watch follows everything that happens in a host.
func (d *Device) watch(h *host) {
	s := h.sess
	d.watchFrames(h)
	d.watchDocuments(h)
	d.watchDeliveries(h)
	cdp.On(s, target.AttachedToTarget, func(e target.EventAttachedToTarget) {
		sub := s.Conn().Session(e.SessionID)
		if !d.attach(h, sub, e.TargetInfo) {
			release(sub)
		}
	})
	cdp.On(s, target.DetachedFromTarget, func(e target.EventDetachedFromTarget) { d.detached(e.SessionID) })
	d.watchNetwork(h)
	d.watchConsole(h)
	d.watchLeaving(h)
}

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

// watchTab follows what only a whole tab has.
func (d *Device) watchTab(t *tab) {
	cdp.On(t.sess, inspector.TargetCrashed, locked(d, func(inspector.EventTargetCrashed) {
		t.crashed = true
		d.changed()
		for _, f := range t.frames {
			f.setDocument(nil)
		}
	}))
	d.watchDialogs(t)
}

// detached forgets a tab or an out-of-process frame.
func (d *Device) detached(id target.SessionID) {
	d.mu.Lock()
	defer d.mu.Unlock()
	h := d.hosts[id]
	if h == nil {
		return
	}
	delete(d.hosts, id)
	d.network.Gone(h.sess)
	if h.parent == nil {
		d.dropTab(h.tab)
		d.changes.notify()
		return
	}
	if f := h.tab.frames[proto.FrameID(h.target)]; f != nil && f.host == h {
		d.explainFrame(f, "its frame was removed from the page")
		h.tab.removeFrame(f)
	}
	d.changes.notify()
}
