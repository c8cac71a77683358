package mcpserver

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/hubtest"
)

func (c *client) prompt(name string, args map[string]string) (string, error) {
	res, err := c.GetPrompt(c.ctx(), &mcp.GetPromptParams{Name: name, Arguments: args})
	if err != nil {
		return "", err
	}
	return res.Messages[0].Content.(*mcp.TextContent).Text, nil
}

// R15: what a client needs to recover from a failure: what was looked for, what was nearest, what changed, how to go
// on.
func TestR15DiagnoseTellsTheFailure(t *testing.T) {
	r := newRig(t, hubtest.Options{})
	c := r.connect(legacy, mcp.ClientOptions{})
	c.must("demo_echo", `{"text":"open"}`)
	live, _ := r.RunningSession(mustClient(t, r, c))
	_, err := live.Log.Append(event.Event{Type: event.ToolCall, Call: &event.Call{
		Name: "web_click", Args: []byte(`{"ref":"e7"}`), IsError: true,
		Error: &fault.Failure{
			Kind: "not_found", Message: "no button Pay", Hint: "Take a snapshot.", Looked: `button "Pay"`,
			Candidates: []string{`button "Buy": another name`}, SinceGreen: []string{`gone: button "Pay"`},
		},
	}})
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range []map[string]string{nil, {"session": live.ID}, {"session": "last"}} {
		got, err := c.prompt("diagnose_failure", args)
		if err != nil {
			t.Fatalf("%v: %v", args, err)
		}
		for _, want := range []string{
			live.ID, `{"ref":"e7"}`, "no button Pay", "Take a snapshot.", `looked for: button "Pay"`, `button "Buy": another name`,
			`gone: button "Pay"`, "trailblaze://sessions/" + live.ID + "/screenshot", "recover",
		} {
			if !strings.Contains(got, want) {
				t.Errorf("%v: %q is missing in\n%s", args, want, got)
			}
		}
		if strings.Contains(got, "{{") {
			t.Errorf("a place was not filled:\n%s", got)
		}
		if open := strings.Index(got, "<<page "); open < 0 || open > strings.Index(got, "no button Pay") {
			t.Errorf("text of the page is not fenced:\n%s", got)
		}
	}
}

func TestPrompts(t *testing.T) {
	r := newRig(t, hubtest.Options{})
	write(t, filepath.Join(r.Workspace, "shop.trail.yaml"), "- config: {title: \"{{goal}} stays\"}\n")
	c := r.connect("", mcp.ClientOptions{})
	got, err := c.prompt("author_trail", map[string]string{"goal": "buy a mug {{start}}", "start": "http://shop.test"})
	if err != nil || !strings.Contains(got, "Goal: buy a mug {{start}}\nStart at: http://shop.test\n") {
		t.Errorf("%v\n%s", err, got)
	}
	if got, _ = c.prompt("author_trail", map[string]string{"goal": "x"}); strings.Contains(got, "Start at") {
		t.Errorf("a part without a value stays:\n%s", got)
	}
	got, err = c.prompt("review_trail", map[string]string{"path": "shop.trail.yaml"})
	if err != nil || !strings.Contains(got, "{{goal}} stays") {
		t.Errorf("%v\n%s", err, got)
	}
	for name, args := range map[string]map[string]string{
		"author_trail": {}, "review_trail": {"path": "../x.trail.yaml"}, "diagnose_failure": {"session": "../../etc"}, "nothing": nil,
	} {
		if got, err := c.prompt(name, args); err == nil {
			t.Errorf("%s %v: %s", name, args, got)
		}
	}
}
