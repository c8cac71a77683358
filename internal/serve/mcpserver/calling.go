package mcpserver

import (
	"context"

	"github.com/trailblaze-dev/trailblaze/fault"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
)

// calling is a call of the daemon under way. Its stream ends with the request of the client. That of a call which
// continues as a job outlasts the request: it brings the questions of the job to a client that can be asked at any
// time.
type calling struct {
	s      *Server
	life   context.Context //nolint:containedctx // of the client's connection
	report func(*pb.Progress)
	asking *questions
	always bool // the client can be asked at any time

	detach func() bool     // from the request; false: it has ended
	asked  context.Context //nolint:containedctx // in which the next question is put
	result *pb.AgentResult
	kept   chan struct{} // closed when the stream outlasts the request
}

// do makes the call and gives its result.
func (c *calling) do(ctx context.Context, q *pb.CallListedToolRequest) (*pb.AgentResult, error) {
	if !c.s.track() {
		return nil, fault.New(fault.Unavailable, "call "+q.Name, "the server is shutting down")
	}
	c.kept = make(chan struct{})
	ended := make(chan error, 1)
	stream, end := context.WithCancelCause(context.WithoutCancel(ctx))
	c.asked = stream
	c.detach = context.AfterFunc(ctx, func() { end(context.Cause(ctx)) })
	go func() {
		defer c.s.wg.Done()
		defer context.AfterFunc(c.life, func() { end(context.Cause(c.life)) })()
		var err error
		defer func() {
			c.detach()
			end(nil)
			c.asking.wg.Wait()
			ended <- err
		}()
		defer c.s.recoverPanic("tools/call", &err)
		err = c.s.o.Daemon.CallListedTool(stream, q, c.hear)
	}()
	select {
	case <-c.kept:
		return c.result, nil
	case err := <-ended:
		return c.result, err
	}
}

// hear passes on a message of the call.
func (c *calling) hear(m *pb.CallListedToolResponse) error {
	switch m := m.Message.(type) {
	case *pb.CallListedToolResponse_Progress:
		if c.report != nil {
			c.report(m.Progress)
		}
	case *pb.CallListedToolResponse_Question:
		c.asking.put(c.asked, m.Question)
	case *pb.CallListedToolResponse_Result:
		c.result = m.Result
		if m.Result.GetCall().GetJob() != "" && c.always && c.detach() {
			c.outliveRequest()
		}
	}
	return nil
}

// outliveRequest has later questions put to the client beside its requests: over HTTP a question of an answered request
// reaches no client.
func (c *calling) outliveRequest() {
	ctx, cancel := context.WithCancel(c.life)
	context.AfterFunc(c.asked, cancel) // the stream
	c.asked = ctx
	close(c.kept)
}
