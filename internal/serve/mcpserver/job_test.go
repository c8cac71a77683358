package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/internal/agent/llm"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/hubtest"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// jobRig is a rig whose tool demo_long asks the client's model many questions, and goes on as a job before.
type jobRig struct {
	*rig
	more  chan struct{} // closed: demo_long asks from its second question on
	ended chan error    // how its questions ended
}

func newJobRig(t *testing.T, questions int, after, answer time.Duration) *jobRig {
	j := &jobRig{more: make(chan struct{}), ended: make(chan error, 1)}
	type in struct {
		ID string `json:"id,omitempty"`
	}
	long := tool.Define(tool.Spec{Name: "demo_long", Description: "Asks.", Kind: tool.Action, ExposedToLLM: true, NeedsModel: true},
		func(ctx context.Context, _ tool.Env, _ in) (string, error) {
			var got []string
			for i := range questions {
				if i > 0 {
					select {
					case <-j.more:
					case <-ctx.Done():
						return "", context.Cause(ctx)
					}
				}
				a, err := llm.ModelFrom(ctx).Generate(ctx, llm.Request{Messages: []llm.Message{llm.User(fmt.Sprintf("question %d", i))}}, nil)
				if err != nil {
					j.ended <- err
					return "", err
				}
				got = append(got, a.Text)
			}
			j.ended <- nil
			return "all: " + strings.Join(got, ", "), nil
		})
	j.rig = newRig(t, hubtest.Options{Tools: []tool.Tool{long}, Hub: hub.Options{Model: thinker{}, JobAfter: after,
		Management: func(hb *hub.Hub) []tool.Tool {
			return []tool.Tool{tool.Define(tool.Spec{Name: "job", Description: "Waits for a job.", Kind: tool.Action, ExposedToLLM: true},
				func(ctx context.Context, _ tool.Env, a in) (string, error) {
					wait, enough := context.WithTimeout(ctx, timeout)
					defer enough()
					reply, st, err := hb.Job(wait, a.ID, true, nil)
					if err != nil || !st.Done {
						return "running", err
					}
					return reply.Result.Text(), nil
				})}
		}}}, func(o *Options) { o.AnswerTimeout = answer })
	return j
}

// answers is a client with a model, which answers each question with its number, and counts those it has twice.
func answers(t *testing.T, before func(n int32)) (o mcp.ClientOptions, asked *atomic.Int32) {
	asked = &atomic.Int32{}
	return mcp.ClientOptions{CreateMessageHandler: func(_ context.Context, r *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
		n := asked.Add(1)
		said, ok := r.Params.Messages[0].Content.(*mcp.TextContent)
		if want := fmt.Sprintf("question %d", n-1); !ok || said.Text != want {
			t.Errorf("asked %v, want %s", r.Params.Messages[0].Content, want)
		}
		if before != nil {
			before(n)
		}
		return &mcp.CreateMessageResult{Content: &mcp.TextContent{Text: fmt.Sprintf("a%d", n)}, Model: "m", Role: "assistant"}, nil
	}}, asked
}

// doors are the ways in which a client with a model comes.
var doors = map[string]func(r *rig, version string, o mcp.ClientOptions) *client{
	"http": func(r *rig, version string, o mcp.ClientOptions) *client { return r.connect(version, o) },
	"lines": func(r *rig, version string, o mcp.ClientOptions) *client {
		return r.attach(r.Client("mcp", "tester"), version, o)
	},
}

func jobIn(t *testing.T, res *mcp.CallToolResult) string {
	t.Helper()
	id, _ := metaOf(t, res.Meta)["job"].(string)
	if id == "" || res.IsError {
		t.Fatalf("no job: %s", text(res))
	}
	return id
}

const several = 23 // questions: more than two calls may carry

