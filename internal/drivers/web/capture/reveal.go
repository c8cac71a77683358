package capture

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"

	proto "github.com/chromedp/cdproto/cdp"

	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/frames"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/page"
)

const (
	maxRounds   = 4   // closed roots inside closed roots
	maxSuspects = 400 // looked at in one round
	atOnce      = 32  // questions under way
)

// reveal finds the closed shadow roots of elements that the page script suspects of having one,
// which only the protocol can see, and hands them to the script. It reports how many there were.
func reveal(ctx context.Context, doc *frames.Document, suspects []int64) int {
	if len(suspects) > maxSuspects {
		suspects = suspects[:maxSuspects]
	}
	hosts, list, err := handles(ctx, doc, suspects)
	if err != nil {
		return 0
	}
	defer cdp.Send(doc.Host.Session, runtime.ReleaseObject, runtime.ReleaseObjectParams{ObjectID: list})
	var found atomic.Int64
	slots := make(chan struct{}, atOnce)
	var wg sync.WaitGroup
	for _, h := range hosts {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			if revealOne(ctx, doc, h) {
				found.Add(1)
			}
			cdp.Send(doc.Host.Session, runtime.ReleaseObject, runtime.ReleaseObjectParams{ObjectID: h})
		})
	}
	wg.Wait()
	return int(found.Load())
}

// handles turns element numbers into handles; list is the array that holds them.
func handles(
	ctx context.Context, doc *frames.Document, ids []int64,
) (hosts []runtime.RemoteObjectID, list runtime.RemoteObjectID, err error) {
	raw, err := jsonv2.Marshal(ids)
	if err != nil {
		return nil, "", err
	}
	res, err := cdp.Call(ctx, doc.Host.Session, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		FunctionDeclaration: "l=>l.map(" + page.Global + ".node)", ExecutionContextID: doc.World,
		Arguments: []*runtime.CallArgument{{Value: raw}}, Silent: new(true),
	})
	if err != nil || res.Result == nil || res.Result.ObjectID == "" {
		return nil, "", doc.CallError(err)
	}
	list = res.Result.ObjectID
	props, err := cdp.Call(ctx, doc.Host.Session, runtime.GetProperties,
		runtime.GetPropertiesParams{ObjectID: list, OwnProperties: new(true)})
	if err != nil {
		return nil, list, doc.CallError(err)
	}
	for _, p := range props.Result {
		if p.Value != nil && p.Value.ObjectID != "" && p.Value.Subtype == "node" {
			hosts = append(hosts, p.Value.ObjectID)
		}
	}
	return hosts, list, nil
}

func revealOne(ctx context.Context, doc *frames.Document, host runtime.RemoteObjectID) bool {
	d, err := cdp.Call(ctx, doc.Host.Session, dom.DescribeNode, dom.DescribeNodeParams{ObjectID: host})
	if err != nil || d.Node == nil {
		return false
	}
	for _, root := range d.Node.ShadowRoots {
		if root.ShadowRootType != proto.ShadowRootTypeClosed {
			continue
		}
		r, err := cdp.Call(ctx, doc.Host.Session, dom.ResolveNode, dom.ResolveNodeParams{
			BackendNodeID: root.BackendNodeID, ExecutionContextID: doc.World,
		})
		if err != nil {
			return false
		}
		_, err = doc.Invoke(ctx, "(h,r)=>"+page.Global+".registerClosedRoot(h,r)",
			[]*runtime.CallArgument{{ObjectID: host}, {ObjectID: r.Object.ObjectID}})
		cdp.Send(doc.Host.Session, runtime.ReleaseObject, runtime.ReleaseObjectParams{ObjectID: r.Object.ObjectID})
		return err == nil
	}
	return false
}
