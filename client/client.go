package client

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/encoding/protojson"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	daemon "github.com/trailblaze-dev/trailblaze/internal/serve/daemon/dial"
	"github.com/trailblaze-dev/trailblaze/internal/serve/rpc"
	"github.com/trailblaze-dev/trailblaze/internal/serve/rpcerr"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
)

// Options shape a client. All may be left out, and nil is as if all were.
type Options struct {
	Device    string        // to act on; "": one of the client's own
	Session   string        // the calls belong to; "": the device's own
	Workspace string        // folder of the project; its tools, policy and settings hold; "": the current folder
	Name      string        // kind of program; "": "go"
	Timeout   time.Duration // of a call whose context has no deadline; 0: that of its tool

	Secrets map[string]string // values by name, for tools that name them; masked in all that is kept

	Platform driver.Platform // of the device, for New; "": no backends

	URL    string             // of the daemon; "": found, or started
	Token  string             // of the daemon at URL
	Binary string             // the program `trailblaze`; "": TRAILBLAZE_BIN, or the one in PATH
	HTTP   connect.HTTPClient // carries the requests; nil: a client of net/http

	meta *pb.CallContext // of the call that the client's calls are made inside of
}

// Client calls tools. The commands for devices of every kind are methods of the client itself.
type Client struct {
	Device

	Mode     ExecutionMode   // how calls reach Trailblaze
	Meta     *pb.CallContext // of the call that the client acts in; nil outside of one
	Sampling Sampling        // asks the model; nil when the call may not

	dialed *Options // to find the daemon anew
}

// Dial makes a client of the daemon, which it finds or starts. In a tool server that Trailblaze has started it acts in
// the call that is in flight, as long as there is only one; FromMeta is for any number.
func Dial(ctx context.Context, o *Options) (*Client, error) {
	use := *cmp.Or(o, &Options{})
	if err := use.find(ctx); err != nil {
		return nil, err
	}
	backends, err := New(use).Tools.GetBackends(ctx, &pb.GetBackendsRequest{})
	if err != nil && fault.KindOf(err) != fault.Unsupported { // a tool server's way back serves commands alone
		return nil, err
	}
	use.Platform = cmp.Or(driver.Platform(backends.GetPlatform()), driver.WebPlatform)
	c := New(use)
	c.dialed = o
	return c, nil
}

// New makes a client of the daemon at o.URL, and asks it nothing. It fills into each request what the options say, and
// makes a *fault.Error of each failure.
func New(o Options) *Client {
	usual := &pb.CallToolRequest{DeviceId: o.Device, SessionId: o.Session, Options: &pb.CallOptions{
		Client: cmp.Or(o.Name, "go"), Workspace: o.Workspace, Secrets: o.Secrets, InvocationId: o.meta.GetInvocationId(),
	}}
	if o.meta == nil { // a client of its own, with a device of its own
		usual.Options.ClientId = "tb_" + strings.ToLower(rand.Text())
		usual.Options.Workspace, _ = filepath.Abs(o.Workspace) // fails without a current folder: none is meant then
	}
	calling := connect.UnaryInterceptorFunc(func(next connect.UnaryFunc) connect.UnaryFunc {
		return func(ctx context.Context, r connect.AnyRequest) (connect.AnyResponse, error) {
			ctx, cancel := rpc.Limit(ctx, o.Timeout)
			defer cancel()
			out, err := next(ctx, r)
			if err != nil {
				return nil, rpc.Ended(ctx, rpcerr.From(err))
			}
			return out, rpc.Ended(ctx, rpcerr.InResponse(out.Any()).Err())
		}
	})
	return &Client{Device: o.deviceOf(calling, rpc.Filling{Usual: usual}), Mode: RPC, Meta: o.meta, dialed: &o}
}

