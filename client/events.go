package client

import (
	"cmp"
	"context"
	"iter"

	"google.golang.org/protobuf/proto"

	"github.com/trailblaze-dev/trailblaze/internal/serve/rpc"
	"github.com/trailblaze-dev/trailblaze/internal/serve/rpcerr"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
)

// Events yields the events of a session in order, each once, until it ends. When the connection is lost, it continues
// after the last event that came; a second loss with no event between is an error, and the last that it gives. A
// request without the id of a session means that of the client.
//
//	for e, err := range tb.Events(ctx, nil) {
//		if err != nil {
//			return err
//		}
//		last = e.GetSeq() // with After: last in the request it goes on from here another time
//		fmt.Println(last, e.GetType())
//	}
func (c *Client) Events(ctx context.Context, from *pb.WatchEventsRequest) iter.Seq2[*pb.Event, error] {
	return func(yield func(*pb.Event, error) bool) {
		req := proto.CloneOf(cmp.Or(from, &pb.WatchEventsRequest{}))
		for tb, came := c, true; ; came = false {
			var lost error
			for m, err := range rpc.Messages(tb.Sessions.WatchEvents(ctx, req)) {
				if lost = err; lost == nil {
					req.After, came = m.GetEvent().GetSeq(), true
					if !yield(m.GetEvent(), nil) {
						return
					}
				}
			}
			if lost != nil && came && ctx.Err() == nil && !rpcerr.Answered(lost) {
				if tb, lost = Dial(ctx, c.dialed); lost == nil { // the daemon may be another one now
					continue
				}
			}
			if lost != nil {
				yield(nil, rpcerr.From(lost))
			}
			return
		}
	}
}
