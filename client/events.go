package client

import (
	"cmp"
	"context"
	"iter"

	"google.golang.org/protobuf/proto"

	"github.com/trailblaze-dev/trailblaze/internal/rpcerr"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
)

// Events gives the events of a session in order, each once, until it ends. When the connection is lost, it goes on
// after the last event that came; a second loss with no event between is an error, and the last that it gives. A
// request without the id of a session means that of the client.
func (c *Client) Events(ctx context.Context, from *pb.WatchEventsRequest) iter.Seq2[*pb.Event, error] {
	return func(yield func(*pb.Event, error) bool) {
		req, sessions := &pb.WatchEventsRequest{}, c.Sessions
		proto.Merge(req, from)
		req.SessionId = cmp.Or(req.GetSessionId(), c.session)
		for came := true; ; came = false {
			stream, err := sessions.WatchEvents(ctx, req)
			if err == nil {
				for stream.Receive() {
					event := stream.Msg().GetEvent()
					req.After, came = event.GetSeq(), true
					if !yield(event, nil) {
						_ = stream.Close()
						return
					}
				}
				err = stream.Err()
				_ = stream.Close()
			}
			if err == nil {
				return
			}
			if ctx.Err() == nil && came && !rpcerr.Answered(err) {
				if c.again == nil {
					continue
				}
				var found *Client // the daemon may be another one now
				if found, err = c.again(ctx); err == nil {
					sessions = found.Sessions
					continue
				}
			}
			yield(nil, rpcerr.From(err))
			return
		}
	}
}
