package api

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"path"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
	"github.com/trailblaze-dev/trailblaze/proto/descriptor"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
	"github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1/trailblazev1connect"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// commandServices are the services whose methods are tools.
var commandServices = []string{
	"trailblaze.v1.TrailblazeCommands", "trailblaze.v1.MobileCommands", "trailblaze.v1.WebCommands",
	"trailblaze.v1.DesktopCommands", "trailblaze.v1.ManagementCommands",
}

func serviceNames() []string {
	return append([]string{trailblazev1connect.ToolServiceName, trailblazev1connect.SessionServiceName,
		trailblazev1connect.AgentServiceName, trailblazev1connect.ViewServiceName}, commandServices...)
}

// commands adds a handler for each method that names a tool. It reads their messages from the
// descriptor, so that no code is written for any of them.
func (a *api) commands(mux *http.ServeMux, options ...connect.HandlerOption) error {
	file, err := descriptor.Commands()
	if err != nil {
		return err
	}
	services := file.Services()
	for i := range services.Len() {
		methods := services.Get(i).Methods()
		for j := range methods.Len() {
			c := command{api: a, method: methods.Get(j)}
			c.tool, _ = proto.GetExtension(c.method.Options(), pb.E_Tool).(string)
			procedure := "/" + string(services.Get(i).FullName()) + "/" + string(c.method.Name())
			mux.Handle(procedure, connect.NewUnaryHandler(procedure, c.call,
				append(options, connect.WithSchema(c.method), connect.WithRequestInitializer(c.request))...))
		}
		mux.HandleFunc("/"+string(services.Get(i).FullName())+"/", noMethod)
	}
	return nil
}

// noMethod answers a method that its service lacks, such as one of a newer contract, and all of DesktopCommands. The
// errors of requests of another kind are those of HTTP.
func noMethod(w http.ResponseWriter, r *http.Request) {
	service, method := path.Split(r.URL.Path)
	answer := connect.NewErrorWriter()
	if !answer.IsSupported(r) {
		nothing(http.StatusNotFound)(w, r)
		return
	}
	err := fault.New(fault.Unsupported, "call method", "%s has no method %s", path.Base(service), method).
		WithHint("ToolService.GetBackends says which backends the device has, ListTools which tools there are.")
	_ = answer.Write(w, r, errorOf(err))
}

// command is a method that calls a tool.
type command struct {
	*api
	method protoreflect.MethodDescriptor
	tool   string
}

// request makes the message that a request is read into.
func (c command) request(_ connect.Spec, message any) error {
	if m, ok := message.(*dynamicpb.Message); ok {
		*m = *dynamicpb.NewMessage(c.method.Input())
	}
	return nil
}

// The fields of every request; see package contract.
const (
	deviceField  = "device_id"
	sessionField = "session_id"
	optionsField = "options"
)

// call translates a request into a call of the tool, and the tool's result into a response. A query or assertion that
// fails is an error; the response of an action holds its outcome.
func (c command) call(
	ctx context.Context, r *connect.Request[dynamicpb.Message],
) (*connect.Response[dynamicpb.Message], error) {
	m := r.Msg.ProtoReflect()
	if len(m.GetUnknown()) > 0 {
		return nil, errorOf(fault.New(fault.Invalid, "call "+c.tool, "the request has arguments unknown to this daemon").
			WithHint("The client was made of a newer contract. Update trailblaze, or leave out what is new."))
	}
	fields := c.method.Input().Fields()
	text := func(name protoreflect.Name) string { return m.Get(fields.ByName(name)).String() }
	options, err := optionsIn(m)
	if err != nil {
		return nil, errorOf(err)
	}
	made := call{api: c.api, CallToolRequest: &pb.CallToolRequest{
		Name: c.tool, DeviceId: text(deviceField), SessionId: text(sessionField), Options: options,
	}}
	var t tool.Tool
	if c.Hub != nil {
		client, err := c.clientOf(options)
		if err != nil {
			return nil, errorOf(err)
		}
		defer client.Enter()()
		t, _ = c.Hub.Tool(ctx, client, c.tool)
	}
	var rep *calls.Reply
	if made.args, err = argsOf(m, t); err == nil {
		rep, err = made.carryOut(ctx)
	}
	if err != nil {
		return nil, errorOf(err)
	}
	failed := faultOf(rep, nil)
	if failed != nil && (failed.Kind == fault.Assertion || t != nil && t.Spec().Kind != tool.Action) {
		return nil, errorOf(failed.Err())
	}
	out := dynamicpb.NewMessage(c.method.Output())
	if err := c.fill(out, rep); err != nil {
		return nil, errorOf(fault.Wrap(err, fault.Internal, "write response of "+c.tool))
	}
	return connect.NewResponse(out), nil
}

