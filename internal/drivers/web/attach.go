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
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/frames"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/page"
)

// attach takes a new target into the device. It runs on the event goroutine, so everything it asks
// for is sent at once and in order, and the target is let go last. It reports false for targets it
// has no use for.
func (d *Device) attach(parent *frames.Host, sess *cdp.Session, info *target.Info) bool {
	d.frames.Lock()
	defer d.frames.Unlock()
	select {
	case <-d.frames.Done:
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
	t := d.frames.AddTab(sess, info)
	if t == nil {
		release(sess)
		return
	}
	d.watch(t.Host)
	d.watchTab(t)
	d.setup(t.Host)
	d.frames.Changes.Notify()
}

func (d *Device) attachFrame(parent *frames.Host, sess *cdp.Session, info *target.Info) {
	h := d.frames.AddFrame(parent, sess, info)
	d.watch(h)
	d.setup(h)
}

// attachWorker only watches a worker's network: its requests may be what an action waits for.
func (d *Device) attachWorker(parent *frames.Host, sess *cdp.Session) {
	h := d.frames.AddWorker(parent, sess)
	d.watchNetwork(h)
	d.intercepted.enableRoutes(h)
	cdp.Send(sess, network.Enable, network.EnableParams{})
	cdp.Send(sess, target.SetAutoAttach, autoAttach())
	release(sess)
}

// setup sends what every host needs before its page may run.
func (d *Device) setup(h *frames.Host) {
	s := h.Session
	cdp.Send(s, protopage.Enable, protopage.EnableParams{})
	cdp.Go(s, protopage.GetFrameTree, proto.Empty{}, func(r protopage.GetFrameTreeResult, err error) {
		if err == nil && r.FrameTree != nil {
			d.frames.Locked(func() { d.frames.AddTree(h, r.FrameTree) })
		}
	})
	cdp.Send(s, protopage.SetLifecycleEventsEnabled, protopage.SetLifecycleEventsEnabledParams{Enabled: true})
	cdp.Send(s, target.SetAutoAttach, autoAttach())
	cdp.Send(s, runtime.Enable, proto.Empty{})
	cdp.Send(s, log.Enable, proto.Empty{})
	cdp.Send(s, network.Enable, network.EnableParams{})
	cdp.Send(s, protopage.AddScriptToEvaluateOnNewDocument, protopage.AddScriptToEvaluateOnNewDocumentParams{
		Source: page.Source, WorldName: page.World, RunImmediately: new(true),
	})
	cdp.Send(s, protopage.AddScriptToEvaluateOnNewDocument, protopage.AddScriptToEvaluateOnNewDocumentParams{
		Source: page.Handlers, IncludeCommandLineAPI: new(true), RunImmediately: new(true),
	})
	d.Performer.Prepare(h)
	d.Camera.Prepare(h)
	if d.Hands != nil {
		d.Hands.Prepare(h)
	}
	if h.Parent == nil {
		cdp.Send(s, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
	}
	if !d.options.Bar {
		d.emulation.Apply(h.Session, h.Parent == nil)
	}
	d.intercepted.enableRoutes(h)
	release(s)
}

// watch follows everything that happens in a host.
func (d *Device) watch(h *frames.Host) {
	s := h.Session
	d.frames.Watch(h)
	cdp.On(s, target.AttachedToTarget, func(e target.EventAttachedToTarget) {
		sub := s.Conn().Session(e.SessionID)
		if !d.attach(h, sub, e.TargetInfo) {
			release(sub)
		}
	})
	cdp.On(s, target.DetachedFromTarget, func(e target.EventDetachedFromTarget) { d.detached(e.SessionID) })
	d.watchNetwork(h)
	d.watchConsole(h)
	d.Performer.Watch(h)
}

// watchTab follows what only a whole tab has.
func (d *Device) watchTab(t *frames.Tab) {
	cdp.On(t.Session, inspector.TargetCrashed, frames.Locked(d.frames, func(inspector.EventTargetCrashed) { t.Crash() }))
	d.watchDialogs(t)
}

// detached forgets a tab or an out-of-process frame.
func (d *Device) detached(id target.SessionID) {
	if d.Hands != nil {
		d.Hands.Detached(id)
	}
	d.frames.Lock()
	defer d.frames.Unlock()
	if h := d.frames.Remove(id); h != nil {
		d.network.Gone(h.Session)
		d.frames.Changes.Notify()
	}
}
