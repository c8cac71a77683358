package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
	"github.com/trailblaze-dev/trailblaze/internal/serve/jsonsize"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
	"github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1/trailblazev1connect"
)

// services adds the services of proto/trailblaze/v1 to a mux: gRPC, gRPC-Web, Connect and JSON alike. Those that read
// descriptors are made when the first request for one comes, because most daemons never get one.
func (a *api) services(all *http.ServeMux) {
	mux := readable{all}
	options := []connect.HandlerOption{
		connect.WithReadMaxBytes(maxBody), codecs(), connect.WithInterceptors(checked{}),
	}
	mux.Handle(trailblazev1connect.NewToolServiceHandler(&toolService{a}, options...))
	mux.Handle(trailblazev1connect.NewSessionServiceHandler(&sessionService{a}, options...))
	mux.Handle(trailblazev1connect.NewViewServiceHandler(&viewService{a}, options...))
	if a.Agents != nil {
		mux.Handle(trailblazev1connect.NewAgentServiceHandler(agentService{a.Agents}, options...))
	}
	served := sync.OnceValue(func() http.Handler {
		inner := http.NewServeMux()
		if err := a.commands(inner, connect.WithReadMaxBytes(maxBody), codecs()); err != nil {
			err = fault.Wrap(err, fault.Internal, "read contract")
			return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { refuse(w, err) })
		}
		for _, name := range reflectionServices {
			reflection(inner, name)
		}
		inner.Handle(healthPath, health())
		return inner
	})
	lazy := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { served().ServeHTTP(w, r) })
	for _, name := range slices.Concat(commandServices, reflectionServices, []string{"grpc.health.v1.Health"}) {
		mux.Handle("/"+name+"/", lazy)
	}
}

// readable adds handlers that take a body which cannot be read for the mistake of who sent it.
type readable struct{ *http.ServeMux }

// Handle adds a handler.
func (m readable) Handle(pattern string, h http.Handler) {
	m.ServeMux.Handle(pattern, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = sent{r.Body}
		h.ServeHTTP(w, r)
	}))
}

// sent is the body of a request.
type sent struct{ io.ReadCloser }

// Read implements io.Reader.
func (b sent) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err == nil || errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return n, err
	}
	return n, connect.NewError(connect.CodeInvalidArgument, fmt.Errorf("the body cannot be read: %w", err))
}

// toolService implements ToolService.
type toolService struct{ *api }

// CallTool implements ToolService.
func (s *toolService) CallTool(ctx context.Context, r *pb.CallToolRequest) (*pb.CallToolResponse, error) {
	return s.callTool(ctx, r, nil)
}

func (a *api) callTool(
	ctx context.Context, r *pb.CallToolRequest, progress func(calls.Progress),
) (*pb.CallToolResponse, error) {
	args, err := argsIn(r)
	if err != nil {
		return nil, errorOf(err)
	}
	rep, err := call{a, r, args, progress}.carryOut(ctx)
	var out *pb.CallToolResponse
	if r.Whole && rep != nil {
		out, err = convertReply(rep, err)
	} else if err == nil {
		out = &pb.CallToolResponse{Call: infoOf(rep)}
		out.Result, err = resultOf(rep)
	}
	if err != nil {
		return nil, errorOf(err)
	}
	return out, nil
}

// argsIn are the arguments of a call by name, in the form that was given.
func argsIn(r *pb.CallToolRequest) (json.RawMessage, error) {
	const op = "read arguments"
	switch {
	case r.Args != nil && r.ArgsJson != "":
		return nil, fault.New(fault.Invalid, op, "args and argsJson are both given").WithHint("Give one of them.")
	case r.ArgsJson != "":
		if !json.Valid([]byte(r.ArgsJson)) {
			return nil, fault.New(fault.Invalid, op, "argsJson is not JSON").WithHint("Give the text of one JSON object.")
		}
		return json.RawMessage(r.ArgsJson), fault.Wrap(jsonsize.Check([]byte(r.ArgsJson)), fault.Invalid, op)
	case r.Args == nil:
		return nil, nil
	}
	args, err := json.Marshal(r.Args.AsMap())
	return args, fault.Wrap(err, fault.Invalid, op)
}

// WatchTool implements ToolService.
func (s *toolService) WatchTool(
	ctx context.Context, r *pb.WatchToolRequest, out *connect.ServerStream[pb.WatchToolResponse],
) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if err := out.Send(nil); err != nil { // headers alone: the daemon has the call
		return err
	}
	rep, err := s.callTool(ctx, r.Call, func(p calls.Progress) {
		err := out.Send(&pb.WatchToolResponse{Message: &pb.WatchToolResponse_Progress{Progress: progressOf(p)}})
		if err != nil {
			cancel(err)
		}
	})
	if err != nil {
		return err
	}
	return out.Send(&pb.WatchToolResponse{Message: &pb.WatchToolResponse_Result{Result: rep}})
}

func progressOf(p calls.Progress) *pb.Progress {
	return &pb.Progress{
		ElapsedMs: float64(p.Elapsed.Milliseconds()), Message: p.Message, Event: p.Event,
		Step: int32(p.Step), Total: int32(p.Total), //nolint:gosec // steps of a trail
	}
}

// ListTools implements ToolService.
func (s *toolService) ListTools(_ context.Context, r *pb.ListToolsRequest) (*pb.ListToolsResponse, error) {
	client, err := s.clientOf(r.Options)
	if err != nil {
		return nil, errorOf(err)
	}
	out := &pb.ListToolsResponse{}
	for _, t := range s.Hub.Tools(client).All() {
		spec := t.Spec()
		d := &pb.Tool{
			Name: spec.Name, Title: spec.Title, Description: spec.Description, Kind: string(spec.Kind),
			Management: s.Hub.IsManagement(spec.Name), Origin: spec.Origin,
		}
		for _, p := range spec.Platforms {
			d.Platforms = append(d.Platforms, string(p))
		}
		if d.InputSchema, err = structOf(spec.Input()); err != nil {
			return nil, errorOf(err)
		}
		if spec.Output != nil {
			if d.OutputSchema, err = structOf(spec.Output()); err != nil {
				return nil, errorOf(err)
			}
		}
		out.Tools = append(out.Tools, d)
	}
	return out, nil
}

// CancelCalls implements ToolService.
func (s *toolService) CancelCalls(_ context.Context, r *pb.CancelCallsRequest) (*pb.CancelCallsResponse, error) {
	n, err := s.cancelCalls(calls.CancelRequest{
		Client: r.ClientId, Device: r.DeviceId, CallID: r.CallId, Job: r.Job, All: r.All, Why: r.Why,
	})
	if err != nil {
		return nil, errorOf(err)
	}
	return &pb.CancelCallsResponse{Canceled: int32(n)}, nil //nolint:gosec // calls in flight
}

// structOf is a value as a protobuf Struct.
func structOf(v any) (*structpb.Struct, error) {
	const op = "write schema"
	data, err := json.Marshal(v)
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, op)
	}
	out := &structpb.Struct{}
	if err := out.UnmarshalJSON(data); err != nil {
		return nil, fault.Wrap(err, fault.Internal, op)
	}
	return out, nil
}
