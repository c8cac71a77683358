package mcpserver

import (
	"context"
	"crypto/rand"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/fault"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
)

const sampleKey = "sample"

// pendingCall is a call in the protocol without sessions that may need the client's model. There the server cannot
// ask: it ends the request with its question, and the client sends the call again with the answer. Meanwhile the call
// is waiting in Sample.
type pendingCall struct {
	state    string // the client returns it; it cannot be guessed
	clientID string
	cancel   context.CancelFunc

	ask    chan *pb.Question
	answer chan mcp.InputResponse
	done   chan struct{}
	res    *mcp.CallToolResult // after done, as err is
	err    error
	expire *time.Timer
}

// pendingCalls are the calls that wait for a client's answer.
type pendingCalls struct {
	mu      sync.Mutex
	waiting map[string]*pendingCall
}

// clientIDOf is the client id of the call that waits under this state, "" when none does. The state
// alone identifies the client, because no other client can know it.
func (p *pendingCalls) clientIDOf(state string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if w := p.waiting[state]; w != nil {
		return w.clientID
	}
	return ""
}

// sample is the sampler of the call.
func (p *pendingCall) sample(ctx context.Context, q *pb.Question) (*mcp.CreateMessageWithToolsResult, error) {
	select {
	case p.ask <- q:
	case <-ctx.Done():
		return nil, fault.Wrap(ctx.Err(), "", "sample model")
	}
	select {
	case r := <-p.answer:
		if r, ok := r.(*mcp.CreateMessageWithToolsResult); ok { // the SDK reads every message as one of these
			return r, nil
		}
		return nil, fault.New(fault.Invalid, "sample model", "the client answered with something else than a message")
	case <-ctx.Done():
		return nil, fault.Wrap(ctx.Err(), "", "sample model")
	}
}

// start runs a pending call and waits for its end or its first question.
func (s *Server) start(
	ctx context.Context, clientID string, run func(ctx context.Context, p *pendingCall) (*mcp.CallToolResult, error),
) (*mcp.CallToolResult, error) {
	p := &pendingCall{
		state: rand.Text(), clientID: clientID,
		ask: make(chan *pb.Question), answer: make(chan mcp.InputResponse), done: make(chan struct{}),
	}
	long, cancel := context.WithCancel(s.life)
	p.cancel = cancel
	s.wg.Go(func() {
		defer cancel()
		defer close(p.done)
		defer s.recoverPanic("tools/call", &p.err)
		p.res, p.err = run(long, p)
	})
	return s.await(ctx, p)
}

// resume passes a client's answer to the pending call that it names.
func (s *Server) resume(
	ctx context.Context, clientID, state string, answers mcp.InputResponseMap,
) (*mcp.CallToolResult, error) {
	s.pendingCalls.mu.Lock()
	p := s.pendingCalls.waiting[state]
	if p != nil && p.clientID == clientID {
		delete(s.pendingCalls.waiting, state)
	}
	s.pendingCalls.mu.Unlock()
	if p == nil || p.clientID != clientID {
		return nil, fault.New(fault.NotFound, "resume call", "this call is not waiting for an answer").
			WithHint("Send the call again without requestState.")
	}
	p.expire.Stop()
	answer, ok := answers[sampleKey]
	if !ok {
		s.suspend(p)
		return nil, fault.New(fault.Invalid, "resume call", "inputResponses lacks %q", sampleKey).
			WithHint("Send the call again with the answer under that key.")
	}
	select {
	case p.answer <- answer:
	case <-p.done:
	case <-ctx.Done():
		p.cancel()
		<-p.done
		return p.res, p.err
	}
	return s.await(ctx, p)
}

// await waits until a pending call ends or has a question. A client that disconnects ends it.
func (s *Server) await(ctx context.Context, p *pendingCall) (*mcp.CallToolResult, error) {
	select {
	case q := <-p.ask:
		s.suspend(p)
		return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{sampleKey: paramsOf(q)}, RequestState: p.state},
			nil
	case <-p.done:
	case <-ctx.Done():
		p.cancel()
		<-p.done
	}
	return p.res, p.err
}

func (s *Server) suspend(p *pendingCall) {
	s.pendingCalls.mu.Lock()
	defer s.pendingCalls.mu.Unlock()
	if s.pendingCalls.waiting == nil {
		s.pendingCalls.waiting = map[string]*pendingCall{}
	}
	s.pendingCalls.waiting[p.state] = p
	p.expire = time.AfterFunc(s.o.AnswerTimeout, func() {
		s.pendingCalls.mu.Lock()
		delete(s.pendingCalls.waiting, p.state)
		s.pendingCalls.mu.Unlock()
		p.cancel()
	})
}
