package api

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/agent/llm"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
	"github.com/trailblaze-dev/trailblaze/internal/serve/rpcerr"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
)

const opSample = "sample model"

// maxRounds limits the questions that one call of an attended client may carry: the SDK for Go gives a call up that it
// has sent ten times.
const maxRounds = 9

// withModel makes the model of the client's program reachable from the call. A call that waits for a job has no
// questions of its own: its model is for those of the job.
func (c *agentCall) withModel(ctx context.Context) context.Context {
	can := c.r.Abilities
	if !can.GetSamples() {
		return ctx
	}
	const name = "mcp client"
	own := llm.Sampled(name, can.GetSamplesWithTools(), c.ask)
	if c.r.Name == jobTool {
		return llm.WithModel(ctx, own)
	}
	c.relay = llm.NewRelay(name, c.o.AnswerTimeout)
	_, c.leave = c.relay.Attend(own)
	return llm.WithModel(ctx, c.relay)
}

// awaited has the questions of this call, as a job, carried by a call that waits for it.
func (c *agentCall) awaited(waiter context.Context) (enough <-chan struct{}, done func()) {
	m := llm.ModelFrom(waiter)
	if c.relay == nil || m == nil {
		return nil, func() {}
	}
	return c.relay.Attend(m)
}

// awaitJob keeps the stream of a call that continues as a job open for the questions of the job, when its client can be
// asked at any time. An attended client gets them with the calls that wait for the job.
func (c *agentCall) awaitJob(ctx context.Context, job string) {
	if job == "" || c.relay == nil || c.r.Attended {
		return
	}
	_, _, _ = c.o.Hub.Job(ctx, job, true, nil) // who waits for it reads how it ended
	c.relay.End(errGone)
}

var errGone = fault.New(fault.Canceled, opSample, "canceled, because the MCP client whose model is asked has gone or "+
	"has taken its call back")

// ask asks the client's model one question. It holds what the asker put into it and nothing else: an agent shows one
// screen, so earlier ones do not reach the model.
func (c *agentCall) ask(ctx context.Context, r llm.Request) (*llm.Sample, error) {
	if asks := calls.From(ctx); asks != nil && c.r.Attended {
		if c.rounds.Add(1) > maxRounds {
			asks.HandOver()
			return nil, llm.ErrEnough
		}
		defer asks.Hold()()
	}
	q, heard := questionOf(r), make(chan *pb.AnswerQuestionRequest, 1)
	q.QuestionId = rand.Text()
	c.mu.Lock()
	c.asked[q.QuestionId] = heard
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		delete(c.asked, q.QuestionId)
		c.mu.Unlock()
	}()
	err := c.say(&pb.CallListedToolResponse{Message: &pb.CallListedToolResponse_Question{Question: q}})
	if err != nil {
		return nil, fault.Wrap(err, fault.Unavailable, opSample)
	}
	select {
	case a := <-heard:
		if a.Failure != nil {
			return nil, rpcerr.Fault(a.Failure).Err()
		}
		return sampleOf(a), nil
	case <-c.life.Done():
		return nil, errGone
	case <-ctx.Done():
		return nil, fault.Wrap(context.Cause(ctx), "", opSample)
	}
}

// AnswerQuestion implements AgentService.
func (s *Agents) AnswerQuestion(
	_ context.Context, r *pb.AnswerQuestionRequest,
) (*pb.AnswerQuestionResponse, error) {
	s.mu.Lock()
	heard := s.asked[r.QuestionId]
	delete(s.asked, r.QuestionId)
	s.mu.Unlock()
	if heard == nil {
		return nil, fault.New(fault.NotFound, "answer question", "nobody waits for this answer").
			WithHint("The call that asked has ended, or was answered already. Go on with the next question.")
	}
	heard <- r
	return &pb.AnswerQuestionResponse{}, nil
}

// questionOf is a request as it goes to the client's program.
func questionOf(r llm.Request) *pb.Question {
	q := &pb.Question{System: r.System, ToolChoice: string(r.Choice)}
	q.MaxTokens = int32(r.MaxTokens) //nolint:gosec // small
	for _, t := range r.Tools {
		q.Tools = append(q.Tools, &pb.OfferedTool{Name: t.Name, Description: t.Description, InputSchema: string(t.Schema)})
	}
	for _, m := range r.Messages {
		turn := &pb.Turn{ByModel: m.Role == llm.FromModel}
		for _, p := range m.Parts {
			turn.Parts = append(turn.Parts, partOf(p))
		}
		q.Turns = append(q.Turns, turn)
	}
	if len(q.Turns) == 1 {
		for _, p := range q.Turns[0].Parts { // for programs that do not know turns
			q.Text += p.GetText()                   //nolint:staticcheck // deprecated for readers
			q.Image = cmp.Or(q.Image, p.GetImage()) //nolint:staticcheck // the same
		}
	}
	return q
}

func partOf(p llm.Part) *pb.TurnPart {
	switch {
	case p.Image != nil:
		return &pb.TurnPart{Kind: &pb.TurnPart_Image{Image: &pb.Image{Data: p.Image.Data, MimeType: p.Image.MIME}}}
	case p.Call != nil:
		return &pb.TurnPart{Kind: &pb.TurnPart_Use{
			Use: &pb.ToolUse{Id: p.Call.ID, Name: p.Call.Name, Arguments: string(p.Call.Args)}}}
	case p.Result != nil:
		return &pb.TurnPart{Kind: &pb.TurnPart_Result{
			Result: &pb.ToolUseResult{Id: p.Result.ID, Text: p.Result.Text, IsError: p.Result.IsError}}}
	}
	return &pb.TurnPart{Kind: &pb.TurnPart_Text{Text: p.Text}}
}

func sampleOf(a *pb.AnswerQuestionRequest) *llm.Sample {
	out := &llm.Sample{Text: a.Text, Stop: a.Stop, Model: a.Model}
	for _, c := range a.Calls {
		out.Calls = append(out.Calls, llm.Call{ID: c.Id, Name: c.Name, Args: json.RawMessage(c.Arguments)})
	}
	return out
}
