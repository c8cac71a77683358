package client

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/encoding/protojson"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	daemon "github.com/trailblaze-dev/trailblaze/internal/daemon/client"
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
	again   func(context.Context) (*Client, error) // finds the daemon anew
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
	c.again = func(ctx context.Context) (*Client, error) { return Dial(ctx, o) }
	return c, nil
}

// New makes a client of the daemon at o.URL, and asks it nothing.
func New(o Options) *Client {
	http := signing{cmp.Or[connect.HTTPClient](o.HTTP, http.DefaultClient), o.Token}
	c := &Client{Device: newDevice(o.Platform, http, o.URL, o.calling()), Mode: RPC, session: o.Session}
	c.again = func(context.Context) (*Client, error) { return c, nil }
	return c
}

// FromMeta makes the client of a call: its calls go to the session and device of that call, and end with it. meta is
// the _meta of tools/call.
func FromMeta(meta map[string]any) (*Client, error) {
	m := &pb.CallContext{}
	data, _ := json.Marshal(meta["trailblaze"]) // nothing is no context
	err := protojson.UnmarshalOptions{DiscardUnknown: true}.Unmarshal(data, m)
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

// The variables that clients read.
const (
	EnvBinary = daemon.EnvBinary            // the program `trailblaze`, when it is not in PATH
	envURL    = "TRAILBLAZE_BASE_URL"       // with envToken: where a tool server calls back
	envToken  = "TRAILBLAZE_CALLBACK_TOKEN" // given to tool servers alone
)

// find finds the daemon: the one at URL; else the way back of a tool server; else that of the program `trailblaze`,
// which starts it when there is none.
func (o *Options) find(ctx context.Context) error {
	if o.URL != "" {
		return nil
	}
	if url, token := os.Getenv(envURL), os.Getenv(envToken); url != "" && token != "" {
		o.URL, o.Token = url, token
		return nil
	}
	to, err := daemon.OfProgram(ctx, o.Binary)
	if err != nil {
		return err
	}
	return o.reach(to)
}

// reach sets how the daemon is reached. An HTTP client of the options cannot dial a socket: it is given the port.
func (o *Options) reach(to *daemon.Client) (err error) {
	o.Token = to.Boot.Token
	if o.HTTP != nil {
		o.URL, err = to.TCP()
		return err
	}
	o.URL, o.HTTP = daemon.URL, to.HTTP()
	return nil
}
