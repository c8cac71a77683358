package web

import (
	"context"

	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"

	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/page"
)

// ownerOf finds the number of the element in parent that shows the frame, 0 when it cannot be
// found. It is asked once for each frame: an element that shows another frame later has been given
// a new one.
func (d *frameSet) ownerOf(ctx context.Context, parent *document, f *frame) int64 {
	d.mu.Lock()
	n := parent.owners[f]
	d.mu.Unlock()
	if n != 0 {
		return n
	}
	n, err := parent.findOwner(ctx, f)
	if err != nil {
		return 0
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if parent.owners == nil {
		parent.owners = map[*frame]int64{}
	}
	parent.owners[f] = n
	return n
}

func (doc *document) findOwner(ctx context.Context, f *frame) (int64, error) {
	owner, err := cdp.Call(ctx, doc.host.sess, dom.GetFrameOwner, dom.GetFrameOwnerParams{FrameID: f.id})
	if err != nil {
		return 0, err
	}
	node, err := cdp.Call(ctx, doc.host.sess, dom.ResolveNode, dom.ResolveNodeParams{
		BackendNodeID: owner.BackendNodeID, ExecutionContextID: doc.world, ObjectGroup: objectGroup,
	})
	if err != nil {
		return 0, err
	}
	defer cdp.Send(doc.host.sess, runtime.ReleaseObject, runtime.ReleaseObjectParams{ObjectID: node.Object.ObjectID})
	raw, err := doc.invoke(ctx, "e=>"+page.Global+".id(e)", []*runtime.CallArgument{{ObjectID: node.Object.ObjectID}})
	if err != nil {
		return 0, err
	}
	var n int64
	return n, jsonv2.Unmarshal(raw, &n)
}
