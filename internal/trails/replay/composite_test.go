package replay

import (
	"context"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/action"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// composites adds to the workbench tools that have others called in their place, and the tool that plays the trails.
func composites(t *testing.T, trails map[string]string) *tool.Registry {
	t.Helper()
	reg, _ := demo(t)
	in := func(name string, kind tool.Kind, calls ...string) tool.Tool {
		return tool.Define(tool.Spec{Name: name, Title: name, Description: "Has others called.", Kind: kind, Delegating: true},
			func(context.Context, tool.Env, none) (*tool.Result, error) {
				r := &tool.Result{}
				for _, c := range calls {
					r.Delegates = append(r.Delegates, tool.Call{Name: c})
				}
				return r, nil
			})
	}
	leaves := func(name string, e *driver.Effect) tool.Tool {
		return tool.Define(tool.Spec{Name: name, Title: name, Description: "Leads somewhere.", Kind: tool.Action, Recordable: true},
			func(context.Context, tool.Env, struct{ action.Expect }) (*tool.Result, error) {
				r := tool.TextResult("done")
				r.Evidence = &tool.Evidence{Effect: e}
				return r, nil
			})
	}
	does := func(name string, keyboard bool, c driver.Changes) tool.Tool {
		return tool.Define(tool.Spec{Name: name, Title: name, Description: "Acts.", Kind: tool.Action, Recordable: true, Keyboard: keyboard},
			func(context.Context, tool.Env, struct {
				Ref string `json:"ref,omitempty"`
			}) (*tool.Result, error) {
				r := tool.TextResult("done")
				r.Evidence = &tool.Evidence{Effect: &driver.Effect{Changes: c}}
				return r, nil
			})
	}
	var all *tool.Registry
	all, err := reg.With(
		in("demo_buy", tool.Action, "demo_idle", "demo_act"),
		in("demo_late", tool.Action, "demo_act", "demo_idle"),
		in("demo_good", tool.Action, "demo_act", "demo_act"),
		in("demo_deep", tool.Action, "demo_buy", "demo_act"),
		in("demo_lost", tool.Action, "demo_gone", "demo_act"),
		in("demo_checks", tool.Action, "demo_act", "demo_see"),
		in("demo_pick", tool.Action, "demo_press", "demo_key"),
		in("demo_typing", tool.Action, "demo_key"),
		in("demo_vain", tool.Action, "demo_press", "demo_act", "demo_key"),
		does("demo_press", false, driver.Changes{Focused: true, Received: true}),
		does("demo_key", true, driver.Changes{Tree: 1}),
		tool.Define(tool.Spec{Name: "demo_look", Title: "Look", Description: "Looks.", Kind: tool.Query, Recordable: true},
			func(context.Context, tool.Env, none) (*tool.Result, error) { return tool.TextResult("done"), nil }),
		does("demo_mute", true, driver.Changes{Received: true}),
		leaves("demo_gone", &driver.Effect{URL: "https://a.test/", Status: 500, Changes: driver.Changes{Navigation: true}}),
		leaves("demo_here", &driver.Effect{URL: "https://a.test/", Status: 200, Changes: driver.Changes{Navigation: true}}),
		leaves("demo_away", &driver.Effect{URL: "https://b.test/", Status: 200, Changes: driver.Changes{Navigation: true}}),
		NewRunTrail(func(path string) (*trail.Trail, error) {
			text, ok := trails[path]
			if !ok {
				return nil, fault.New(fault.Invalid, "read trail", "there is no %s", path)
			}
			inner, problems := trail.Parse(path, []byte(text), trail.Strict)
			return inner, problems.Err()
		}, func() *tool.Registry { return all }),
	)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func text(kind string, calls ...string) string {
	var b strings.Builder
	b.WriteString("trail:\n  - " + kind + ": Do\n    recording:\n      web:\n")
	for _, c := range calls {
		if !strings.Contains(c, ": ") {
			c += ": {}"
		}
		b.WriteString("        - " + c + "\n")
	}
	return b.String()
}

// TestComposite proves that the worst of all that was called in place of a call is its verdict, and that a trail
// which is called is looked into before anything is played.
func TestComposite(t *testing.T) {
	trails := map[string]string{
		"acts":   text("step", "demo_act"),
		"idles":  text("step", "demo_buy"),
		"sees":   text("step", "demo_act", "demo_see"),
		"away":   text("step", "demo_here", "demo_away"),
		"wrong":  text("step", "demo_nope"),
		"noop":   "trail:\n  - verify: Do\n    recording: {web: []}\n",
		"thinks": "trail:\n  - step: Think\n",
		"one":    text("step", "runTrail: {path: two}"),
		"two":    text("step", "runTrail: {path: one}"),
		"nested": text("step", "runTrail: {path: sees}"),
		"blank":  "config: {title: Blank}\n",
		"picks":  text("step", "demo_press") + strings.TrimPrefix(text("step", "demo_key"), "trail:\n"),
		"gives":  text("step", "demo_press", "demo_mute"),
	}
	tests := []struct {
		name, trail string
		outcome     event.Outcome
		says        string
	}{
		{"all of it holds", text("step", "demo_good"), event.Passed, ""},
		{"the first did nothing", text("step", "demo_buy"), event.Failed, "judge demo_idle"},
		{"the last did nothing", text("step", "demo_late"), event.Failed, "judge demo_idle"},
		{"one of one did nothing", text("step", "demo_deep"), event.Failed, "judge demo_idle"},
		{"the first met an HTTP error", text("step", "demo_lost"), event.Failed, "HTTP status 500"},
		{"a called trail holds", text("step", "runTrail: {path: acts}"), event.Passed, ""},
		{"a called trail did nothing in a composite", text("step", "runTrail: {path: idles}"), event.Failed, "nothing changed"},
		{"a called trail ends elsewhere", text("step", "runTrail: {path: away}"), event.Failed, "another origin"},
		{"a called trail asserts", text("verify", "runTrail: {path: sees}"), event.Passed, ""},
		{"a called trail calls one that asserts", text("verify", "runTrail: {path: nested}"), event.Passed, ""},
		{"a called trail asserts nothing", text("verify", "runTrail: {path: acts}"), event.Broken, "checks nothing"},
		{"a called trail of an unknown name asserts nothing", text("verify", "runTrail: {path: '{{which}}'}"), event.Undecided, "checked nothing"},
		{"a called trail is not there", text("step", "runTrail: {path: none}"), event.Broken, "there is no none"},
		{"a called trail has a mistake", text("step", "runTrail: {path: wrong}"), event.Broken, `wrong:5:11: there is no tool "demo_nope"`},
		{"a called trail verifies nothing", text("step", "runTrail: {path: noop}"), event.Broken, "checks nothing on web"},
		{"a called trail needs a model", text("step", "runTrail: {path: thinks}"), event.Broken, `thinks: line 2: step "Think" has no recording`},
		{"a called trail has no steps", text("step", "runTrail: {path: blank}"), event.Broken, "nothing to run"},
		{"a press gives the focus to the keys after it", text("step", "demo_press", "demo_key"), event.Passed, ""},
		{"a press gives the focus to the keys of the next step", text("step", "demo_press") +
			strings.TrimPrefix(text("step", "demo_key"), "trail:\n"), event.Passed, ""},
		{"a press gives the focus to the keys after a look", text("step", "demo_press", "demo_look", "demo_key"), event.Passed, ""},
		{"a press gives the focus before a look and a check", text("step", "demo_press", "demo_look", "demo_see", "demo_key"), event.Failed, "judge demo_press: "},
		{"a press gives the focus to keys that do nothing", text("step", "demo_press", "demo_mute"), event.Failed, "judge demo_press: "},
		{"a press gives the focus to keys that fail", text("step", "demo_press", "demo_mute: {ref: 1.5, x: y}"), event.Broken, "x"},
		{"a press gives the focus to keys with a target", text("step", "demo_press", "demo_key: {ref: button}"), event.Failed, "judge demo_press: "},
		{"a press gives the focus before another action", text("step", "demo_press", "demo_act", "demo_key"), event.Failed, "judge demo_press: "},
		{"a press gives the focus at the end", text("step", "demo_press"), event.Failed, "judge demo_press: "},
		{"a composite presses and types", text("step", "demo_pick"), event.Passed, ""},
		{"a composite types after a press", text("step", "demo_press", "demo_typing"), event.Passed, ""},
		{"a composite does not type after a press", text("step", "demo_press", "demo_good"), event.Failed, "judge demo_press: "},
		{"a composite presses in vain", text("step", "demo_vain"), event.Failed, "judge demo_press: "},
		{"a called trail presses and types", text("step", "runTrail: {path: picks}"), event.Passed, ""},
		{"a called trail presses in vain", text("step", "runTrail: {path: gives}"), event.Failed, "gives line 5: demo_press: judge demo_press: "},
		{"trails that call each other", text("step", "runTrail: {path: one}"), event.Broken, "leads back to one"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			reg := composites(t, trails)
			tr, problems := trail.Parse("outer", []byte(tt.trail), trail.Strict)
			if err := problems.Err(); err != nil {
				t.Fatal(err)
			}
			s := open(t)
			s.Memory.Set("which", "acts")
			out := newPlayer(t, reg).Play(t.Context(), s, tr, Attempt{Number: 1})
			if out.Outcome != tt.outcome || tt.says != "" && !strings.Contains(out.Failure.Message, tt.says) {
				t.Errorf("%s, want %s that says %q; failure %+v", out.Outcome, tt.outcome, tt.says, out.Failure)
			}
		})
	}
}
