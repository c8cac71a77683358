package client

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// ExecutionMode says how the calls of a tool's body reach Trailblaze. The body is the same in each.
type ExecutionMode string

// The modes.
const (
	InProcess ExecutionMode = "in_process" // straight, in the process of Trailblaze: inprocess.Tools
	RPC       ExecutionMode = "rpc"        // over the API, from a tool server in another process: package toolserver
)

// Body is the function of a tool. Its arguments are a struct whose fields are the parameters.
type Body[In, Out any] func(ctx context.Context, tb *Client, in In) (Out, error)

// Define makes a tool of a body, to be run in either mode; see tool.Define for what In and Out become.
func Define[In, Out any](s tool.Spec, body Body[In, Out]) tool.Tool {
	return tool.Define(s, func(ctx context.Context, env tool.Env, in In) (Out, error) {
		e, ok := env.(Env)
		if !ok {
			var none Out
			return none, fault.New(fault.Internal, "run "+s.Name, "it has no client").
				WithHint("Register what inprocess.Tools makes of it, or serve it with toolserver.Run.")
		}
		return body(ctx, e.Client(), in)
	})
}

// Env is the world of a tool whose body has a client.
type Env interface {
	tool.Env
	Client() *Client
}

// Flat makes a tool of a function whose parameters stand side by side. After the context and the client comes one for
// each name, and a pointer may be left out of a call. The result is a value and an error, as a Body has them.
//
//	tool := client.Flat(tool.Spec{Name: "acme_press", …}, press, "text", "times")
//
//	func press(ctx context.Context, tb *client.Client, text string, times *int) (Pressed, error) { … }
//
// A function that does not fit is reported by tool.NewRegistry.
func Flat(s tool.Spec, fn any, names ...string) tool.Tool {
	in, err := paramsOf(reflect.TypeOf(fn), names)
	if err == nil && s.Input == nil {
		var schema *jsonschema.Schema
		schema, err = tool.SchemaFor(in)
		s.Input = tool.Fixed(schema)
	}
	if err != nil {
		none := func(context.Context, *Client, struct{}) (struct{}, error) { return struct{}{}, err }
		return broken{Define(s, none), err}
	}
	return Define(s, func(ctx context.Context, tb *Client, args json.RawMessage) (*tool.Result, error) {
		given := reflect.New(in)
		if err := json.Unmarshal(args, given.Interface()); err != nil {
			return nil, err
		}
		with := []reflect.Value{reflect.ValueOf(ctx), reflect.ValueOf(tb)}
		for i := range in.NumField() {
			with = append(with, given.Elem().Field(i))
		}
		out := reflect.ValueOf(fn).Call(with)
		if err, _ := out[1].Interface().(error); err != nil {
			return nil, err
		}
		return tool.ValueResult(out[0].Interface(), "")
	})
}

// paramsOf is a struct with a field for each parameter.
func paramsOf(fn reflect.Type, names []string) (reflect.Type, error) {
	const before = 2 // the context and the client
	if fn == nil || fn.Kind() != reflect.Func || fn.IsVariadic() || fn.NumIn() != before+len(names) || fn.NumOut() != 2 ||
		fn.In(0) != reflect.TypeFor[context.Context]() || fn.In(1) != reflect.TypeFor[*Client]() ||
		fn.Out(1) != reflect.TypeFor[error]() {
		return nil, fmt.Errorf("a tool with the parameters %q is no func(context.Context, *client.Client, …) (value, error) "+
			"with one parameter for each: it is %v", names, fn)
	}
	var fields []reflect.StructField
	for i, name := range names {
		tag := name
		if fn.In(before+i).Kind() == reflect.Pointer {
			tag += ",omitempty"
		}
		fields = append(fields, reflect.StructField{
			Name: fmt.Sprintf("P%d", i), Type: fn.In(before + i), Tag: reflect.StructTag(fmt.Sprintf("json:%q", tag)),
		})
	}
	return reflect.StructOf(fields), nil
}

// broken is a tool whose definition is wrong.
type broken struct {
	tool.Tool
	err error
}

// Check returns the mistake in the definition.
func (b broken) Check() error { return b.err }

// Message is a message to a model, or from it.
type Message struct {
	Role    string // "user" or "assistant"
	Content string
}

// Question is a request to a model.
type Question struct {
	Messages          []Message
	System            string
	MaxTokens         int64 // of the answer; 0: 1000
	IncludeScreenshot bool  // the model sees the screen
}

// Answer is the reply of the model.
type Answer struct{ Content, Model string }

// Sampling asks the model that Trailblaze was given, in the call that a client is of.
type Sampling func(context.Context, Question) (*Answer, error)

// CreateMessage asks. A nil Sampling refuses.
func (s Sampling) CreateMessage(ctx context.Context, q Question) (*Answer, error) {
	if s == nil {
		return nil, noModel()
	}
	return s(ctx, q)
}

// On returns the client for the device of another actor of the trail that is played, in the body of a tool. A platform
// that is "" is that of the tool's own device.
//
//	bob := tb.On("bob", driver.AndroidPlatform)
func (c *Client) On(actor string, platform driver.Platform) (*Client, error) {
	if c.Meta == nil && c.Mode != InProcess {
		return nil, noContext()
	}
	o := *c.dialed
	o.Platform = cmp.Or(platform, c.Platform)
	o.meta = &pb.CallContext{InvocationId: c.Meta.GetInvocationId() + "@" + actor}
	on := New(o)
	on.Mode, on.Meta, on.Sampling = c.Mode, c.Meta, c.Sampling
	return on, nil
}
