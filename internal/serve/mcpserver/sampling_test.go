package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/agent/llm"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/hubtest"
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

// chooser is a tool that asks for one of two tools in the middle of a conversation, as the outer agent does. It tells how
// the question ended.
func chooser(ended func(error)) tool.Tool {
	type in struct{}
	spec := tool.Spec{Name: "demo_choose", Description: "Asks.", Kind: tool.Action, ExposedToLLM: true, NeedsModel: true}
	return tool.Define(spec, func(ctx context.Context, _ tool.Env, _ in) (string, error) {
		call := llm.Call{ID: "c1", Name: "press", Args: json.RawMessage(`{"ref":"e1"}`)}
		answer, err := llm.ModelFrom(ctx).Generate(ctx, llm.Request{System: "Choose.", Choice: llm.Required, MaxTokens: 99,
			Tools: []llm.Tool{{Name: "press", Description: "Presses.", Schema: json.RawMessage(`{"type":"object"}`)},
				{Name: "wait", Description: "Waits.", Schema: json.RawMessage(`{"type":"object"}`)}},
			Messages: []llm.Message{llm.User("Go on."), {Role: llm.FromModel, Parts: []llm.Part{{Call: &call}}},
				{Role: llm.FromUser, Parts: []llm.Part{{Result: &llm.Result{ID: "c1", Name: "press", Text: "covered", IsError: true}},
					{Result: &llm.Result{ID: "c2", Name: "wait", Text: "waited"}}}}}}, nil)
		ended(err)
		if err != nil {
			return "", err
		}
		out := string(answer.Stop) + ": " + answer.Text
		for _, c := range answer.Calls {
			out += " " + c.Name + string(c.Args)
		}
		return out, nil
	})
}

// R207, R208: a client that declares sampling with tools is asked with them, in either era, and its calls come back; one
// that does not is asked in words. Each connection of a client is asked as it has said itself.
func TestSamplingWithTools(t *testing.T) {
	r := newRig(t, hubtest.Options{Tools: []tool.Tool{chooser(func(error) {})}, Hub: hub.Options{Model: thinker{}}})
	calls := []mcp.Content{&mcp.ToolUseContent{ID: "a", Name: "press", Input: map[string]any{"ref": "e2"}},
		&mcp.ToolUseContent{ID: "b", Name: "wait"}}
	words := []mcp.Content{&mcp.TextContent{Text: `{"calls":[{"name":"press","args":{"ref":"e2"}},{"name":"wait"}]}`}}
	for _, version := range []string{legacy, ""} {
		for _, c := range []struct {
			name, stop string
			tools      bool
			says       []mcp.Content
			want       string
		}{
			{"calls", "toolUse", true, calls, `tool_calls:  press{"ref":"e2"} wait{}`},
			{"calls in words", "endTurn", false, words, `tool_calls:  press{"ref":"e2"} wait{}`},
			{"cut", "maxTokens", true, []mcp.Content{&mcp.TextContent{Text: "I wi"}}, `length: I wi`},
			{"cut in words", "maxTokens", false, []mcp.Content{&mcp.TextContent{Text: `{"calls":[{"na`}}, `length: {"calls":[{"na`},
			{"refused", "refusal", true, []mcp.Content{&mcp.TextContent{Text: "I must not."}}, `refused: I must not.`},
			{"nothing", "endTurn", true, []mcp.Content{&mcp.ImageContent{MIMEType: "image/png"}}, `neither text nor calls`},
		} {
			t.Run(version+c.name, func(t *testing.T) {
				asked := ""
				answer := func(p any) *mcp.CreateMessageWithToolsResult {
					raw, err := json.Marshal(p)
					asked += string(raw)
					if err != nil {
						t.Error(err)
					}
					return &mcp.CreateMessageWithToolsResult{Content: c.says, Model: "m1", Role: "assistant", StopReason: c.stop}
				}
				o := mcp.ClientOptions{CreateMessageWithToolsHandler: func(_ context.Context,
					q *mcp.CreateMessageWithToolsRequest) (*mcp.CreateMessageWithToolsResult, error) {
					return answer(q.Params), nil
				}}
				want := []string{`"toolChoice":{"mode":"required"}`, `"description":"Presses."`, `"maxTokens":99`, `"type":"tool_use"`,
					`"isError":true`, `"toolUseId":"c2"`}
				if !c.tools {
					o = mcp.ClientOptions{CreateMessageHandler: func(_ context.Context, q *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
						res := answer(q.Params)
						return &mcp.CreateMessageResult{Content: res.Content[0], Model: res.Model, Role: res.Role, StopReason: res.StopReason}, nil
					}}
					want = []string{`press {\"type\":\"object\"}: Presses.`, `press failed: covered`}
				}
				if got := text(r.connect(version, o).try("demo_choose", `{}`)); !strings.Contains(got, c.want) {
					t.Errorf("the tool got %s, want %s", got, c.want)
				}
				for _, w := range want {
					if !strings.Contains(asked, w) {
						t.Errorf("the client was asked without %s: %s", w, asked)
					}
				}
				if has := strings.Contains(asked, `"tools":`); has != c.tools {
					t.Errorf("asked with tools: %t: %s", has, asked)
				}
			})
		}
	}
}

// A question that the client does not answer fails after the timeout of the server, in either era, and at once when the
// client cancels its call.
func TestQuestionWithoutAnswer(t *testing.T) {
	for _, c := range []struct {
		version string
		limit   time.Duration
		cancel  bool // by the client, while it is asked
		want    string
	}{
		{legacy, 50 * time.Millisecond, false, "did not answer within 50ms"},
		{legacy, timeout, true, "canceled"},
		{"", 50 * time.Millisecond, true, "canceled"}, // there it just never comes back
	} {
		ended := make(chan error, 1)
		r := newRig(t, hubtest.Options{Tools: []tool.Tool{chooser(func(err error) { ended <- err })}, Hub: hub.Options{Model: thinker{}}},
			func(o *Options) { o.AnswerTimeout = c.limit })
		ctx, cancel := context.WithTimeout(t.Context(), timeout)
		defer cancel()
		hangs := r.connect(c.version, mcp.ClientOptions{CreateMessageWithToolsHandler: func(asked context.Context,
			_ *mcp.CreateMessageWithToolsRequest) (*mcp.CreateMessageWithToolsResult, error) {
			if c.cancel {
				cancel()
			}
			select {
			case <-asked.Done():
			case <-ctx.Done():
			}
			return nil, context.Canceled
		}})
		res, err := hangs.CallTool(ctx, &mcp.CallToolParams{Name: "demo_choose"})
		if failed := err != nil || res.IsError; !failed {
			t.Errorf("%+v: a result without an answer: %s", c, text(res))
		}
		select {
		case err := <-ended:
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%+v: the question ended with %v", c, err)
			}
		case <-time.After(timeout):
			t.Errorf("%+v: the question never ended", c)
		}
		cancel()
	}
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
