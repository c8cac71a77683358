package action_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/action"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/locator"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/tooltest"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/identity"
	"github.com/trailblaze-dev/trailblaze/tool"
)

func save(ref string) *screen.Node {
	return &screen.Node{Role: "button", Name: "Save", Text: "Save", Ref: ref, Bounds: screen.Rect{X: 10, Y: 10, W: 80, H: 20}, State: screen.Clickable}
}

func click(ref string) action.Request {
	return action.Request{
		Query: locator.Query{Target: locator.Target{Ref: ref}}, Did: "Clicked",
		Action: func(t driver.Target, _ *screen.Node) driver.Action { return driver.Tap{Target: t} },
	}
}

func TestDoLeavesEvidence(t *testing.T) {
	dev := tooltest.NewDevice(tooltest.Page(save("e1")))
	r, err := action.Do(t.Context(), tooltest.Env{Dev: dev}, click("e1"))
	if err != nil {
		t.Fatal(err)
	}
	ev := r.Evidence
	if ev.Target == nil || ev.Target.Role != "button" || ev.Target.Name != "Save" || ev.Selector == nil || ev.Bounds == nil ||
		ev.Effect == nil || ev.Screen == nil {
		t.Errorf("evidence = %+v, want target, selector, bounds, effect and screen", ev)
	}
	if want := `Clicked button "Save". 1 change on the screen.`; r.Text() != want {
		t.Errorf("text = %q, want %q", r.Text(), want)
	}
	if diff := cmp.Diff([]driver.Action{driver.Tap{Target: driver.Target{Node: 2}}}, dev.Actions()); diff != "" {
		t.Errorf("actions (-want +got):\n%s", diff)
	}
}

// Counting is the last resort: CSS by which somebody told one element from the rest is kept, not traded for a number.
func TestDoKeepsWhatTellsBetterThanANumber(t *testing.T) {
	const css = "li:has-text('plums')"
	item := func(text string) *screen.Node {
		return &screen.Node{Role: "listitem", Text: text, Native: &screen.Web{Tag: "li"}}
	}
	page := tooltest.Page(item("apples"), item("plums"))
	page.CSS = map[string][]screen.NodeID{css: {page.Root.Children[1].ID}}
	req := click("")
	req.Query.Target = locator.Target{NodeSelector: &screen.Selector{Web: &screen.WebMatch{CSSSelector: css}}}
	r, err := action.Do(t.Context(), tooltest.Env{Dev: tooltest.NewDevice(page)}, req)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(req.Query.NodeSelector, r.Evidence.Selector); diff != "" {
		t.Errorf("selector (-want +got):\n%s", diff)
	}
}

// An element that is replaced between being found and being acted on is looked for again, and the action is sent once.
func TestDoFindsAReplacedElementAgain(t *testing.T) {
	dev := tooltest.NewDevice(tooltest.Page(save("e1")))
	tries := 0
	dev.Act = func(driver.Action) (*driver.Effect, error) {
		if tries++; tries == 1 {
			fresh := save("e2")
			fresh.ID = 77
			dev.Show(tooltest.Page(fresh))
			return nil, fault.New(fault.NotFound, "find element", "it is gone")
		}
		return &driver.Effect{Changes: driver.Changes{Tree: 1}}, nil
	}
	if _, err := action.Do(t.Context(), tooltest.Env{Dev: dev}, click(`button "Save"`)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]driver.Action{driver.Tap{Target: driver.Target{Node: 77}}}, dev.Actions()); diff != "" {
		t.Errorf("actions (-want +got):\n%s", diff)
	}
}

// What was sent and did not take is not sent again.
func TestDoNeverSendsTwice(t *testing.T) {
	dev := tooltest.NewDevice(tooltest.Page(save("e1")))
	tries := 0
	dev.Act = func(driver.Action) (*driver.Effect, error) {
		tries++
		return nil, fault.New(fault.NotActed, "click element", "the value did not take")
	}
	r, err := action.Do(t.Context(), tooltest.Env{Dev: dev}, click("e1"))
	if fault.KindOf(err) != fault.NotActed || tries != 1 {
		t.Errorf("error = %v after %d tries, want not acted after 1", err, tries)
	}
	if r == nil || r.Evidence == nil || r.Evidence.Target == nil {
		t.Errorf("result = %+v, want the evidence of the target beside the error", r)
	}
}