// FromMeta makes the client of a call: its calls go to the session and device of that call, and end with it. meta is
// the _meta of tools/call. The older form in it, _trailblaze with deviceId, has no address: the daemon is found.
func FromMeta(meta map[string]any) (*Client, error) {
	m := &pb.CallContext{}
	data, _ := json.Marshal(meta["trailblaze"]) // nothing is no context
	err := protojson.UnmarshalOptions{DiscardUnknown: true}.Unmarshal(data, m)
	if old, ok := meta["_trailblaze"].(map[string]any); ok && m.GetBaseUrl() == "" && old["deviceId"] != nil {
		o := Options{}
		o.Device, _ = old["deviceId"].(string)
		o.Session, _ = old["sessionId"].(string)
		platform, _ := old["platform"].(string)
		o.Platform = driver.Platform(platform)
		if err := o.find(context.Background()); err != nil {
			return nil, err
		}
		return New(o), nil
	}
	if err != nil || m.GetBaseUrl() == "" || m.GetInvocationId() == "" {
		return nil, noContext()
	}
	return New(Options{
		URL: m.GetBaseUrl(), Session: m.GetSessionId(), Platform: driver.Platform(m.GetDevice().GetPlatform()), meta: m,
	}), nil
}

// EnvBinary is the variable that names the program `trailblaze`, when it is not in PATH.
const EnvBinary = daemon.EnvBinary

// find finds the daemon: the one at URL; else the way back of a tool server, which alone is given a token for it; else
// that of the program `trailblaze`, which starts it when there is none.
func (o *Options) find(ctx context.Context) error {
	if token := os.Getenv("TRAILBLAZE_CALLBACK_TOKEN"); o.URL == "" && token != "" {
		o.URL, o.Token = os.Getenv("TRAILBLAZE_BASE_URL"), token
	}
	if o.URL != "" {
		return nil
	}
	to, err := daemon.OfProgram(ctx, o.Binary)
	switch {
	case err == nil && o.HTTP == nil:
		o.URL, o.HTTP = daemon.URL, to.HTTP()
	case err == nil: // an HTTP client of the options cannot dial a socket
		o.Token = to.Boot.Token
		o.URL, err = to.TCP()
	}
	return err
}

// Result is the result of a tool.
type Result struct {
	Value json.RawMessage // typed, as the output schema of the tool describes it; nil: none
	Text  string          // what a person reads of it
	Call  *pb.CallInfo    // where the call ran, and what the screen shows after it
}

// CallTool calls a tool by its name: built in, of the workspace, or of another server. The arguments are anything that
// is an object as JSON; nil means none.
func (c *Client) CallTool(ctx context.Context, name string, args any) (*Result, error) {
	req, err := requestOf(name, args)
	if err != nil {
		return nil, err
	}
	r, err := c.Tools.CallTool(ctx, req)
	if err != nil {
		return nil, err
	}
	return resultOf(r), nil
}

// WatchTool is CallTool with reports of the call's progress, such as which clients have the devices that it waits for.
// The context alone limits its time.
//
//	args := map[string]any{"action": "RESERVE", "deviceId": "android/*", "timeoutMs": 300_000}
//	_, err := tb.WatchTool(ctx, "device", args, func(p *pb.Progress) { fmt.Println(p.GetMessage()) })
func (c *Client) WatchTool(ctx context.Context, name string, args any, progress func(*pb.Progress)) (*Result, error) {
	req, err := requestOf(name, args)
	if err != nil {
		return nil, err
	}
	var last *pb.CallToolResponse
	for m, err := range rpc.Messages(c.Tools.WatchTool(ctx, &pb.WatchToolRequest{Call: req})) {
		switch {
		case err != nil:
			return nil, rpc.Ended(ctx, rpcerr.From(err))
		case m.GetProgress() != nil:
			progress(m.GetProgress())
		default:
			last = m.GetResult()
		}
	}
	if err := rpcerr.InResponse(last).Err(); err != nil {
		return nil, rpc.Ended(ctx, err)
	}
	return resultOf(last), nil
}

func requestOf(tool string, args any) (*pb.CallToolRequest, error) {
	data, err := json.Marshal(args)
	if err != nil {
		return nil, fault.Wrap(err, fault.Invalid, "write the arguments of "+tool)
	}
	return &pb.CallToolRequest{Name: tool, ArgsJson: string(data), Whole: true}, nil
}

func resultOf(r *pb.CallToolResponse) *Result {
	out := rpc.ResultOf(r)
	return &Result{Value: out.Value, Text: out.Text(), Call: r.GetCall()}
}
