package hub_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// says is a tool that says its name.
func says(name string) tool.Tool {
	type in struct{}
	return tool.Define(tool.Spec{Name: name, Description: "Says its name.", Kind: tool.Query, ExposedToLLM: true},
		func(context.Context, tool.Env, in) (string, error) { return name, nil })
}

// A mistake in one tool takes no other tool away; the log and a call of the tool say what is wrong.
func TestBadToolIsLeftOut(t *testing.T) {
	var log strings.Builder
	r := rig(t, hub.Options{
		Log: slog.New(slog.NewTextHandler(&log, nil)),
		Workspace: func(root string) (*hub.Workspace, error) {
			return &hub.Workspace{Root: root, Tools: []tool.Tool{says("good_one"), says("bad name"), says("demo_say"), says("Good_One")}}, nil
		},
	})
	c := r.Client("mcp", "a")
	if got := strings.Join(r.Tools(c).Names(), " "); got != "demo_say demo_who good_one" {
		t.Errorf("tools: %s", got)
	}
	if got := r.Must(c, "", "demo_say", `{"text":"x"}`).Result.Text(); got != "x" {
		t.Errorf("the management tool says %q", got)
	}
	for _, want := range []string{
		`named like the management tool`, `\"demo_say\"`, `tool="bad name"`, `\"good_one\" and \"Good_One\" differ only`,
	} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log does not say %s:\n%s", want, log.String())
		}
	}
	_, err := r.Call(t.Context(), c, "", "bad name", `{}`)
	if fault.KindOf(err) != fault.NotFound || !strings.Contains(err.Error(), `there is no tool "bad name": bad name: `) {
		t.Errorf("a call of a tool that is left out: %v", err)
	}
}

// The tools of a workspace can be replaced while it is in use, and watchers hear of it.
func TestToolsChange(t *testing.T) {
	var change func([]tool.Tool)
	stopped := false
	r := rig(t, hub.Options{Workspace: func(root string) (*hub.Workspace, error) {
		return &hub.Workspace{Root: root, Tools: []tool.Tool{says("one")}, Changes: func(fn func([]tool.Tool)) func() {
			change = fn
			return func() { stopped = true }
		}}, nil
	}})
	c := r.Client("mcp", "a")
	var roots []string
	stop := r.WatchTools(func(root string) { roots = append(roots, root) })
	r.Must(c, "", "one", `{}`)
	change([]tool.Tool{says("two")})
	if got := r.Must(c, "", "two", `{}`).Result.Text(); got != "two" {
		t.Errorf("the new tool says %q", got)
	}
	if _, err := r.Call(t.Context(), c, "", "one", `{}`); fault.KindOf(err) != fault.NotFound {
		t.Errorf("the tool that is gone: %v", err)
	}
	stop()
	change(nil)
	if len(roots) != 1 || roots[0] != r.Workspace {
		t.Errorf("watchers heard of %q", roots)
	}
	if err := r.Close(t.Context()); err != nil || !stopped {
		t.Errorf("closed: %v, the source was told: %v", err, stopped)
	}
}

// Watchers hear that a workspace could be loaded at last: until then its clients saw the management tools alone.
func TestWorkspaceMended(t *testing.T) {
	broken := true
	r := rig(t, hub.Options{Workspace: func(root string) (*hub.Workspace, error) {
		if broken {
			return nil, fault.New(fault.Invalid, "", "broken")
		}
		return &hub.Workspace{Root: root, Tools: []tool.Tool{says("one")}}, nil
	}})
	heard := 0
	defer r.WatchTools(func(string) { heard++ })()
	c, err := r.Hub.Client("", clients.Identity{Kind: "mcp", Name: "a", Workspace: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := r.Tools(c).Get("one"); ok || heard != 0 {
		t.Errorf("a broken workspace has the tool; heard %d times", heard)
	}
	broken = false
	r.Must(c, "", "one", `{}`)
	r.Must(c, "", "one", `{}`)
	if heard != 1 {
		t.Errorf("heard %d times", heard)
	}
}

// A call of a tool whose source is still loading waits for it; a call of one that never comes fails (R122).
func TestCallWaitsForSources(t *testing.T) {
	var change func([]tool.Tool)
	asked := 0
	r := rig(t, hub.Options{Workspace: func(root string) (*hub.Workspace, error) {
		return &hub.Workspace{
			Root: root,
			Changes: func(fn func([]tool.Tool)) func() {
				change = fn
				return func() {}
			},
			Ready: func(context.Context) error {
				if asked++; asked == 1 {
					change([]tool.Tool{says("late")})
				}
				return nil
			},
		}, nil
	}})
	c := r.Client("mcp", "a")
	if got := r.Must(c, "", "late", `{}`).Result.Text(); got != "late" {
		t.Errorf("the late tool says %q", got)
	}
	if _, err := r.Call(t.Context(), c, "", "never", `{}`); fault.KindOf(err) != fault.NotFound || asked != 2 {
		t.Errorf("a tool that does not come: %v, asked %d times", err, asked)
	}
}