func TestLateEffect(t *testing.T) {
	t.Run("is waited for and reported", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			dev := tooltest.NewDevice(tooltest.Page(save("e1")))
			dev.Act = nothing
			time.AfterFunc(600*time.Millisecond, func() { dev.Show(tooltest.Page(save("e1"), &screen.Node{Role: "paragraph", Text: "Saved"})) })
			r, err := action.Do(t.Context(), tooltest.Env{Dev: dev}, click("e1"))
			if err != nil {
				t.Fatal(err)
			}
			if e := r.Evidence.Effect; e.Settle.Reason != "late" || e.Changes.Tree != 1 {
				t.Errorf("effect = %+v, want a late change", e)
			}
			if len(dev.Actions()) != 1 {
				t.Errorf("actions = %v, want one", dev.Actions())
			}
		})
	})
	t.Run("is waited for a moment where the focus moved", focusMoves)
	t.Run("is not the page's own ticking", pageTicks)
	t.Run("does not come", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			dev := tooltest.NewDevice(tooltest.Page(save("e1")))
			dev.Act = nothing
			began := time.Now()
			r, err := action.Do(t.Context(), tooltest.Env{Dev: dev}, click("e1"))
			if err != nil || r.Evidence.Effect.Changes.Any() || r.Evidence.None != "" {
				t.Errorf("result = %+v, %v, want no effect and none declared", r, err)
			}
			if !strings.Contains(r.Text(), "Nothing observable changed.") {
				t.Errorf("text = %q, want it to say so", r.Text())
			}
			if took := time.Since(began); took != 1500*time.Millisecond { // a handler of a second, and a machine that is busy
				t.Errorf("waited %s, want 1.5s", took)
			}
		})
	})
	t.Run("is not waited for when none is declared", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			dev := tooltest.NewDevice(tooltest.Page(save("e1")))
			dev.Act = nothing
			req := click("e1")
			req.Expect.Effect = tool.NoEffect
			began := time.Now()
			r, err := action.Do(t.Context(), tooltest.Env{Dev: dev}, req)
			if err != nil || r.Evidence.None != "declared" || time.Since(began) != 0 {
				t.Errorf("evidence = %+v, %v after %s, want none declared at once", r.Evidence, err, time.Since(began))
			}
		})
	})
}

// focusMoves: a moved focus gets 300 ms, and as long as any other where a timer of the page is due or a recording is replayed.
func focusMoves(t *testing.T) {
	for _, tt := range []struct {
		name     string
		due      bool
		recorded bool
		want     time.Duration
	}{
		{"live", false, false, 300 * time.Millisecond},
		{"live, with a timer of the page", true, false, 1500 * time.Millisecond},
		{"in a replay", false, true, 1500 * time.Millisecond},
	} {
		synctest.Test(t, func(t *testing.T) {
			dev := tooltest.NewDevice(tooltest.Page(save("e1")))
			dev.Act = func(driver.Action) (*driver.Effect, error) {
				return &driver.Effect{Due: tt.due, Changes: driver.Changes{Focused: true}, Settle: driver.Settle{Reason: "quiet"}}, nil
			}
			ctx := t.Context()
			if tt.recorded {
				ctx = tool.WithRecorded(ctx)
			}
			began := time.Now()
			if _, err := action.Do(ctx, tooltest.Env{Dev: dev}, click("e1")); err != nil {
				t.Fatal(err)
			}
			if took := time.Since(began); took != tt.want {
				t.Errorf("%s: %v, want %v", tt.name, took, tt.want)
			}
		})
	}
}

// pageTicks: what ticks on a page is no effect, and what comes beside it is one.
func pageTicks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ticks atomic.Int64
		page := func(more ...*screen.Node) *screen.Snapshot {
			return tooltest.Page(append([]*screen.Node{save("e1"), {ID: 50, Role: "paragraph", Text: fmt.Sprint(ticks.Add(1))}}, more...)...)
		}
		for _, effect := range []bool{false, true} {
			dev := tooltest.NewDevice(page())
			dev.Act = func(driver.Action) (*driver.Effect, error) {
				dev.Show(page())
				return &driver.Effect{Settle: driver.Settle{Reason: "quiet"}}, nil
			}
			for i := range 20 {
				time.AfterFunc(time.Duration(i)*90*time.Millisecond+time.Millisecond, func() {
					if effect && i > 4 {
						dev.Show(page(&screen.Node{ID: 60, Role: "status", Text: "Saved"}))
						return
					}
					dev.Show(page())
				})
			}
			r, err := action.Do(t.Context(), tooltest.Env{Dev: dev}, click("e1"))
			if err != nil || r.Evidence.Effect.Changes.Any() != effect {
				t.Errorf("effect = %+v, %v, want one: %t", r.Evidence.Effect, err, effect)
			}
		}
	})
}

func nothing(driver.Action) (*driver.Effect, error) {
	return &driver.Effect{Settle: driver.Settle{Reason: "quiet"}}, nil
}

func TestDoWithoutDevice(t *testing.T) {
	if _, err := action.Do(t.Context(), tooltest.Env{}, click("e1")); fault.KindOf(err) != fault.Unavailable {
		t.Errorf("error = %v, want unavailable (R258)", err)
	}
}

type clickIn struct {
	locator.Target
	Count int `json:"count,omitempty" default:"1"`
	action.Within
	action.Expect
	action.Note
}

