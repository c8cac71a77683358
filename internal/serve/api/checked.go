package api

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"buf.build/gen/go/bufbuild/protovalidate/protocolbuffers/go/buf/validate"
	"connectrpc.com/connect"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/serve/rpcerr"
	healthv1 "github.com/trailblaze-dev/trailblaze/proto/gen/grpc/health/v1"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
)

// checked holds requests to the rules of protovalidate that the contract uses outside of commands.proto; the arguments
// of tools are the dispatcher's to check. See ADR 10 for why the library is not linked. It makes the texts of responses
// UTF-8, which tools and files need not be: a message that cannot be sent would look like a connection that was lost.
// The errors of services become errors of RPC.
type checked struct{}

// WrapUnary implements connect.Interceptor.
func (checked) WrapUnary(next connect.UnaryFunc) connect.UnaryFunc {
	return func(ctx context.Context, r connect.AnyRequest) (connect.AnyResponse, error) {
		if err := check(r.Any()); err != nil {
			return nil, err
		}
		out, err := next(ctx, r)
		if err != nil {
			return nil, errorOf(err)
		}
		tidy(out.Any())
		return out, nil
	}
}

// WrapStreamingClient implements connect.Interceptor.
func (checked) WrapStreamingClient(next connect.StreamingClientFunc) connect.StreamingClientFunc {
	return next
}

// WrapStreamingHandler implements connect.Interceptor.
func (checked) WrapStreamingHandler(next connect.StreamingHandlerFunc) connect.StreamingHandlerFunc {
	return func(ctx context.Context, conn connect.StreamingHandlerConn) error {
		return errorOf(next(ctx, checkedConn{conn}))
	}
}

type checkedConn struct{ connect.StreamingHandlerConn }

// Receive implements connect.StreamingHandlerConn.
func (c checkedConn) Receive(message any) error {
	if err := c.StreamingHandlerConn.Receive(message); err != nil {
		return err
	}
	return check(message)
}

// Send implements connect.StreamingHandlerConn.
func (c checkedConn) Send(message any) error {
	tidy(message)
	return c.StreamingHandlerConn.Send(message)
}

func tidy(message any) {
	if m, ok := message.(proto.Message); ok {
		rpcerr.Tidy(m.ProtoReflect())
	}
}

// check reports all violations at once.
func check(message any) error {
	m, ok := message.(proto.Message)
	if !ok {
		return nil
	}
	if wrong := violations(m.ProtoReflect(), ""); len(wrong) > 0 {
		return errorOf(fault.New(fault.Invalid, "read request", "%s", strings.Join(wrong, "; ")).
			WithHint("proto/trailblaze/v1 says what each field may be."))
	}
	return nil
}

func violations(m protoreflect.Message, path string) (wrong []string) {
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		f := fields.Get(i)
		at := path + f.JSONName()
		for _, text := range broken(f, m) {
			wrong = append(wrong, at+" "+text)
		}
		if f.Message() != nil && !f.IsList() && !f.IsMap() && m.Has(f) {
			wrong = append(wrong, violations(m.Get(f).Message(), at+".")...)
		}
	}
	return wrong
}

// broken returns the rules that the value of a field breaks.
func broken(f protoreflect.FieldDescriptor, m protoreflect.Message) (out []string) {
	rules, ok := proto.GetExtension(f.Options(), validate.E_Field).(*validate.FieldRules)
	if !ok || rules == nil {
		return nil
	}
	if rules.GetRequired() && !m.Has(f) {
		return []string{"is missing"}
	}
	if f.HasPresence() && !m.Has(f) {
		return nil
	}
	if s := rules.GetString(); s != nil {
		out = brokenText(s, m.Get(f).String())
	}
	if n := rules.GetInt64(); n != nil && n.HasGte() && m.Get(f).Int() < n.GetGte() {
		out = append(out, fmt.Sprintf("must be %d or more", n.GetGte()))
	}
	return out
}

func brokenText(s *validate.StringRules, text string) []string {
	n := uint64(utf8.RuneCountInString(text)) //nolint:gosec // a length
	if n < s.GetMinLen() || s.MaxLen != nil && n > s.GetMaxLen() {
		return []string{fmt.Sprintf("must have %d to %d characters", s.GetMinLen(), s.GetMaxLen())}
	}
	return nil
}

// exactJSON reads JSON as Connect does, but refuses a call with an argument that there is not. Other requests may have
// fields that this daemon does not know.
type exactJSON struct{ name string }

// codecs make handlers read JSON so.
func codecs() connect.HandlerOption {
	return connect.WithHandlerOptions(
		connect.WithCodec(exactJSON{"json"}), connect.WithCodec(exactJSON{"json; charset=utf-8"}))
}

// Name implements connect.Codec.
func (c exactJSON) Name() string { return c.name }

// Marshal implements connect.Codec.
func (exactJSON) Marshal(message any) ([]byte, error) {
	m, ok := message.(proto.Message)
	if !ok {
		return nil, fmt.Errorf("%T is no message", message)
	}
	return protojson.Marshal(m)
}

// Unmarshal implements connect.Codec. A client sees nothing but its error, so it lists the fields that the request may
// have.
func (exactJSON) Unmarshal(data []byte, message any) error {
	m, ok := message.(proto.Message)
	if !ok {
		return fmt.Errorf("%T is no message", message)
	}
	exact := false
	switch message.(type) {
	case *dynamicpb.Message, *pb.CallToolRequest, *pb.WatchToolRequest:
		exact = true
	}
	err := protojson.UnmarshalOptions{DiscardUnknown: !exact}.Unmarshal(data, m)
	if err == nil {
		return nil
	}
	of := m.ProtoReflect().Descriptor()
	var names []string
	for i := range of.Fields().Len() {
		names = append(names, of.Fields().Get(i).JSONName())
	}
	return fmt.Errorf("%s. %s has %s", rpcerr.JSON(err), of.Name(), strings.Join(names, ", "))
}

// healthPath is the path of gRPC's health protocol.
const healthPath = "/grpc.health.v1.Health/Check"

// health answers that the daemon serves: a request that comes so far is answered by a hub that is there.
func health() http.Handler {
	return connect.NewUnaryHandler(healthPath,
		func(_ context.Context, r *connect.Request[healthv1.HealthCheckRequest]) (
			*connect.Response[healthv1.HealthCheckResponse], error,
		) {
			if name := r.Msg.GetService(); name != "" && !slices.Contains(serviceNames(), name) {
				return nil, errorOf(fault.New(fault.NotFound, "check health", "no service is called %.80q", name).
					WithHint("Reflection lists them; no name asks for all."))
			}
			return connect.NewResponse(&healthv1.HealthCheckResponse{
				Status: healthv1.HealthCheckResponse_SERVING,
			}), nil
		})
}
