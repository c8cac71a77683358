package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"connectrpc.com/connect"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
	"github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1/commands/commandsv1connect"
	"github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1/trailblazev1connect"
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

// Client calls tools. The commands for devices of every kind are methods of the client itself. A backend is nil when
// the device has none of that kind.
type Client struct {
	commandsv1connect.TrailblazeCommandsClient
	Web     commandsv1connect.WebCommandsClient
	Mobile  commandsv1connect.MobileCommandsClient
	Desktop commandsv1connect.DesktopCommandsClient

	Manage   commandsv1connect.ManagementCommandsClient // devices, sessions, trails, settings
	Tools    trailblazev1connect.ToolServiceClient
	Sessions trailblazev1connect.SessionServiceClient

	Platform driver.Platform // of the device
	Mode     ExecutionMode   // how calls reach Trailblaze
	Meta     *Meta           // of the call that the client acts in; nil outside of one
	Sampling Sampling        // asks the model; nil when the call may not

	session string
	again   func(context.Context) (*Client, error) // finds the daemon anew; nil when the client was told where it is
}

// Dial makes a client of the daemon, which it finds or starts. In a tool server that Trailblaze has started it acts in
// the call that is in flight, as long as there is only one; FromMeta is for any number.
func Dial(ctx context.Context, o *Options) (*Client, error) {
	use := Options{}
	if o != nil {
		use = *o
	}
	if use.URL == "" {
		if err := use.find(ctx); err != nil {
			return nil, err
		}
	}
	c := New(use)
	if o == nil || o.URL == "" {
		c.again = func(ctx context.Context) (*Client, error) { return Dial(ctx, o) }
	}
	backends, err := c.Tools.GetBackends(ctx, &pb.GetBackendsRequest{})
	switch {
	case fault.KindOf(err) == fault.Unsupported: // a tool server's way back serves commands alone
		c.backends(driver.WebPlatform, use)
	case err != nil:
		return nil, err
	default:
		c.backends(driver.Platform(backends.Platform), use)
	}
	return c, nil
}

// New makes a client of the daemon at o.URL, and asks it nothing.
func New(o Options) *Client {
	if o.HTTP == nil {
		o.HTTP = &http.Client{}
	}
	c := &Client{
		TrailblazeCommandsClient: commandsv1connect.NewTrailblazeCommandsClient(o.HTTP, o.URL, o.with()),
		Manage:                   commandsv1connect.NewManagementCommandsClient(o.HTTP, o.URL, o.with()),
		Tools:                    trailblazev1connect.NewToolServiceClient(o.HTTP, o.URL, o.with()),
		Sessions:                 trailblazev1connect.NewSessionServiceClient(o.HTTP, o.URL, o.with()),
		Mode:                     RPC,
		session:                  o.Session,
	}
	c.backends(o.Platform, o)
	return c
}

func (o Options) with() connect.ClientOption { return connect.WithInterceptors(&calling{o}) }

// backends sets those that a device of a platform has.
func (c *Client) backends(platform driver.Platform, o Options) {
	if o.HTTP == nil {
		o.HTTP = &http.Client{}
	}
	c.Platform = platform
	switch platform {
	case "":
	case driver.WebPlatform:
		c.Web = commandsv1connect.NewWebCommandsClient(o.HTTP, o.URL, o.with())
	case driver.AndroidPlatform, driver.IOSPlatform:
		c.Mobile = commandsv1connect.NewMobileCommandsClient(o.HTTP, o.URL, o.with())
	default:
		c.Desktop = commandsv1connect.NewDesktopCommandsClient(o.HTTP, o.URL, o.with())
	}
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
	op := "call " + name
	req := &pb.CallToolRequest{Name: name}
	if args != nil {
		data, err := json.Marshal(args)
		if err == nil && !bytes.HasPrefix(data, []byte("{")) && !bytes.Equal(data, []byte("null")) {
			err = errors.New("it is " + strings.TrimSpace(string(data[:1])) + "…")
		}
		if err != nil {
			return nil, fault.New(fault.Invalid, op, "the arguments are no JSON object: %w", err).
				WithHint("Give a struct or a map.")
		}
		if data[0] == '{' {
			req.ArgsJson = string(data)
		}
	}
	r, err := c.Tools.CallTool(ctx, req)
	if err != nil {
		return nil, err
	}
	out := &Result{Call: r.GetCall(), Value: json.RawMessage(r.GetResult().GetValueJson())}
	var parts []string
	for _, part := range r.GetCall().GetContent() {
		if part.GetText() != "" {
			parts = append(parts, part.GetText())
		}
	}
	out.Text = strings.Join(parts, "\n")
	if v := r.GetResult().GetValue(); v != nil && len(out.Value) == 0 {
		if out.Value, err = v.MarshalJSON(); err != nil {
			return nil, fault.Wrap(err, fault.Internal, op)
		}
	}
	return out, nil
}
