package hands

import (
	"context"
	"encoding/json"
	"errors"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/overlay"
	"github.com/chromedp/cdproto/runtime"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/gesture"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/capture"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/frames"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/page"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/sight"
)

// pick is a node that a person pointed at in a host; none says that they gave up.
type pick struct {
	host *frames.Host
	node proto.BackendNodeID
}

// preparePick has the pages of a host picked from like those of the others, and hears what was picked. The lock is
// held.
func (h *Hands) preparePick(host *frames.Host) {
	picked := func(p pick) {
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.picks != nil {
			h.picks <- p
			h.picks = nil
		}
	}
	cdp.On(host.Session, overlay.InspectNodeRequested, func(e overlay.EventInspectNodeRequested) {
		picked(pick{host, e.BackendNodeID})
	})
	cdp.On(host.Session, overlay.InspectModeCanceled, func(overlay.EventInspectModeCanceled) { picked(pick{}) })
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.picks != nil {
		mark(host, true)
	}
}

// mark has the browser mark the element under the pointer, and keep the pointer from the pages of a host.
func mark(host *frames.Host, on bool) {
	if !on {
		cdp.Send(host.Session, overlay.SetInspectMode, overlay.SetInspectModeParams{Mode: overlay.InspectModeNone,
			HighlightConfig: &overlay.HighlightConfig{}})
		cdp.Send(host.Session, overlay.Disable, proto.Empty{})
		cdp.Send(host.Session, dom.Disable, proto.Empty{})
		return
	}
	cdp.Send(host.Session, dom.Enable, dom.EnableParams{})
	cdp.Send(host.Session, overlay.Enable, proto.Empty{})
	cdp.Send(host.Session, overlay.SetInspectMode, overlay.SetInspectModeParams{
		Mode: overlay.InspectModeSearchForNode, HighlightConfig: &overlay.HighlightConfig{
			ContentColor: &proto.RGBA{R: 37, G: 99, B: 235, A: 0.35}, BorderColor: &proto.RGBA{R: 37, G: 99, B: 235, A: 1},
		},
	})
}

// Pick implements gesture.Source.
func (h *Hands) Pick(ctx context.Context) (*gesture.Element, error) {
	picks := make(chan pick, 1)
	all := func(on bool) {
		h.Frames.Lock()
		defer h.Frames.Unlock()
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.picks = nil; on {
			h.picks = picks
		}
		for _, host := range h.Frames.Hosts {
			mark(host, on)
		}
	}
	all(true)
	defer all(false)
	select {
	case p := <-picks:
		if p.host == nil {
			return nil, nil
		}
		return h.element(ctx, p)
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-h.Frames.Done:
		return nil, fault.New(fault.Unavailable, "pick element", "the device was closed")
	case <-h.Frames.Lost:
		return nil, cdp.BrowserGone("pick element")
	}
}

// element finds the document that a node is in, and takes a capture of that.
func (h *Hands) element(ctx context.Context, p pick) (*gesture.Element, error) {
	var docs []*frames.Document
	h.Frames.Locked(func() {
		for _, f := range p.host.Tab.Frames {
			if f.Host == p.host && f.Document != nil {
				docs = append(docs, f.Document)
			}
		}
	})
	for _, doc := range docs {
		node, err := cdp.Call(ctx, p.host.Session, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: p.node,
			ExecutionContextID: doc.World})
		if _, other := errors.AsType[*cdp.Error](err); other {
			continue // it is of another document
		} else if err != nil {
			return nil, err
		}
		var seen struct {
			Look   *sight.Delta
			Around []int64
		}
		raw, err := doc.Invoke(ctx, "e=>({Around:"+page.Global+".around(e),Look:"+page.Global+".look({})})",
			[]*runtime.CallArgument{{ObjectID: node.Object.ObjectID}})
		cdp.Send(p.host.Session, runtime.ReleaseObject, runtime.ReleaseObjectParams{ObjectID: node.Object.ObjectID})
		if err == nil {
			err = json.Unmarshal(raw, &seen)
		}
		if err != nil {
			return nil, fault.Wrap(err, "", "pick element")
		}
		var past *capture.Past
		h.Frames.Locked(func() { past, err = capture.NewPast(h.Camera, doc, seen.Look) })
		if err != nil {
			return nil, err
		}
		e := &gesture.Element{Tab: doc.Frame.Tab.ID, Screen: past.Snapshot(ctx)}
		e.Node = nodeOf(e.Screen, doc, seen.Around)
		for _, id := range seen.Around {
			if e.Inner = doc.NodeID(id); e.Screen.Node(e.Inner) != nil {
				break
			}
		}
		return e, nil
	}
	return nil, fault.New(fault.NotFound, "pick element", "the page went away meanwhile").WithHint("Point at it again.")
}
