package client

import (
	"context"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/rpcerr"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
)

// calling fills into each request what the options say, and makes a *fault.Error of each failure.
type calling struct{ o Options }

// WrapUnary implements connect.Interceptor.
func (i *calling) WrapUnary(next connect.UnaryFunc) connect.UnaryFunc {
	return func(ctx context.Context, r connect.AnyRequest) (connect.AnyResponse, error) {
		if _, bounded := ctx.Deadline(); !bounded && i.o.Timeout > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, i.o.Timeout)
			defer cancel()
		}
		if m, ok := r.Any().(proto.Message); ok {
			i.fill(m.ProtoReflect())
		}
		i.sign(r.Header())
		out, err := next(ctx, r)
		if err != nil {
			return nil, rpcerr.From(err)
		}
		if err := failureIn(out.Any()).Err(); err != nil {
			return nil, err
		}
		return out, nil
	}
}

// WrapStreamingClient implements connect.Interceptor.
func (i *calling) WrapStreamingClient(next connect.StreamingClientFunc) connect.StreamingClientFunc {
	return func(ctx context.Context, spec connect.Spec) connect.StreamingClientConn {
		conn := next(ctx, spec)
		i.sign(conn.RequestHeader())
		return conn
	}
}

// WrapStreamingHandler implements connect.Interceptor.
func (i *calling) WrapStreamingHandler(next connect.StreamingHandlerFunc) connect.StreamingHandlerFunc {
	return next
}

func (i *calling) sign(h interface{ Set(key, value string) }) {
	if i.o.Token != "" {
		h.Set("Authorization", "Bearer "+i.o.Token)
	}
}

// fill sets device, session and options of a request, except for what the caller has set.
func (i *calling) fill(m protoreflect.Message) {
	fields := m.Descriptor().Fields()
	for name, value := range map[protoreflect.Name]string{"device_id": i.o.Device, "session_id": i.o.Session} {
		if f := fields.ByName(name); f != nil && value != "" && !m.Has(f) {
			m.Set(f, protoreflect.ValueOfString(value))
		}
	}
	f := fields.ByName("options")
	if f == nil || f.Message() == nil {
		return
	}
	have, _ := m.Mutable(f).Message().Interface().(*pb.CallOptions)
	if have == nil {
		return
	}
	use := &pb.CallOptions{Client: i.o.Name, Workspace: i.o.Workspace, InvocationId: i.o.invocation, Secrets: i.o.Secrets}
	if use.Client == "" {
		use.Client = "go"
	}
	proto.Merge(use, have)
	proto.Merge(have, use)
}

// failureIn is the failure that a response tells, nil when there is none.
func failureIn(message any) *fault.Failure {
	m, ok := message.(interface{ GetFailure() *pb.Failure })
	if r, is := message.(*pb.CallToolResponse); is {
		m, ok = r.GetResult(), true
	}
	if !ok || m.GetFailure() == nil {
		return nil
	}
	return rpcerr.Fault(m.GetFailure())
}
