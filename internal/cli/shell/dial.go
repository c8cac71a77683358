package shell

import (
	"context"
	"io"

	"connectrpc.com/connect"

	"github.com/trailblaze-dev/trailblaze/internal/ground/homedir"
	"github.com/trailblaze-dev/trailblaze/internal/serve/api"
	"github.com/trailblaze-dev/trailblaze/internal/serve/daemon/boot"
	"github.com/trailblaze-dev/trailblaze/internal/serve/daemon/dial"
	"github.com/trailblaze-dev/trailblaze/internal/serve/rpc"
	"github.com/trailblaze-dev/trailblaze/internal/serve/rpcerr"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
	"github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1/trailblazev1connect"
)

// caller carries out tool calls: the running daemon, a fake in tests. Ending ctx ends the call.
type caller interface {
	Call(ctx context.Context, r *pb.CallToolRequest, progress func(*pb.Progress)) (*api.Reply, error)
}

// Dial finds the daemon, or starts it.
func (a *Shell) Dial(ctx context.Context) (caller, error) {
	if a.Daemon != nil {
		return a.Daemon, nil
	}
	c, err := a.Link(ctx, true)
	if err != nil {
		return nil, err
	}
	return linked{c}, nil
}

// Link is the way to the daemon of this home; start says whether one may be started.
func (a *Shell) Link(ctx context.Context, start bool) (*dial.Daemon, error) {
	home, err := homedir.Of(a.Getenv)
	if err != nil {
		return nil, err
	}
	return dial.Dial(ctx, dial.Options{Home: home, Start: start, Env: a.DaemonEnv()})
}

// DaemonEnv is the environment of a daemon that we start.
func (a *Shell) DaemonEnv() []string {
	if a.Environ == nil {
		return nil
	}
	return boot.Env(a.Environ())
}

// Local returns the option of a client for a daemon on the same machine: nothing is compressed.
func Local() connect.ClientOption { return connect.WithAcceptCompression("gzip", nil, nil) }

// Tools is ToolService of a daemon.
func Tools(l *dial.Daemon) trailblazev1connect.ToolServiceClient {
	return trailblazev1connect.NewToolServiceClient(l.HTTP(), dial.URL, Local())
}

// RequestError is the error of a request as the daemon said it, or the reason why it said nothing.
func RequestError(ctx context.Context, l *dial.Daemon, err error) error {
	if err == nil || rpcerr.Answered(err) || connect.IsWireError(err) {
		return rpcerr.From(err)
	}
	return l.Gone(ctx, err)
}

// Attend asks a daemon, and gives up when it gives no sign of life. The daemon does not get the deadline of ctx: the
// command itself reports that its time is over, and by the end of the connection the daemon knows.
func Attend(ctx context.Context, l *dial.Daemon, ask func(context.Context) error) error {
	attended, ended := l.Attend(ctx, dial.CheckEvery, ControlTime)
	asking, end := context.WithCancelCause(context.WithoutCancel(attended))
	defer end(nil)
	defer context.AfterFunc(attended, func() { end(context.Cause(attended)) })()
	return ended(RequestError(attended, l, ask(asking)))
}

// linked makes calls by ToolService.
type linked struct{ *dial.Daemon }

// Call implements caller. Ending ctx closes the connection, and that ends the call over there.
func (l linked) Call(ctx context.Context, r *pb.CallToolRequest, progress func(*pb.Progress)) (*api.Reply, error) {
	defer l.Close()
	r.Whole = true
	var out *pb.CallToolResponse
	err := Attend(ctx, l.Daemon, func(ctx context.Context) (err error) {
		if progress == nil {
			out, err = Tools(l.Daemon).CallTool(ctx, r)
			return err
		}
		out, err = watch(ctx, Tools(l.Daemon), r, progress)
		return err
	})
	if err != nil {
		return nil, err
	}
	return api.ReplyOf(out), nil
}

// watch makes a call and passes on its reports.
func watch(
	ctx context.Context, tools trailblazev1connect.ToolServiceClient, r *pb.CallToolRequest, progress func(*pb.Progress),
) (*pb.CallToolResponse, error) {
	for m, err := range rpc.Messages(tools.WatchTool(ctx, &pb.WatchToolRequest{Call: r})) {
		if err != nil || m.GetResult() != nil {
			return m.GetResult(), err
		}
		progress(m.GetProgress())
	}
	return nil, io.ErrUnexpectedEOF
}

// TextOf returns the text of a reply.
func TextOf(r *api.Reply) string {
	if r.Result == nil {
		return ""
	}
	out := ""
	for _, piece := range r.Result.Content {
		if piece.Text != "" {
			if out != "" {
				out += "\n"
			}
			out += piece.Text
		}
	}
	return out
}
