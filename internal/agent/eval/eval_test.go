package eval_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/trailblaze-dev/trailblaze/internal/agent"
	"github.com/trailblaze-dev/trailblaze/internal/agent/eval"
	"github.com/trailblaze-dev/trailblaze/internal/agent/llm"
	"github.com/trailblaze-dev/trailblaze/internal/agent/llm/llmtest"
	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/webtest"
	"github.com/trailblaze-dev/trailblaze/internal/ground/demo"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/tool"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(webtest.Closing(m)) }

type o = map[string]any

func newBench(t *testing.T, seed func(*memory.Store)) *eval.Bench {
	t.Helper()
	reg, err := tool.NewRegistry(tools.Builtin()...)
	if err != nil {
		t.Fatal(err)
	}
	b := &eval.Bench{Registry: reg, Dispatcher: dispatch.New(dispatch.Options{Registry: reg})}
	t.Cleanup(func() { _ = b.Dispatcher.Close(t.Context()) })
	b.Open = func(ctx context.Context, title string) (*session.Session, func(event.Outcome), error) {
		mem := memory.New()
		seed(mem)
		s, err := session.Open(ctx, session.Options{Title: title, Memory: mem,
			Device: webtest.Device(t, web.DeviceOptions{ID: "web"})})
		return s, func(o event.Outcome) { _ = s.Close(o) }, err
	}
	return b
}

// TestFalsePasses: a model that says that everything is done, and does nothing, is right in no task: each is a false pass,
// and one that gives up is none.
func TestFalsePasses(t *testing.T) {
	shop, err := demo.Serve(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = shop.Close() })
	b := newBench(t, func(m *memory.Store) { m.Set("shop", shop.URL) })
	set, problems := eval.Read("shop.tasks.yaml", demo.Tasks(), b.Registry)
	if err := problems.Err(); err != nil || len(set.Tasks) < 8 {
		t.Fatal(len(set.Tasks), err)
	}
	tasks := []eval.Task{set.Tasks[0]}
	for i, c := range tasks[0].Check { // an assertion that does not hold need not wait
		if strings.Contains(c.Name, "Text") {
			c.Args = json.RawMessage(`{"text":"1 × €19.00","timeoutMs":1}`)
		}
		tasks[0].Check[i] = c
	}
	var contenders []eval.Contender
	for name, turns := range map[string][]llmtest.Turn{
		"liar": {llmtest.Call("web_verifyTextVisible", o{"text": "Cedar Mug"}),
			llmtest.Call("objectiveStatus", o{"status": "COMPLETED", "explanation": "All done."})},
		"honest": {llmtest.Call("objectiveStatus", o{"status": "FAILED", "explanation": "I cannot."})},
		"down":   {{Status: 401}},
	} {
		srv := llmtest.Start(turns...)
		t.Cleanup(srv.Close)
		s := srv.Settings(llm.OpenAI)
		s.Price = llm.Price{Input: 10}
		model, err := llm.New(s)
		if err != nil {
			t.Fatal(err)
		}
		contenders = append(contenders, eval.Contender{Name: name,
			Use: func(context.Context) (*agent.Use, error) { return &agent.Use{Model: model}, nil }})
	}
	r := eval.Summarise("Liars", "v1", time.Now(), b.Run(t.Context(), tasks, contenders))
	want := map[string]eval.Verdict{"liar": eval.FalsePass, "honest": eval.GaveUp, "down": eval.GaveUp}
	for _, x := range r.Results {
		if x.Verdict != want[x.Tier] || x.Reached || x.Checker == "" {
			t.Errorf("%+v", x)
		}
	}
	var page strings.Builder
	if err := r.WriteHTML(&page); err != nil {
		t.Fatal(err)
	}
	for _, w := range []string{"Liars", "false pass", "$0.0100"} {
		if !strings.Contains(page.String(), w) {
			t.Errorf("the page lacks %q", w)
		}
	}
	for _, tier := range r.Tiers {
		if tier.Tries != 1 || tier.Right != 0 || tier.FalsePasses != map[string]int{"liar": 1}[tier.Tier] {
			t.Errorf("%+v", tier)
		}
	}
}

