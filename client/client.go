package client

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/encoding/protojson"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
)

// Options shape a client. All may be left out, and nil is as if all were.
type Options struct {
	Device    string        // to act on; "": the client's own, or the only one
	Session   string        // the calls belong to; "": the device's own
	Workspace string        // absolute path of the project; its tools, policy and settings hold
	Name      string        // kind of program; "": "go"
	Timeout   time.Duration // of a call whose context has no deadline; 0: that of its tool

	Secrets map[string]string // values by name, for tools that name them; masked in all that is kept

	Platform driver.Platform // of the device, for New; "": no backends

	URL    string             // of the daemon; "": found, or started
	Token  string             // of the daemon at URL
	Binary string             // the program `trailblaze`; "": TRAILBLAZE_BIN, or the one in PATH
	HTTP   connect.HTTPClient // carries the requests; nil: a client of net/http

	invocation string // the call that the client's calls are made inside of
}

// Client calls tools. The commands for devices of every kind are methods of the client itself.
type Client struct {
	Device

	Mode     ExecutionMode   // how calls reach Trailblaze
	Meta     *pb.CallContext // of the call that the client acts in; nil outside of one
	Sampling Sampling        // asks the model; nil when the call may not

	session string
	again   func(context.Context) (*Client, error) // finds the daemon anew; nil after New
}

// Dial makes a client of the daemon, which it finds or starts. In a tool server that Trailblaze has started it acts in
// the call that is in flight, as long as there is only one; FromMeta is for any number.
func Dial(ctx context.Context, o *Options) (*Client, error) {
	use := Options{}
	if o != nil {
		use = *o
	}
	if err := use.find(ctx); err != nil {
		return nil, err
	}
	backends, err := New(use).Tools.GetBackends(ctx, &pb.GetBackendsRequest{})
	if err != nil && fault.KindOf(err) != fault.Unsupported { // a tool server's way back serves commands alone
		return nil, err
	}
	use.Platform = cmp.Or(driver.Platform(backends.GetPlatform()), driver.WebPlatform)
	c := New(use)
	c.again = func(ctx context.Context) (*Client, error) { return Dial(ctx, o) }
	return c, nil
}

// New makes a client of the daemon at o.URL, and asks it nothing.
func New(o Options) *Client {
	http := signing{cmp.Or[connect.HTTPClient](o.HTTP, http.DefaultClient), o.Token}
	return &Client{Device: newDevice(o.Platform, http, o.URL, o.calling()), Mode: RPC, session: o.Session}
}

// FromMeta makes the client of a call: its calls go to the session and device of that call, and end with it. meta is
// the _meta of tools/call.
func FromMeta(meta map[string]any) (*Client, error) {
	m := &pb.CallContext{}
	data, err := json.Marshal(meta["trailblaze"])
	if err == nil {
		err = protojson.UnmarshalOptions{DiscardUnknown: true}.Unmarshal(data, m)
	}
	if err != nil || m.GetBaseUrl() == "" || m.GetInvocationId() == "" {
		return nil, fault.New(fault.Invalid, "read _meta", "the call has no _meta.trailblaze with an address to call back").
			WithHint("Call the tool through Trailblaze, or make the client with Dial.")
	}
	c := New(Options{
		URL: m.GetBaseUrl(), Session: m.GetSessionId(), invocation: m.GetInvocationId(),
		Platform: driver.Platform(strings.ToLower(m.GetDevice().GetPlatform())),
	})
	c.Meta = m
	return c, nil
}

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
