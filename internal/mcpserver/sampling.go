package mcpserver

import (
	"context"
	"errors"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/llm"
)

// Sampler asks a model one question. The local provider and the MCP client are two of them.
type Sampler interface {
	Sample(ctx context.Context, q Question) (*Answer, error)
}

// Question is one question to a model. It has room for one screen and no history, so earlier
// screens cannot reach the model.
type Question struct {
	System    string
	Text      string
	Image     []byte // the current screen; may be nil
	MIME      string // of Image
	MaxTokens int    // of the answer; 0: 2048
}

// Answer is the model's answer.
type Answer struct {
	Text       string
	Model      string
	StopReason string
}

type samplerKey struct{}

// SamplerFrom is the client of the running call as a Sampler, nil when it cannot sample.
func SamplerFrom(ctx context.Context) Sampler {
	s, _ := ctx.Value(samplerKey{}).(Sampler)
	return s
}

// withSampler makes the client's model reachable from a call, when the client offers sampling.
func (cs *clientServer) withSampler(ctx context.Context, req *mcp.CallToolRequest, p *pendingCall) context.Context {
	caps := req.ClientCapabilities()
	if caps == nil || caps.Sampling == nil {
		return ctx
	}
	var s Sampler = &direct{req.Session}
	if p != nil {
		s = p
	}
	ctx = llm.WithModel(ctx, llm.Sampled("mcp client", func(
		ctx context.Context, system, text string, picture *llm.Image, maxTokens int,
	) (string, string, error) {
		q := Question{System: system, Text: text, MaxTokens: maxTokens}
		if picture != nil {
			q.Image, q.MIME = picture.Data, picture.MIME
		}
		answer, err := s.Sample(ctx, q)
		if err != nil {
			return "", "", err
		}
		return answer.Text, answer.Model, nil
	}))
	return context.WithValue(ctx, samplerKey{}, s)
}

// notes remembers that the client offers sampling: then it has a model (R238).
func (cs *clientServer) notes(caps *mcp.ClientCapabilities) {
	if caps != nil && caps.Sampling != nil && !cs.samples.Swap(true) {
		cs.sync()
	}
}

// direct asks a client of the protocol with sessions: by a request of its own during the call.
type direct struct{ session *mcp.ServerSession }

func (d *direct) Sample(ctx context.Context, q Question) (*Answer, error) {
	res, err := d.session.CreateMessage(ctx, q.params())
	if err != nil {
		return nil, sampleFault(err)
	}
	return answerOf([]mcp.Content{res.Content}, res.Model, res.StopReason)
}

func (q Question) params() *mcp.CreateMessageParams {
	p := &mcp.CreateMessageParams{
		SystemPrompt: q.System, IncludeContext: "none", MaxTokens: int64(q.MaxTokens),
		Messages: []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: q.Text}}},
	}
	if p.MaxTokens <= 0 {
		p.MaxTokens = 2048
	}
	if len(q.Image) > 0 {
		p.Messages = append([]*mcp.SamplingMessage{{Role: "user",
			Content: &mcp.ImageContent{Data: q.Image, MIMEType: q.MIME}}}, p.Messages...)
	}
	return p
}

func answerOf(content []mcp.Content, model, stop string) (*Answer, error) {
	var texts []string
	for _, c := range content {
		if t, ok := c.(*mcp.TextContent); ok {
			texts = append(texts, t.Text)
		}
	}
	if len(texts) == 0 {
		return nil, fault.New(fault.Unavailable, "sample model", "the client's model answered without text")
	}
	return &Answer{Text: strings.Join(texts, "\n"), Model: model, StopReason: stop}, nil
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