// R111: a recording never holds a ref; the rest of the call stays as it came, defaults left out.
func TestRecordingIsDurable(t *testing.T) {
	demo := action.Define(tool.Spec{Name: "demo_click", Kind: tool.Action}, func(ctx context.Context, env tool.Env, in clickIn) (*tool.Result, error) {
		req := click(in.Ref)
		req.Query = in.Query(in.Target)
		return action.Do(ctx, env, req)
	})
	dev := tooltest.NewDevice(tooltest.Page(save("e1"), &screen.Node{Role: "link", Name: "Help"}))
	r, err := demo.Run(t.Context(), tooltest.Env{Dev: dev}, tooltest.Args(map[string]any{
		"ref": "e1", "count": 1, "reasoning": "because", "timeoutMs": 500,
	}))
	if err != nil || r.Record == nil {
		t.Fatalf("Run = %+v, %v, want a recording", r, err)
	}
	var got map[string]any
	if err := json.Unmarshal(r.Record.Args, &got); err != nil {
		t.Fatal(err)
	}
	delete(got, "nodeSelector")
	delete(got, "fingerprint")
	if diff := cmp.Diff(map[string]any{"timeoutMs": 500.0}, got); diff != "" {
		t.Errorf("what else is recorded (-want +got):\n%s", diff)
	}
	// And it can be played: on a page where the ref is another one.
	fresh := save("e9")
	fresh.ID = 9
	again := tooltest.NewDevice(tooltest.Page(&screen.Node{Role: "link", Name: "Help"}, fresh))
	if _, err := demo.Run(t.Context(), tooltest.Env{Dev: again}, r.Record.Args); err != nil {
		t.Fatalf("replay: %v", err)
	}
	if diff := cmp.Diff([]driver.Action{driver.Tap{Target: driver.Target{Node: 9}}}, again.Actions(), cmpopts.IgnoreFields(driver.Target{}, "Wait")); diff != "" {
		t.Errorf("replayed actions (-want +got):\n%s", diff)
	}
}

func TestReplayRefusesAnotherElement(t *testing.T) {
	req := click("")
	req.Query = locator.Query{Timeout: time.Millisecond, Target: locator.Target{
		NodeSelector: &screen.Selector{Web: &screen.WebMatch{AriaRole: "button"}},
		Fingerprint:  &identity.Fingerprint{Role: "button", Name: "Delete"},
	}}
	dev := tooltest.NewDevice(tooltest.Page(save("e1")))
	_, err := action.Do(t.Context(), tooltest.Env{Dev: dev}, req)
	if fault.KindOf(err) != fault.Assertion || !strings.Contains(err.Error(), "is not the recorded element") {
		t.Errorf("error = %v, want the identity refused", err)
	}
	if len(dev.Actions()) != 0 {
		t.Errorf("actions = %v, want none", dev.Actions())
	}
}

func TestSay(t *testing.T) {
	tests := []struct {
		name   string
		effect *driver.Effect
		want   string
	}{
		{"nothing", &driver.Effect{}, "Nothing observable changed."},
		{"the focus", &driver.Effect{Changes: driver.Changes{Focused: true}}, "Nothing observable changed but the focus."},
		{"an error", &driver.Effect{Errors: []string{"Error: no basket"}}, "Nothing observable changed, and the page reported an error."},
		{"none at all", nil, ""},
		{"a navigation", &driver.Effect{URL: "https://shop.test/cart", Status: 404, Changes: driver.Changes{Navigation: true, URL: true, Tree: 40, Requests: 9}},
			"The page is now https://shop.test/cart (HTTP 404)."},
		{"a value", &driver.Effect{Value: "Ada", Changes: driver.Changes{Value: true, Tree: 1}}, `Its value is now "Ada". 1 change on the screen.`},
		{"a state read back", &driver.Effect{Changes: driver.Changes{Verified: true}}, "It is as asked for."},
		{"a tab and a download", &driver.Effect{NewTabs: []string{"t2"}, Files: []driver.Download{{Name: "a.csv"}},
			Changes: driver.Changes{Tabs: true, Download: true}},
			"It opened tab t2; web_switchTab goes on there. It downloaded a.csv."},
		{"a dialog", &driver.Effect{Dialogs: []driver.DialogEvent{{Dialog: screen.Dialog{Type: "confirm", Message: "Sure?"}}}, Changes: driver.Changes{Dialog: true}},
			`A confirm dialog came up ("Sure?") and was dismissed.`},
		{"a page that never rests", &driver.Effect{Changes: driver.Changes{Scroll: true}, Settle: driver.Settle{Reason: "busy", Pending: []string{"animation"}}},
			"Scrolled. The page never came to rest (animation)."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, action.Summary(tt.effect)); diff != "" {
				t.Errorf("Say (-want +got):\n%s", diff)
			}
		})
	}
}