// optionsIn are the options of a request; none are as if nothing is set.
func optionsIn(m protoreflect.Message) (*pb.CallOptions, error) {
	out := &pb.CallOptions{}
	f := m.Descriptor().Fields().ByName(optionsField)
	if f == nil || !m.Has(f) {
		return out, nil
	}
	data, err := proto.Marshal(m.Get(f).Message().Interface())
	if err == nil {
		err = proto.Unmarshal(data, out)
	}
	return out, fault.Wrap(err, fault.Invalid, "read options")
}

// argsOf returns the arguments in a request: every field that is set, under its name in JSON. A device or session is
// also an argument where the tool has one of that name.
func argsOf(m protoreflect.Message, t tool.Tool) (json.RawMessage, error) {
	args := map[string]any{}
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		if int(f.Number()) <= fixedFields && !takes(t, f) {
			return true
		}
		args[f.JSONName()] = valueOf(f, v)
		return true
	})
	out, err := json.Marshal(args)
	return out, fault.Wrap(err, fault.Invalid, "read arguments")
}

const fixedFields = 3

func takes(t tool.Tool, f protoreflect.FieldDescriptor) bool {
	if t == nil || f.Name() == optionsField || t.Spec().Input == nil {
		return false
	}
	_, ok := t.Spec().Input().Properties[f.JSONName()]
	return ok
}

// valueOf is the value of a field as JSON writes it in arguments: numbers are numbers, not strings as protobuf has
// them.
func valueOf(f protoreflect.FieldDescriptor, v protoreflect.Value) any {
	switch {
	case f.IsList():
		out := []any{}
		for i := range v.List().Len() {
			out = append(out, single(f, v.List().Get(i)))
		}
		return out
	case f.IsMap():
		out := map[string]any{}
		v.Map().Range(func(k protoreflect.MapKey, v protoreflect.Value) bool {
			out[k.String()] = single(f.MapValue(), v)
			return true
		})
		return out
	}
	return single(f, v)
}

func single(f protoreflect.FieldDescriptor, v protoreflect.Value) any {
	if f.Message() == nil {
		return v.Interface()
	}
	if f.Message().ParentFile().Path() == structpb.File_google_protobuf_struct_proto.Path() {
		data, err := protojson.Marshal(v.Message().Interface())
		if err != nil {
			return nil
		}
		return json.RawMessage(data)
	}
	out := map[string]any{}
	v.Message().Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		out[f.JSONName()] = valueOf(f, v)
		return true
	})
	return out
}

// fill writes a reply into a response: the call, whether an action succeeded, and the fields of the tool's value.
func (c command) fill(out *dynamicpb.Message, rep *calls.Reply) error {
	failed := faultOf(rep, nil)
	if rep.Result != nil && len(rep.Result.Value) > 0 && bytes.HasPrefix(rep.Result.Value, []byte("{")) {
		read := protojson.UnmarshalOptions{DiscardUnknown: true}
		if err := read.Unmarshal(rep.Result.Value, out); err != nil {
			return err
		}
	}
	fields := c.method.Output().Fields()
	if f := fields.ByName("success"); f != nil && f.Number() == 1 {
		out.Set(f, protoreflect.ValueOfBool(failed == nil))
	}
	if f := fields.ByName("failure"); f != nil && f.Number() == 2 && failed != nil {
		if err := into(out.Mutable(f).Message(), failureOf(failed)); err != nil {
			return err
		}
	}
	return into(out.Mutable(fields.ByName("call")).Message(), infoOf(rep))
}

// into copies a message into one whose type is made of the descriptor alone.
func into(to protoreflect.Message, from proto.Message) error {
	tidy(from)
	data, err := proto.Marshal(from)
	if err != nil {
		return err
	}
	return proto.Unmarshal(data, to.Interface())
}
