package mcpstdio

import (
	"context"
	"io"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/proto"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/serve/daemon/dial"
	"github.com/trailblaze-dev/trailblaze/internal/serve/rpcerr"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
	"github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1/trailblazev1connect"
)

type agents = trailblazev1connect.AgentServiceClient

// ask asks a question, which changes nothing when it is asked twice: the next daemon when one is lost.
func ask[Q, A any](
	ctx context.Context, r *remote, what string, q *Q, method func(agents, context.Context, *Q) (*A, error),
) (out *A, err error) {
	for tries := 1; ; tries++ {
		l, err := r.get(ctx)
		if err != nil {
			return nil, err
		}
		attended, ended := l.Attend(ctx)
		out, err = method(l.Agents, attended, q)
		if err = ended(err); answered(err) {
			l.served.Store(true)
			return out, rpcerr.From(err)
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		r.lost(l, err)
		if hung(err) || tries > 1 {
			return nil, unknown(what, l, err, tries)
		}
	}
}

// UpdateClient implements mcpserver.Daemon. A name that is known before a daemon is found goes there with the client,
// which saves a question. The answer to initialize does not wait for a daemon: should there be none, the next request
// that needs it says so.
func (r *remote) UpdateClient(ctx context.Context, q *pb.UpdateClientRequest) (*pb.UpdateClientResponse, error) {
	if q.Workspace == "" && r.early.name(q.Name) {
		return &pb.UpdateClientResponse{}, nil
	}
	return ask(ctx, r, "initialize", q, agents.UpdateClient)
}

// ListListedTools implements mcpserver.Daemon. Before a daemon is found this process lists the tools itself, and looks
// for a daemon then. When it cannot, the question goes to the daemon with the client, like a name.
func (r *remote) ListListedTools(
	ctx context.Context, q *pb.ListListedToolsRequest,
) (*pb.ListListedToolsResponse, error) {
	if list := r.early.list(ctx, q); list != nil {
		return list, nil
	}
	l, err := r.get(ctx)
	if err != nil {
		return nil, err
	}
	if list := r.early.answer(q); list != nil {
		l.served.Store(true)
		return list, nil
	}
	return ask(ctx, r, "tools/list", q, agents.ListListedTools)
}

// ReadResource implements mcpserver.Daemon.
func (r *remote) ReadResource(ctx context.Context, q *pb.ReadResourceRequest) (*pb.ReadResourceResponse, error) {
	return ask(ctx, r, "resources/read", q, agents.ReadResource)
}

// GetPrompt implements mcpserver.Daemon.
func (r *remote) GetPrompt(ctx context.Context, q *pb.GetPromptRequest) (*pb.GetPromptResponse, error) {
	return ask(ctx, r, "prompts/get", q, agents.GetPrompt)
}

// CompleteValue implements mcpserver.Daemon.
func (r *remote) CompleteValue(ctx context.Context, q *pb.CompleteValueRequest) (*pb.CompleteValueResponse, error) {
	return ask(ctx, r, "completion/complete", q, agents.CompleteValue)
}

// AnswerQuestion implements mcpserver.Daemon. Only the daemon that asked waits for the answer.
func (r *remote) AnswerQuestion(
	ctx context.Context, q *pb.AnswerQuestionRequest,
) (*pb.AnswerQuestionResponse, error) {
	l, _ := r.current()
	if l == nil {
		return &pb.AnswerQuestionResponse{}, nil
	}
	out, err := l.Agents.AnswerQuestion(ctx, q)
	return out, rpcerr.From(err)
}

// CallListedTool implements mcpserver.Daemon. A call that has begun is repeated when that changes nothing, once.
func (r *remote) CallListedTool(
	ctx context.Context, q *pb.CallListedToolRequest, fn func(*pb.CallListedToolResponse) error,
) error {
	for tries := 1; ; tries++ {
		l, err := r.get(ctx)
		if err != nil {
			return err
		}
		var receipt *pb.Receipt
		whole := false
		attended, ended := l.Attend(ctx)
		stream, err := l.Agents.CallListedTool(attended, q)
		err = each(stream, err, func(m *pb.CallListedToolResponse) error {
			if m.GetReceipt() != nil {
				receipt = m.GetReceipt()
			}
			whole = whole || m.GetResult() != nil
			return fn(m)
		})
		if err == nil && !whole {
			err = io.ErrUnexpectedEOF
		}
		if err = ended(err); answered(err) {
			l.served.Store(true)
			return rpcerr.From(err)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		r.lost(l, err)
		if whole { // what might still have come were questions of a job, which ended with its daemon
			return nil
		}
		// a daemon that hangs may read the call when it wakes up
		if began := receipt != nil || hung(err); began && !receipt.GetRepeatable() || hung(err) || tries > 1 {
			return unknown(q.Name, l, err, tries)
		}
	}
}

// WatchClient implements mcpserver.Daemon: until ctx ends, at one daemon after the other. A new one may have other
// tools. One that was stopped, or that died without an answer, is replaced only when the client asks for something, so
// that a failing daemon is not started over and over.
func (r *remote) WatchClient(
	ctx context.Context, q *pb.WatchClientRequest, fn func(*pb.WatchClientResponse) error,
) error {
	if err := fn(&pb.WatchClientResponse{}); err != nil {
		return err
	}
	find := r.await
	for again := false; ; again = true {
		l, err := find(ctx)
		if err != nil && ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			find = r.await
			continue
		}
		if again {
			if err := fn(&pb.WatchClientResponse{ToolsChanged: true}); err != nil {
				return err
			}
		}
		stream, err := l.Agents.WatchClient(ctx, q)
		err = each(stream, err, func(m *pb.WatchClientResponse) error {
			if asked, listed := r.early.take(); asked != nil { // there may be others now
				bounded, cancel := context.WithTimeout(ctx, dial.ControlTime)
				defer cancel()
				now, err := l.Agents.ListListedTools(bounded, asked)
				m.ToolsChanged = m.ToolsChanged || err == nil && !proto.Equal(now, listed)
			}
			return fn(m)
		})
		if ctx.Err() != nil {
			return ctx.Err()
		}
		r.lost(l, err)
		find = r.get
		if !l.served.Load() || r.o.Dialer.Stopped() {
			find = r.await
		}
	}
}

// WatchSessions implements mcpserver.Daemon: until ctx ends, at one daemon after the other.
func (r *remote) WatchSessions(
	ctx context.Context, q *pb.WatchSessionsRequest, fn func(*pb.WatchSessionsResponse) error,
) error {
	for {
		l, err := r.await(ctx)
		if err != nil {
			return err
		}
		stream, err := l.Agents.WatchSessions(ctx, q)
		err = each(stream, err, fn)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		r.lost(l, err)
	}
}

// each passes on the messages of a stream, and closes it. With err nothing was opened.
func each[M any](in *connect.ServerStreamForClient[M], err error, fn func(*M) error) error {
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	for in.Receive() {
		if err := fn(in.Msg()); err != nil {
			return err
		}
	}
	return in.Err()
}

// unknown is the answer to a request whose daemon was lost, or hangs, while it ran.
func unknown(what string, l *Link, err error, tries int) error {
	switch {
	case hung(err):
		return fault.New(fault.Unavailable, "", "The Trailblaze daemon (process %d) gives no sign of life while it runs %s. "+
			"It is unknown whether that took effect, and it is not repeated: an action is sent once", l.PID, what).
			WithHint("The next call asks the daemon again; should it fail too, end that process (kill -9 %d): the call "+
				"after that starts a new daemon, which goes on with the recording. Then take a snapshot of the screen first.",
				l.PID)
	case tries > 1:
		return fault.New(fault.Unavailable, "", "The Trailblaze daemon was lost twice while %s ran, so it was not asked a "+
			"third time", what).WithHint("The recording is kept. `trailblaze daemon logs` tells why.")
	}
	return fault.New(fault.Unavailable, "", "The Trailblaze daemon was lost while %s ran. It is unknown whether it took "+
		"effect, and it was not repeated: an action is sent once. The recording up to this call is kept, and a new daemon "+
		"is there for the next call", what).
		WithHint("Take a snapshot of the screen first, then decide whether to do it again.")
}
