package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/serve/rpcerr"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
)

// sampler asks the client's model one question.
type sampler func(ctx context.Context, q *pb.Question) (*mcp.CreateMessageWithToolsResult, error)

// questions are the questions of a call to the client's model. They are asked while the daemon's messages are read on.
type questions struct {
	daemon Daemon
	ask    sampler
	wg     sync.WaitGroup
}

func (a *questions) put(ctx context.Context, q *pb.Question) {
	a.wg.Go(func() {
		var answer *pb.AnswerQuestionRequest
		res, err := a.ask(ctx, q)
		if ctx.Err() != nil { // the call has ended, and with it the question
			return
		}
		if err == nil {
			answer, err = answerOf(res)
		}
		if err != nil {
			answer = &pb.AnswerQuestionRequest{Failure: rpcerr.Failure(fault.FailureOf(err))}
		}
		answer.QuestionId = q.QuestionId
		_, _ = a.daemon.AnswerQuestion(ctx, answer) // a call that ends just now waits for none
	})
}

// direct asks a client of the protocol with sessions: by a request of its own during the call.
func (s *Server) direct(session *mcp.ServerSession) sampler {
	return func(ctx context.Context, q *pb.Question) (*mcp.CreateMessageWithToolsResult, error) {
		waiting, enough := context.WithTimeout(ctx, s.o.AnswerTimeout)
		defer enough()
		res, err := session.CreateMessageWithTools(waiting, paramsOf(q))
		if err != nil && waiting.Err() != nil && ctx.Err() == nil {
			return nil, unanswered(s.o.AnswerTimeout)
		}
		if err != nil {
			return nil, sampleFault(err)
		}
		return res, nil
	}
}

// paramsOf is a question as MCP puts it. A client that takes no tools may take no message of several parts either, so
// each part is then a message of its own.
func paramsOf(q *pb.Question) *mcp.CreateMessageWithToolsParams {
	p := &mcp.CreateMessageWithToolsParams{SystemPrompt: q.System, IncludeContext: "none", MaxTokens: int64(q.MaxTokens)}
	for _, t := range q.Tools {
		p.Tools = append(p.Tools, &mcp.Tool{Name: t.Name, Description: t.Description,
			InputSchema: json.RawMessage(t.InputSchema)})
	}
	if len(p.Tools) > 0 {
		p.ToolChoice = &mcp.ToolChoice{Mode: q.ToolChoice}
	}
	for _, turn := range q.Turns {
		m := &mcp.SamplingMessageV2{Role: "user"}
		if turn.ByModel {
			m.Role = "assistant"
		}
		for _, part := range turn.Parts {
			m.Content = append(m.Content, contentOf(part))
			if len(p.Tools) == 0 {
				p.Messages = append(p.Messages, m)
				m = &mcp.SamplingMessageV2{Role: m.Role}
			}
		}
		if len(m.Content) > 0 {
			p.Messages = append(p.Messages, m)
		}
	}
	return p
}

func contentOf(part *pb.TurnPart) mcp.Content {
	switch p := part.Kind.(type) {
	case *pb.TurnPart_Image:
		return &mcp.ImageContent{Data: p.Image.GetData(), MIMEType: p.Image.GetMimeType()}
	case *pb.TurnPart_Use:
		use := &mcp.ToolUseContent{ID: p.Use.GetId(), Name: p.Use.GetName()}
		_ = json.Unmarshal([]byte(p.Use.GetArguments()), &use.Input) // what is no object was refused, and the result says so
		return use
	case *pb.TurnPart_Result:
		return &mcp.ToolResultContent{ToolUseID: p.Result.GetId(), IsError: p.Result.GetIsError(),
			Content: []mcp.Content{&mcp.TextContent{Text: p.Result.GetText()}}}
	}
	return &mcp.TextContent{Text: part.GetText()}
}

// answerOf converts the answer of a client's model for the daemon.
func answerOf(r *mcp.CreateMessageWithToolsResult) (*pb.AnswerQuestionRequest, error) {
	out := &pb.AnswerQuestionRequest{Model: r.Model, Stop: r.StopReason}
	var texts []string
	for _, c := range r.Content {
		switch c := c.(type) {
		case *mcp.TextContent:
			texts = append(texts, c.Text)
		case *mcp.ToolUseContent:
			args, err := json.Marshal(c.Input)
			if err != nil {
				return nil, fault.Wrap(err, fault.Invalid, "sample model")
			}
			out.Calls = append(out.Calls, &pb.ToolUse{Id: c.ID, Name: c.Name, Arguments: string(args)})
		}
	}
	if len(texts)+len(out.Calls) == 0 {
		return nil, fault.New(fault.Unavailable, "sample model", "the client's model answered with neither text nor calls")
	}
	out.Text = strings.Join(texts, "\n")
	return out, nil
}

// unanswered is the failure of a question that waited too long.
func unanswered(after time.Duration) error {
	return fault.New(fault.Timeout, "sample model", "the MCP client did not answer within %s", after).
		WithHint("Some clients ask their user first. Answer there, or configure a model and set this session's LLM call " +
			"strategy to DIRECT.")
}

func sampleFault(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return fault.Wrap(err, "", "sample model")
	}
	if errors.Is(err, io.EOF) || errors.Is(err, mcp.ErrConnectionClosed) {
		return fault.New(fault.Canceled, "sample model", "the MCP client whose model was asked has gone")
	}
	return fault.New(fault.Unavailable, "sample model", "the MCP client did not answer: %w", err).
		WithHint("Some clients announce sampling and refuse it, or ask their user first. Allow it there, or configure a " +
			"model and set this session's LLM call strategy to DIRECT.")
}