// R208, R210: in the protocol without sessions a call becomes a job after as many questions as one call may carry, and
// the calls that wait for the job carry the next ones. Each is asked once.
func TestJobIsAskedThroughTheCallsThatWaitForIt(t *testing.T) {
	for name, door := range doors {
		t.Run(name, func(t *testing.T) {
			r := newJobRig(t, several, timeout, timeout)
			close(r.more)
			o, asked := answers(t, nil)
			c := door(r.rig, "", o)
			first := c.try("demo_long", `{}`)
			id := jobIn(t, first)
			if n := asked.Load(); n != 9 {
				t.Errorf("the first call carried %d questions", n)
			}
			who := map[string]any{"trailblazeSessionId": metaOf(t, first.Meta)["clientId"]}
			calls := 1
			got := ""
			for ; !strings.Contains(got, "all: ") && calls < 10; calls++ {
				got = c.must("job", `{"id":"`+id+`"}`, who)
			}
			if !strings.Contains(got, "a1, a2,") || !strings.Contains(got, fmt.Sprintf("a%d", several)) || calls != 3 || asked.Load() != several {
				t.Errorf("after %d calls and %d questions: %s", calls, asked.Load(), got)
			}
		})
	}
}

// R208, R210: in the protocol with sessions the questions of a job go on reaching the client without a call of it, also
// the one that was under way when the call became a job.
func TestJobIsAskedOverTheConnection(t *testing.T) {
	for name, door := range doors {
		t.Run(name, func(t *testing.T) {
			r := newJobRig(t, several, 30*time.Millisecond, timeout)
			answered := make(chan struct{})
			o, asked := answers(t, func(n int32) {
				if n == 1 { // the call ends first
					waittest.Hold(t, answered)
				}
			})
			c := door(r.rig, legacy, o)
			id := jobIn(t, c.try("demo_long", `{}`))
			close(answered)
			close(r.more)
			if err := waittest.Await(t, r.ended, "the end of the questions"); err != nil || asked.Load() != several {
				t.Errorf("%d questions, then %v", asked.Load(), err)
			}
			if got := c.must("job", `{"id":"`+id+`"}`); !strings.Contains(got, "a23") {
				t.Errorf("the job gave %s", got)
			}
		})
	}
}

// The questions of a job end with the connection, or when no call comes to carry them, each with an error that says so.
func TestQuestionsOfAJobEnd(t *testing.T) {
	t.Run("connection", func(t *testing.T) {
		r := newJobRig(t, 2, 30*time.Millisecond, timeout)
		entered := make(chan struct{})
		hang := make(chan struct{})
		defer close(hang)
		o, _ := answers(t, func(int32) {
			close(entered)
			waittest.Hold(t, hang)
		})
		c := doors["lines"](r.rig, legacy, o)
		jobIn(t, c.try("demo_long", `{}`))
		waittest.Await(t, entered, "the question")
		c.hangUp()
		if err := waittest.Await(t, r.ended, "the end of the question"); err == nil || !strings.Contains(err.Error(), "has gone") {
			t.Errorf("the question ended with %v", err)
		}
	})
	t.Run("no call", func(t *testing.T) {
		r := newJobRig(t, 2, 200*time.Millisecond, 50*time.Millisecond)
		o, _ := answers(t, nil)
		c := doors["lines"](r.rig, "", o)
		jobIn(t, c.try("demo_long", `{}`))
		close(r.more)
		if err := waittest.Await(t, r.ended, "the end of the question"); err == nil || !strings.Contains(err.Error(), "no call of the client came within 50ms") {
			t.Errorf("the question ended with %v", err)
		}
	})
	t.Run("refused", func(t *testing.T) {
		r := newJobRig(t, 2, 30*time.Millisecond, timeout)
		said := errors.New("the user said no")
		c := doors["http"](r.rig, legacy, mcp.ClientOptions{CreateMessageHandler: func(context.Context, *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
			return nil, said
		}})
		_ = c.try("demo_long", `{}`)
		if err := waittest.Await(t, r.ended, "the end of the question"); err == nil || !strings.Contains(err.Error(), said.Error()) {
			t.Errorf("the question ended with %v", err)
		}
	})
}
