package web

import (
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
