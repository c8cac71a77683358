package frames

import (
	"context"

	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"

	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/page"
)

// OwnerOf finds the number of the element in parent that shows the frame, 0 when it cannot be
// found. It is asked once for each frame: an element that shows another frame later has been given
// a new one.
func (set *Set) OwnerOf(ctx context.Context, parent *Document, f *Frame) int64 {
	set.Lock()
	n := parent.owners[f]
	set.Unlock()
	if n != 0 {
		return n
	}
	n, err := parent.findOwner(ctx, f)
	if err != nil {
		return 0
	}
	set.Lock()
	defer set.Unlock()
	if parent.owners == nil {
		parent.owners = map[*Frame]int64{}
	}
	parent.owners[f] = n
	return n
}

func (doc *Document) findOwner(ctx context.Context, f *Frame) (int64, error) {
	owner, err := cdp.Call(ctx, doc.Host.Session, dom.GetFrameOwner, dom.GetFrameOwnerParams{FrameID: f.ID})
	if err != nil {
		return 0, err
	}
	node, err := cdp.Call(ctx, doc.Host.Session, dom.ResolveNode, dom.ResolveNodeParams{
		BackendNodeID: owner.BackendNodeID, ExecutionContextID: doc.World, ObjectGroup: objectGroup,
	})
	if err != nil {
		return 0, err
	}
	defer cdp.Send(doc.Host.Session, runtime.ReleaseObject, runtime.ReleaseObjectParams{ObjectID: node.Object.ObjectID})
	raw, err := doc.Invoke(ctx, "e=>"+page.Global+".id(e)", []*runtime.CallArgument{{ObjectID: node.Object.ObjectID}})
	if err != nil {
		return 0, err
	}
	var n int64
	return n, jsonv2.Unmarshal(raw, &n)
}

// begin has the browser make the page's own world in a frame, and with it ours. It makes them by itself in each new
// document, but after a session of the tab has ended, as when developer tools are closed, only in those that have a
// script. The lock is held.
func (f *Frame) begin() {
	s := f.Host.Session
	cdp.Go(s, dom.GetFrameOwner, dom.GetFrameOwnerParams{FrameID: f.ID}, func(owner dom.GetFrameOwnerResult, err error) {
		if err != nil {
			return // the frame has gone
		}
		p := dom.DescribeNodeParams{BackendNodeID: owner.BackendNodeID}
		cdp.Go(s, dom.DescribeNode, p, func(r dom.DescribeNodeResult, err error) {
			if err != nil || r.Node.ContentDocument == nil {
				return
			}
			p := dom.ResolveNodeParams{BackendNodeID: r.Node.ContentDocument.BackendNodeID, ObjectGroup: objectGroup}
			cdp.Go(s, dom.ResolveNode, p, func(r dom.ResolveNodeResult, err error) {
				if err == nil {
					World{Session: s}.Drop(r.Object.ObjectID)
				}
			})
		})
	})
}
