package extern_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace/source"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// scripted is a model that says what it was asked.
type scripted struct {
	asked []source.Prompt
	none  bool // there is no model after all
}

func (m *scripted) Ready(ctx context.Context) bool { return !m.none && ctx.Err() == nil }

func (m *scripted) Complete(ctx context.Context, p source.Prompt) (string, string, error) {
	if m.none {
		return "", "", fault.New(fault.Unsupported, "choose model", "none is configured").WithHint("Name one.")
	}
	if whose, _ := ctx.Value(whose{}).(string); whose != "robin" {
		return "", "", fault.New(fault.Denied, "choose model", "it is asked for nobody's call")
	}
	m.asked = append(m.asked, p)
	return "yes", "scripted", nil
}

// whose is the key under which the context of a call says who made it.
type whose struct{}

// ask is a tool that asks for a completion.
func ask(ctx context.Context, r *mcp.CallToolRequest, args map[string]any) (*mcp.CallToolResult, error) {
	res, err := r.Session.CreateMessage(ctx, &mcp.CreateMessageParams{
		MaxTokens: 50, Metadata: map[string]any{"include_screenshot": args["screenshot"]},
		Messages: []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: "Is it green? hunter2-of-ann"}}},
	})
	if err != nil {
		return nil, err
	}
	c, _ := res.Content.(*mcp.TextContent)
	m, _ := metaOf(r)
	return dict(map[string]any{"said": c.Text, "sampling": m.Capabilities["sampling"]}), nil
}

// R138, R139, R140, R141, R257: a server that may asks the model of its call, with the screen when it wants it; any other is
// told why not, and by each call whether there is one.
func TestSampling(t *testing.T) {
	model := &scripted{}
	allowed := acme("asks")
	allowed.Sampling = true
	with := func(m source.Model) func(*source.Options) { return func(o *source.Options) { o.Model = m } }
	r := startWith(t, options{servers: []source.Server{allowed}, change: with(model)})
	r.mem.SetSecret("password", "hunter2-of-ann")
	robin := context.WithValue(t.Context(), whose{}, "robin")
	ask := tool.Call{Name: "acme_ask", Args: json.RawMessage(`{"screenshot":true}`)}
	res, err := r.d.Call(robin, r.s, dispatch.CLI, ask)
	if err != nil || res.Text() != `{"said":"yes","sampling":true}` {
		t.Errorf("%+v %v", res, err)
	}
	if len(model.asked) != 1 || len(model.asked[0].Messages) != 2 || model.asked[0].Messages[1].MIME == "" {
		t.Fatalf("asked %+v", model.asked)
	}
	if text := model.asked[0].Messages[0].Text; strings.Contains(text, "hunter2") {
		t.Errorf("the model was told a secret: %q", text)
	}
	startWith(t, options{servers: []source.Server{acme("asks")}, change: with(model)}).
		fails("acme_ask", `{}`, "sampling: true to it in trailblaze.yaml:3")
	startWith(t, options{servers: []source.Server{allowed}}).fails("acme_ask", `{}`, "no model is configured")
	without := startWith(t, options{servers: []source.Server{allowed}, change: with(&scripted{none: true})})
	without.fails("acme_ask", `{}`, "choose model: none is configured. Name one.")
	meta, _ := without.must("acme_echo", `{}`)["meta"].(map[string]any)
	if tb, _ := meta["trailblaze"].(map[string]any); fmt.Sprint(tb["capabilities"]) != "map[sampling:false]" {
		t.Errorf("R141: without a model the call says %v", tb["capabilities"])
	}
}
