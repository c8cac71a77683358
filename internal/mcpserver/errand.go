package mcpserver

import (
	"context"
	"crypto/rand"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// errandPatience is how long a call that asked the client for its model waits for the client to come back.
const errandPatience = 2 * time.Minute

const sampleKey = "sample"

// errand is a call in the protocol without sessions that may need the client's model. There the server cannot ask: it
// ends the request with its question, and the client sends the call again with the answer. The call itself goes on
// meanwhile, waiting in Sample.
type errand struct {
	state  string // names it to the client, cannot be guessed
	handle string
	cancel context.CancelFunc

	ask    chan Question
	answer chan mcp.InputResponse
	done   chan struct{}
	res    *mcp.CallToolResult // after done
	expire *time.Timer
}

var _ Sampler = (*errand)(nil)

// errands are the calls that wait for a client to come back.
type errands struct {
	mu      sync.Mutex
	waiting map[string]*errand
}

// handleOf is the seat of the call that waits under this state, "" when none does. A client that comes back need not name
// its seat again: nobody else can know the state.
func (e *errands) handleOf(state string) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	if w := e.waiting[state]; w != nil {
		return w.handle
	}
	return ""
}

// Sample implements Sampler.
func (e *errand) Sample(ctx context.Context, q Question) (*Answer, error) {
	select {
	case e.ask <- q:
	case <-ctx.Done():
		return nil, fault.Wrap(ctx.Err(), "", "sample model")
	}
	select {
	case r := <-e.answer:
		switch r := r.(type) {
		case *mcp.CreateMessageWithToolsResult:
			return answerOf(r.Content, r.Model, r.StopReason)
		case *mcp.CreateMessageResult:
			return answerOf([]mcp.Content{r.Content}, r.Model, r.StopReason)
		}
		return nil, fault.New(fault.Invalid, "sample model", "the client answered with something else than a message")
	case <-ctx.Done():
		return nil, fault.Wrap(ctx.Err(), "", "sample model")
	}
}

// start runs a call as an errand and waits for its end or its first question.
func (s *Server) start(ctx context.Context, handle string, run func(ctx context.Context, e *errand) *mcp.CallToolResult) (*mcp.CallToolResult, error) {
	e := &errand{
		state: rand.Text(), handle: handle,
		ask: make(chan Question), answer: make(chan mcp.InputResponse), done: make(chan struct{}),
	}
	long, cancel := context.WithCancel(s.life)
	e.cancel = cancel
	s.wg.Add(1)
	go func() {
		defer s.wg.Done()
		defer cancel()
		defer close(e.done)
		var err error
		func() {
			defer s.survive("tools/call", &err)
			e.res = run(long, e)
		}()
		if err != nil {
			e.res = &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: err.Error()}}}
		}
	}()
	return s.attend(ctx, e)
}

// resume hands a client's answer to the errand it names.
func (s *Server) resume(ctx context.Context, handle, state string, answers mcp.InputResponseMap) (*mcp.CallToolResult, error) {
	s.errands.mu.Lock()
	e := s.errands.waiting[state]
	if e != nil && e.handle == handle {
		delete(s.errands.waiting, state)
	}
	s.errands.mu.Unlock()
	if e == nil || e.handle != handle {
		return nil, fault.New(fault.NotFound, "resume call", "this call is not waiting for an answer").
			WithHint("Send the call again without requestState.")
	}
	e.expire.Stop()
	answer, ok := answers[sampleKey]
	if !ok {
		s.park(e)
		return nil, fault.New(fault.Invalid, "resume call", "inputResponses lacks %q", sampleKey)
	}
	select {
	case e.answer <- answer:
	case <-e.done:
	case <-ctx.Done():
		e.cancel()
		<-e.done
		return e.res, nil
	}
	return s.attend(ctx, e)
}

// attend waits until an errand is over or has a question. A client that goes away ends it.
func (s *Server) attend(ctx context.Context, e *errand) (*mcp.CallToolResult, error) {
	select {
	case q := <-e.ask:
		s.park(e)
		return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{sampleKey: q.params()}, RequestState: e.state}, nil
	case <-e.done:
	case <-ctx.Done():
		e.cancel()
		<-e.done
	}
	return e.res, nil
}

func (s *Server) park(e *errand) {
	s.errands.mu.Lock()
	defer s.errands.mu.Unlock()
	if s.errands.waiting == nil {
		s.errands.waiting = map[string]*errand{}
	}
	s.errands.waiting[e.state] = e
	e.expire = time.AfterFunc(errandPatience, func() {
		s.errands.mu.Lock()
		delete(s.errands.waiting, e.state)
		s.errands.mu.Unlock()
		e.cancel()
	})
}