// TestRewardPages: pages of a public set in their own format are tasks: they begin, say what they want, and give the
// reward, of which a model that does the wrong thing gets none. The episode's own clock does not end it.
func TestRewardPages(t *testing.T) {
	pages, err := eval.ServePages(t.Context(), filepath.Join("testdata", "miniwob"), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = pages.Close() })
	b := newBench(t, func(*memory.Store) {})
	done := llmtest.Call("objectiveStatus", o{"status": "COMPLETED", "explanation": "Done."})
	srv := llmtest.StartPolicy(func(q llmtest.Question) llmtest.Turn {
		click := func(words ...string) llmtest.Turn { return llmtest.Call("web_click", o{"ref": q.Ref(words...)}) }
		switch {
		case strings.Contains(q.Screen(), "START"): // the episode has ended
			return done
		case q.Has("Objective: Click on the Yes"):
			return click("button", "No") // wrong
		case q.Has(`Objective: Enter "otter"`):
			return llmtest.Call("web_type", o{"ref": q.Ref("textbox"), "text": "otter"}).And(click("button", "Submit"))
		case q.Has("Objective: Select Ash and Elm"):
			return click("checkbox", "Ash").And(click("checkbox", "Elm")).And(click("button", "Done"))
		}
		return llmtest.Call("objectiveStatus", o{"status": "FAILED", "explanation": "?"})
	})
	t.Cleanup(srv.Close)
	model, err := llm.New(srv.Settings(llm.Anthropic))
	if err != nil {
		t.Fatal(err)
	}
	results := b.Run(t.Context(), pages.Tasks, []eval.Contender{{Name: "m",
		Use: func(context.Context) (*agent.Use, error) { return &agent.Use{Model: model}, nil }}})
	planner := llmtest.Start(llmtest.Call("doStep", o{"kind": "step", "prompt": `Enter "otter" into the field and press Submit.`,
		"categories": []string{"CORE_INTERACTION"}}), done)
	t.Cleanup(planner.Close)
	plans, err := llm.New(planner.Settings(llm.OpenAI))
	if err != nil {
		t.Fatal(err)
	}
	two := b.Run(t.Context(), []eval.Task{pages.Tasks[2]}, []eval.Contender{{Name: "two",
		Use:   func(context.Context) (*agent.Use, error) { return &agent.Use{Model: model}, nil },
		Outer: func(context.Context) (*agent.Use, error) { return &agent.Use{Model: plans}, nil }}})
	if r := two[0]; r.Verdict != eval.Right || r.Outer == nil || r.Outer.Calls != 2 || r.Usage.Calls != 4 || r.Saved < 50 {
		t.Errorf("in two tiers: %+v %+v %s", r, r.Usage, r.Checker)
	}
	want := map[string]eval.Verdict{"pick-button": eval.FalsePass, "type-word": eval.Right, "two-ticks": eval.Right}
	if len(results) != len(want) {
		t.Fatalf("%d results", len(results))
	}
	for _, r := range results {
		if r.Verdict != want[r.Task] {
			t.Errorf("%s: %s %s %+v", r.Task, r.Verdict, r.Checker, r.Failure)
		}
	}
}

// TestBadSets: a mistake in a set is told with its place, and a checker that checks nothing is wrong.
func TestBadSets(t *testing.T) {
	reg, err := tool.NewRegistry(tools.Builtin()...)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"tasks: []":                       "no tasks",
		"tasks: [{id: a, goal: b}]":       "asserts nothing",
		"tasks: [{id: a, goal: b, x: 1}]": "x",
		"tasks:\n  - id: a\n    goal: b\n    check: [{web_clack: {}}]": "web_clack",
		"tasks: 7": "tasks", "": "empty", "[1]": "",
	} {
		if _, problems := eval.Read("t.yaml", []byte(text), reg); problems.Err() == nil || !strings.Contains(problems.Err().Error(), want) {
			t.Errorf("%q: %v", text, problems.Err())
		}
	}
	if err := os.WriteFile(filepath.Join(t.TempDir(), "x.html"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := eval.ServePages(t.Context(), t.TempDir(), ""); err == nil {
		t.Error("a folder without pages was taken")
	}
}
