package mcpserver

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/internal/call/toolset"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/hubtest"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// When the tools of a workspace change, every client in it hears of it, and no other client.
func TestToolsOfWorkspaceChange(t *testing.T) {
	type in struct{}
	made := func(name, text string) tool.Tool {
		return tool.Define(tool.Spec{Name: name, Description: text, Kind: tool.Query, ExposedToLLM: true},
			func(context.Context, tool.Env, in) (string, error) { return text, nil })
	}
	change := map[string]func([]tool.Tool){}
	r := newRig(t, hubtest.Options{Hub: hub.Options{Workspace: func(root string) (*hub.Workspace, error) {
		return &hub.Workspace{Root: root, Tools: []tool.Tool{made("own_one", "one")}, Changes: func(fn func([]tool.Tool)) func() {
			change[root] = fn
			return func() {}
		}}, nil
	}}})
	a, b := r.connect(legacy, mcp.ClientOptions{}), r.attach(r.Client("mcp", "b"), legacy, mcp.ClientOptions{})
	elsewhere, err := r.Hub.Client("", clients.Identity{Kind: "mcp", Name: "c", Workspace: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	c := r.attach(elsewhere, legacy, mcp.ClientOptions{})
	change[r.Workspace]([]tool.Tool{made("own_one", "one, better"), made("own_two", "two")})
	for _, client := range []*client{a, b} {
		if got := waittest.Await(t, client.changes, "the change of the list"); got != "tools" {
			t.Errorf("heard of %s", got)
		}
		if got := client.names(); !slices.Contains(got, "own_two") {
			t.Errorf("the list has no new tool: %v", got)
		}
		if got := client.must("own_one", `{}`); !strings.Contains(got, "one, better") {
			t.Errorf("the changed tool says %q", got)
		}
	}
	if got := c.names(); slices.Contains(got, "own_two") || len(c.changes) > 0 {
		t.Errorf("a client of another workspace has the tool or heard of it: %v", got)
	}
}

// Tools that come while a client's server is being made, after it has read them and before it is known, are listed.
func TestToolsThatComeWhileAClientConnects(t *testing.T) {
	late := tool.Define(tool.Spec{Name: "own_late", Description: "late", Kind: tool.Query, ExposedToLLM: true},
		func(context.Context, tool.Env, struct{}) (string, error) { return "late", nil })
	var change func([]tool.Tool)
	come := sync.OnceFunc(func() { change([]tool.Tool{late}) })
	r := newRig(t, hubtest.Options{Hub: hub.Options{Workspace: func(root string) (*hub.Workspace, error) {
		return &hub.Workspace{
			Root:    root,
			Changes: func(fn func([]tool.Tool)) func() { change = fn; return func() {} },
			Listed:  func([]string) toolset.TargetTools { come(); return toolset.TargetTools{} }, // asked after the tools are read
		}, nil
	}}})
	if got := r.connect(legacy, mcp.ClientOptions{}).names(); !slices.Contains(got, "own_late") {
		t.Errorf("the list is %v", got)
	}
}
