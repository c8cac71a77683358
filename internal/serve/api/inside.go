package api

import (
	"context"
	"net/http"
	"sync"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/proto"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
	"github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1/trailblazev1connect"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Resumer makes calls from inside of calls that are in flight: the hub, or a dispatcher.
type Resumer interface {
	ResumeIn(ctx context.Context, sessionID, invocationID string, c tool.Call) (*tool.Result, error)
}

// Inside serves tools in other processes: CallTool and the typed commands, for calls from inside of the call that they
// carry out. The id of that call is the right to make them. A request without one is for the only call in flight, and
// knows has to accept its Authorization header.
func Inside(calls Resumer, knows func(authorization string) bool) http.Handler {
	a := &api{within: calls}
	served := sync.OnceValue(func() http.Handler {
		mux := http.NewServeMux()
		options := []connect.HandlerOption{
			connect.WithReadMaxBytes(maxBody), codecs(), connect.WithInterceptors(checked{}, admitted{knows}),
		}
		procedure := trailblazev1connect.ToolServiceCallToolProcedure
		mux.Handle(procedure, connect.NewUnaryHandlerSimple(procedure, (&toolService{a}).CallTool, options...))
		if err := a.commands(mux, options...); err != nil {
			return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				http.Error(w, err.Error(), http.StatusInternalServerError)
			})
		}
		return mux
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { served().ServeHTTP(w, r) })
}

// admitted limits requests to those that Inside allows.
type admitted struct{ knows func(string) bool }

// WrapUnary implements connect.Interceptor.
func (i admitted) WrapUnary(next connect.UnaryFunc) connect.UnaryFunc {
	return func(ctx context.Context, r connect.AnyRequest) (connect.AnyResponse, error) {
		options := &pb.CallOptions{}
		if m, ok := r.Any().(proto.Message); ok {
			var err error
			if options, err = optionsIn(m.ProtoReflect()); err != nil {
				return nil, errorOf(err)
			}
		}
		if options.GetInvocationId() == "" && !i.knows(r.Header().Get("Authorization")) {
			return nil, errorOf(fault.New(fault.Denied, "call back", "the request has no invocation_id").
				WithHint("Send back the invocationId that came in the call's _meta.trailblaze, or the token of " +
					"TRAILBLAZE_CALLBACK_TOKEN."))
		}
		return next(ctx, r)
	}
}

// WrapStreamingClient implements connect.Interceptor.
func (admitted) WrapStreamingClient(next connect.StreamingClientFunc) connect.StreamingClientFunc {
	return next
}

// WrapStreamingHandler implements connect.Interceptor. No stream is served.
func (admitted) WrapStreamingHandler(next connect.StreamingHandlerFunc) connect.StreamingHandlerFunc {
	return next
}

// resume makes a call from inside of one that is in flight: in its session, on its device.
func (c call) resume(ctx context.Context, clientID string) (*calls.Reply, error) {
	began := time.Now()
	made := tool.Call{Name: c.Name, Args: c.args}
	res, err := c.within.ResumeIn(ctx, c.SessionId, c.GetOptions().GetInvocationId(), made)
	return &calls.Reply{Client: clientID, Result: res, Session: c.SessionId, Duration: time.Since(began)}, err
}
