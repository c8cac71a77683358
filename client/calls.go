package client

import (
	"cmp"
	"context"
	"net/http"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/rpcerr"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
)

// calling fills into each request what the options say, and makes a *fault.Error of each failure.
func (o Options) calling() connect.ClientOption {
	usual, _ := protojson.Marshal(&pb.CallToolRequest{ // nothing when a text is no UTF-8: each call says so
		DeviceId: o.Device, SessionId: o.Session, Options: &pb.CallOptions{
			Client: cmp.Or(o.Name, "go"), Workspace: o.Workspace, InvocationId: o.invocation, Secrets: o.Secrets,
		},
	})
	return connect.WithInterceptors(connect.UnaryInterceptorFunc(func(next connect.UnaryFunc) connect.UnaryFunc {
		return func(ctx context.Context, r connect.AnyRequest) (connect.AnyResponse, error) {
			if _, bounded := ctx.Deadline(); !bounded && o.Timeout > 0 {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, o.Timeout)
				defer cancel()
			}
			if m, ok := r.Any().(proto.Message); ok {
				given := proto.Clone(m)
				if err := (protojson.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(usual, m); err != nil {
					return nil, fault.Wrap(err, fault.Invalid, "use options")
				}
				proto.Merge(m, given)
			}
			out, err := next(ctx, r)
			if err == nil {
				err = rpcerr.InResponse(out.Any())
			}
			return out, rpcerr.From(err)
		}
	}))
}

// signing carries requests, with the token of the daemon.
type signing struct {
	connect.HTTPClient
	token string
}

// Do implements connect.HTTPClient.
func (s signing) Do(r *http.Request) (*http.Response, error) {
	if s.token != "" {
		r.Header.Set("Authorization", "Bearer "+s.token)
	}
	return s.HTTPClient.Do(r)
}
