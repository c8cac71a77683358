package web

import (
	"context"
	"encoding/json"
	"strconv"

	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"

	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/page"
)

// ownerOf finds the number of the element in parent that shows the frame, 0 when it cannot be found. It is asked once
// for each frame: an element that shows another frame later has been given a new one.
func (d *Device) ownerOf(ctx context.Context, parent *document, f *frame) int64 {
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

// place is where the document's viewport lies in the tab's now, so that points in it can be clicked.
func (d *Device) place(ctx context.Context, doc *document) (placement, error) {
	at := placement{scale: 1}
	for f := doc.frame; ; {
		d.mu.Lock()
		up := f.parent
		var outer *document
		if up != nil {
			outer = up.doc
		}
		d.mu.Unlock()
		if up == nil {
			return at, nil
		}
		if outer == nil {
			return at, errGone
		}
		owner := d.ownerOf(ctx, outer, f)
		if owner == 0 {
			return at, errGone
		}
		var box struct{ X, Y, W, H, Scale float64 }
		raw, err := outer.invoke(ctx, "i=>{const e="+page.Global+".node(i);return e&&"+page.Global+".place(e)}",
			[]*runtime.CallArgument{{Value: jsonv2.Value(strconv.FormatInt(owner, 10))}})
		if err != nil {
			return at, err
		}
		if len(raw) == 0 || string(raw) == "null" || json.Unmarshal(raw, &box) != nil {
			return at, errGone
		}
		at.x, at.y, at.scale = box.X+at.x*box.Scale, box.Y+at.y*box.Scale, at.scale*box.Scale
		f = up
	}
}
