package mcpstdio

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/internal/serve/mcpserver"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
)

// Options shape a server.
type Options struct {
	In      io.Reader // the client's lines; their end ends the server
	Out     io.Writer // to the client; nothing else may write to it
	Dialer  Dialer
	Version string
	Client  *pb.OpenClientRequest // how the client begins; its id is made here
	Log     *slog.Logger

	// First makes what lists the tools of the client as a new daemon does, until there is a daemon. After an error a list
	// waits for the daemon, which is looked for at once.
	First func() (Lister, error)

	// DialTimeout limits how long requests wait for a daemon before they fail with the reason; 20 s if zero.
	DialTimeout time.Duration
	// AnswerTimeout limits how long a question to the client's model waits for its answer; 2 minutes if zero.
	AnswerTimeout time.Duration
}

// Lister lists the tools of a client that was opened.
type Lister interface {
	OpenClient(context.Context, *pb.OpenClientRequest) (*pb.OpenClientResponse, error)
	ListListedTools(context.Context, *pb.ListListedToolsRequest) (*pb.ListListedToolsResponse, error)
}

// closeTime limits the time in which the calls under way end after their client has.
const closeTime = 5 * time.Second

// Serve serves the client until In or ctx ends; both are a normal end. A reader blocked in In when ctx ends stays
// behind, because no system can interrupt it.
func Serve(ctx context.Context, o Options) error {
	if o.DialTimeout == 0 {
		o.DialTimeout = 20 * time.Second
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Client == nil {
		o.Client = &pb.OpenClientRequest{}
	}
	o.Client.ClientId = clients.NewID()
	d := newRemote(ctx, o)
	defer d.close()
	s := mcpserver.New(mcpserver.Options{Daemon: d, Version: o.Version, Log: o.Log, AnswerTimeout: o.AnswerTimeout})
	in, feed := io.Pipe()
	go func() {
		_, err := io.Copy(feed, o.In)
		_ = feed.CloseWithError(err) // nil is the end
	}()
	err := s.ServeConn(ctx, stream{in, o.Out}, o.Client.ClientId)
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTime)
	defer cancel()
	d.end()
	if e := s.Close(end); e != nil {
		o.Log.Warn("not everything ended in time", "error", e)
	}
	if ctx.Err() != nil || errors.Is(err, io.ErrClosedPipe) {
		return nil
	}
	return err
}

// stream is stdin and stdout as one.
type stream struct {
	*io.PipeReader
	out io.Writer
}

// Write implements io.Writer.
func (s stream) Write(p []byte) (int, error) { return s.out.Write(p) }

// Seize takes the process's stdout for the proxy alone. It returns the client's end; every other
// print in this process, by os.Stdout, descriptor 1 or a library, goes to stderr. A line that is
// not JSON-RPC makes clients disconnect.
func Seize() (*os.File, error) {
	out, err := seize()
	if err != nil {
		return nil, err
	}
	os.Stdout = os.Stderr
	return out, nil
}
