package hub_test

import (
	"context"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/toolset"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/hubtest"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// R206: a client chooses among the targets that its project knows, by id, package id or URL, and by what the names of its
// tools begin with; until then the one that the project names holds.
func TestKnownTargets(t *testing.T) {
	login := tool.Define(tool.Spec{
		Name: "acme_driver_login", Description: "Signs in.", Kind: tool.Action, Origin: "MCP server acme",
	}, func(context.Context, tool.Env, struct{}) (string, error) { return "", nil })
	shop := toolset.Target{ID: "shop", Names: []string{"com.shop", "https://shop.test"}}
	rig := hubtest.New(t, hubtest.Options{Hub: hub.Options{Workspace: func(root string) (*hub.Workspace, error) {
		return &hub.Workspace{Root: root, Tools: []tool.Tool{login}, Targets: func() ([]toolset.Target, string) {
			return []toolset.Target{shop, {ID: "cafe"}}, "cafe"
		}}, nil
	}}})
	c := rig.Client("mcp", "a")
	for name, want := range map[string]string{
		"shop": "shop", "SHOP": "shop", "com.shop": "shop", "https://shop.test/": "shop", "": "", "cafe": "cafe",
		"acme_driver": "acme_driver", "acme": "acme",
	} {
		if got, err := rig.KnownTarget(c, name); got != want || err != nil {
			t.Errorf("%q is %q %v, want %q", name, got, err, want)
		}
	}
	_, err := rig.KnownTarget(c, "bank")
	if fault.KindOf(err) != fault.NotFound || !strings.Contains(fault.HintOf(err), "shop, cafe") {
		t.Errorf("an unknown target: %v (%s)", err, fault.HintOf(err))
	}
	if id, app := rig.Target(c); id != "cafe" || app == nil {
		t.Errorf("before a choice the target is %q", id)
	}
	if err := c.Update(func(st *clients.State) error { st.Target = "shop"; return nil }); err != nil {
		t.Fatal(err)
	}
	if id, app := rig.Target(c); id != "shop" || app == nil || len(app.Names) != 2 {
		t.Errorf("after the choice the target is %q", id)
	}
}
