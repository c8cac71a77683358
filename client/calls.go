package client

import (
	"cmp"
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"strings"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/rpcerr"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
)

// Result is what a tool gave.
type Result struct {
	Value json.RawMessage // typed, as the output schema of the tool describes it; nil: none
	Text  string          // what a person reads of it
	Call  *pb.CallInfo    // where the call ran, and what the screen shows after it
}

// CallTool calls a tool by its name: built in, of the workspace, or of another server. The arguments are anything that
// is an object as JSON; nil means none.
func (c *Client) CallTool(ctx context.Context, name string, args any) (*Result, error) {
	data, err := json.Marshal(args)
	if err != nil {
		return nil, fault.Wrap(err, fault.Invalid, "write the arguments of "+name)
	}
	if string(data) == "null" {
		data = nil
	}
	r, err := c.Tools.CallTool(ctx, &pb.CallToolRequest{Name: name, ArgsJson: string(data)})
	if err != nil {
		return nil, err
	}
	out := &Result{Call: r.GetCall(), Value: json.RawMessage(r.GetResult().GetValueJson())}
	for _, part := range r.GetCall().GetContent() {
		if part.GetText() != "" {
			out.Text = strings.TrimPrefix(out.Text+"\n"+part.GetText(), "\n")
		}
	}
	if v := r.GetResult().GetValue(); v != nil && len(out.Value) == 0 {
		out.Value, err = v.MarshalJSON()
	}
	return out, err
}

// Events gives the events of a session in order, each once, until it ends. When the connection is lost, it goes on
// after the last event that came; a second loss with no event between is an error, and the last that it gives. A
// request without the id of a session means that of the client.
func (c *Client) Events(ctx context.Context, from *pb.WatchEventsRequest) iter.Seq2[*pb.Event, error] {
	return func(yield func(*pb.Event, error) bool) {
		req, tb := &pb.WatchEventsRequest{}, c
		proto.Merge(req, from)
		req.SessionId = cmp.Or(req.GetSessionId(), c.session)
		for came := true; ; came = false {
			stream, err := tb.Sessions.WatchEvents(ctx, req)
			for err == nil && stream.Receive() {
				event := stream.Msg().GetEvent()
				req.After, came = event.GetSeq(), true
				if !yield(event, nil) {
					_ = stream.Close()
					return
				}
			}
			if err == nil {
				err = stream.Err()
				_ = stream.Close()
			}
			if err != nil && ctx.Err() == nil && came && !rpcerr.Answered(err) {
				if tb, err = c.again(ctx); err == nil { // the daemon may be another one now
					continue
				}
			}
			if err != nil {
				yield(nil, rpcerr.From(err))
			}
			return
		}
	}
}

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
