package mcpserver

import (
	"context"
	"errors"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/rpcerr"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
)

// sampler asks the client's model one question.
type sampler func(ctx context.Context, q *pb.Question) (text, model string, err error)

// questions are what a call asks the client's model. They are asked while the daemon's messages are read on.
type questions struct {
	daemon Daemon
	ask    sampler
	wg     sync.WaitGroup
}

func (a *questions) put(ctx context.Context, q *pb.Question) {
	a.wg.Go(func() {
		answer := &pb.AnswerQuestionRequest{QuestionId: q.QuestionId}
		var err error
		if answer.Text, answer.Model, err = a.ask(ctx, q); err != nil {
			answer.Failure = rpcerr.Failure(fault.FailureOf(err))
		}
		_, _ = a.daemon.AnswerQuestion(ctx, answer) // a call that has ended waits for none
	})
}

// notes remembers that the client offers sampling: then it has a model (R238).
func (cs *clientServer) notes(caps *mcp.ClientCapabilities) {
	if caps != nil && caps.Sampling != nil {
		cs.samples.Store(true)
	}
}

// direct asks a client of the protocol with sessions: by a request of its own during the call.
func direct(session *mcp.ServerSession) sampler {
	return func(ctx context.Context, q *pb.Question) (text, model string, err error) {
		res, err := session.CreateMessage(ctx, paramsOf(q))
		if err != nil {
			return "", "", sampleFault(err)
		}
		return answerOf([]mcp.Content{res.Content}, res.Model)
	}
}

func paramsOf(q *pb.Question) *mcp.CreateMessageParams {
	p := &mcp.CreateMessageParams{
		SystemPrompt: q.System, IncludeContext: "none", MaxTokens: int64(q.MaxTokens),
		Messages: []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: q.Text}}},
	}
	if p.MaxTokens <= 0 {
		p.MaxTokens = 2048
	}
	if q.Image != nil {
		p.Messages = append([]*mcp.SamplingMessage{{Role: "user",
			Content: &mcp.ImageContent{Data: q.Image.Data, MIMEType: q.Image.MimeType}}}, p.Messages...)
	}
	return p
}

func answerOf(content []mcp.Content, by string) (text, model string, err error) {
	var texts []string
	for _, c := range content {
		if t, ok := c.(*mcp.TextContent); ok {
			texts = append(texts, t.Text)
		}
	}
	if len(texts) == 0 {
		return "", "", fault.New(fault.Unavailable, "sample model", "the client's model answered without text")
	}
	return strings.Join(texts, "\n"), by, nil
}

func sampleFault(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return fault.Wrap(err, "", "sample model")
	}
	return fault.New(fault.Unavailable, "sample model", "the MCP client did not answer: %w", err).
		WithHint("Some clients announce sampling and refuse it, or ask their user first. Allow it there, or configure a " +
			"model and " +
			"set this session's LLM call strategy to DIRECT.")
}
