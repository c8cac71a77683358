package mcpserver

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/hub"
	"github.com/trailblaze-dev/trailblaze/internal/hub/clients"
	"github.com/trailblaze-dev/trailblaze/internal/hub/hubtest"
	"github.com/trailblaze-dev/trailblaze/internal/llm"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// asker is a tool that asks the client's model twice, as an agent does.
func asker() tool.Tool {
	type in struct {
		Screens int `json:"screens"`
	}
	spec := tool.Spec{Name: "demo_ask", Description: "Asks.", Kind: tool.Action, ExposedToLLM: true, NeedsModel: true}
	return tool.Define(spec, func(ctx context.Context, _ tool.Env, a in) (string, error) {
		m := llm.ModelFrom(ctx)
		if m == nil {
			return "", fault.New(fault.Unsupported, "ask", "this MCP client does not offer sampling")
		}
		var got []string
		for i := range a.Screens {
			answer, err := m.Generate(ctx, llm.Request{System: "Choose.", Messages: []llm.Message{{Parts: []llm.Part{
				{Text: fmt.Sprintf("screen %d", i), Image: &llm.Image{Data: []byte{1}, MIME: "image/png"}}}}}}, nil)
			if err != nil {
				return "", err
			}
			got = append(got, answer.Text+" by "+answer.Model)
		}
		return strings.Join(got, ", "), nil
	})
}

type thinker struct{}

func (thinker) Ready(context.Context, *clients.Client) bool { return true }

func (thinker) Check(context.Context, *clients.Client, string) error { return nil }

func (thinker) Prompt(context.Context, *clients.Client, []string) (*tool.Result, error) {
	return nil, nil
}

// R207, R275: a tool in the middle of its call asks the client's model, in either era; no question holds an earlier
// screen.
func TestR207ClientModelIsAsked(t *testing.T) {
	for _, version := range []string{legacy, ""} {
		t.Run("version "+version, func(t *testing.T) {
			r := newRig(t, hubtest.Options{Tools: []tool.Tool{asker()}, Hub: hub.Options{Model: thinker{}}})
			var asked []string
			c := r.connect(version, mcp.ClientOptions{CreateMessageHandler: func(_ context.Context, req *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
				var texts []string
				images := 0
				for _, m := range req.Params.Messages {
					switch c := m.Content.(type) {
					case *mcp.TextContent:
						texts = append(texts, c.Text)
					case *mcp.ImageContent:
						images++
					}
				}
				if images != 1 || len(texts) != 1 || req.Params.SystemPrompt != "Choose." {
					t.Errorf("asked with %d images, texts %v, system %q", images, texts, req.Params.SystemPrompt)
				}
				asked = append(asked, texts...)
				return &mcp.CreateMessageResult{Content: &mcp.TextContent{Text: "tap " + texts[0]}, Model: "m1", Role: "assistant"}, nil
			}})
			if got := c.must("demo_ask", `{"screens":3}`); !strings.Contains(got, "tap screen 0 by m1, tap screen 1 by m1, tap screen 2 by m1") {
				t.Errorf("answer: %s", got)
			}
			if len(asked) != 3 {
				t.Errorf("asked %v", asked)
			}
		})
	}
}

func TestClientWithoutModel(t *testing.T) {
	for _, version := range []string{legacy, ""} {
		r := newRig(t, hubtest.Options{Tools: []tool.Tool{asker()}, Hub: hub.Options{Model: thinker{}}})
		res := r.connect(version, mcp.ClientOptions{}).try("demo_ask", `{"screens":1}`)
		if !res.IsError || !strings.Contains(text(res), "sampling") {
			t.Errorf("version %q: isError %v: %s", version, res.IsError, text(res))
		}
		refuses := r.connect(version, mcp.ClientOptions{CreateMessageHandler: func(context.Context, *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
			return nil, fmt.Errorf("the user said no")
		}})
		if version == legacy {
			if res := refuses.try("demo_ask", `{"screens":1}`); !res.IsError || !strings.Contains(text(res), "the user said no") {
				t.Errorf("isError %v: %s", res.IsError, text(res))
			}
		}
	}
}

// A client that never comes back with its answer holds nothing up: closing the server ends the waiting call.
func TestErrandEndsWithTheServer(t *testing.T) {
	r := newRig(t, hubtest.Options{Tools: []tool.Tool{asker()}, Hub: hub.Options{Model: thinker{}}})
	c := r.connect("", mcp.ClientOptions{
		CreateMessageHandler: func(context.Context, *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) { return nil, nil },
		MultiRoundTrip:       &mcp.MultiRoundTripOptions{Disabled: true},
	})
	res := c.try("demo_ask", `{"screens":1}`)
	if !res.NeedsInput() || res.RequestState == "" {
		t.Fatalf("no question: %+v", res)
	}
	if n := r.Status().Running; n != 1 {
		t.Errorf("%d calls run while one waits", n)
	}
	forged := &mcp.CallToolParams{Name: "demo_ask", RequestState: res.RequestState + "x", InputResponses: mcp.InputResponseMap{}}
	if res, err := c.CallTool(c.ctx(), forged); err != nil || !res.IsError {
		t.Errorf("a forged state: %+v, %v", res, err)
	}
	if err := r.mcp.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := r.Status().Running; n != 0 {
		t.Errorf("%d calls run after closing", n)
	}
}
