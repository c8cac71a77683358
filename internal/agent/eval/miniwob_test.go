package eval_test

import (
	"context"
	"flag"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/agent"
	"github.com/trailblaze-dev/trailblaze/internal/agent/eval"
	"github.com/trailblaze-dev/trailblaze/internal/agent/llm"
	"github.com/trailblaze-dev/trailblaze/internal/agent/llm/llmtest"
	"github.com/trailblaze-dev/trailblaze/memory"
)

var miniwob = flag.String("miniwob", "", "folder html/miniwob of the package miniwob (make miniwob)")

var objective = regexp.MustCompile(`Objective: ([^\n]*)`)

// TestMiniWoB plays pages of the public set as they are published, with a policy that knows what each asks for: begun
// with their seed, read, acted on and judged by their own reward.
func TestMiniWoB(t *testing.T) {
	if *miniwob == "" {
		t.Skip("it needs the pages of the package miniwob: make miniwob")
	}
	all, err := eval.ServePages(t.Context(), *miniwob, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = all.Close() })
	if len(all.Tasks) < 100 {
		t.Fatalf("%d pages in %s", len(all.Tasks), *miniwob)
	}
	known := []string{"choose-list", "click-button", "click-checkboxes", "click-dialog", "click-link", "click-test",
		"enter-password", "enter-text", "focus-text", "login-user"}
	tasks := slices.DeleteFunc(slices.Clone(all.Tasks), func(k eval.Task) bool { return !slices.Contains(known, k.ID) })
	b := newBench(t, func(*memory.Store) {})
	srv := llmtest.StartPolicy(playMiniWoB)
	t.Cleanup(srv.Close)
	model, err := llm.New(srv.Settings(llm.Anthropic))
	if err != nil {
		t.Fatal(err)
	}
	b.Repeat = 3
	results := b.Run(t.Context(), tasks, []eval.Contender{{Name: "policy",
		Use: func(context.Context) (*agent.Use, error) { return &agent.Use{Model: model}, nil }}})
	if len(results) != b.Repeat*len(known) {
		t.Fatalf("%d results of %s", len(results), filepath.Base(*miniwob))
	}
	for _, r := range results {
		t.Logf("%s: %s, %q, %s", r.Task, r.Verdict, r.Goal, r.Checker)
		if r.Verdict != eval.Right {
			t.Errorf("%s: %s, %s, %v", r.Task, r.Verdict, r.Checker, r.Failure)
		}
	}
}

// playMiniWoB is what somebody would do who reads what the page asks for.
func playMiniWoB(q llmtest.Question) llmtest.Turn {
	click := func(ref string) llmtest.Turn { return llmtest.Call("web_click", o{"ref": ref}) }
	fill := func(ref, text string) llmtest.Turn { return llmtest.Call("web_type", o{"ref": ref, "text": text}) }
	m := objective.FindStringSubmatch(q.Text())
	if m == nil || strings.Contains(q.Screen(), "START") { // the episode has ended
		return llmtest.Call("objectiveStatus", o{"status": "COMPLETED", "explanation": "Done."})
	}
	var a, b string
	asks := func(pattern string) bool {
		got := regexp.MustCompile(pattern).FindStringSubmatch(m[1])
		if len(got) > 1 {
			a = got[1]
		}
		if len(got) > 2 {
			b = got[2]
		}
		return got != nil
	}
	switch {
	case asks(`^Click the button`):
		return click(q.Ref("button"))
	case asks(`^Click on the "(.*)" button`):
		return click(q.Ref("button", `"`+a+`"`))
	case asks(`^Click on the link "(.*)"`):
		return click(q.Ref("generic", `"`+a+`"`)) // a text that listens to clicks
	case asks(`^Close the dialog box`):
		return click(q.Ref("button", "Close"))
	case asks(`^Focus into the textbox`):
		return click(q.Ref("textbox"))
	case asks(`^Enter "(.*)" into the text field`):
		return fill(q.Ref("textbox"), a).And(click(q.Ref("button", "Submit")))
	case asks(`^Enter the password "(.*)" into both`):
		return fill(q.Ref("textbox"), a).And(fill(q.RefAfter("textbox", "textbox"), a)).And(click(q.Ref("button", "Submit")))
	case asks(`^Enter the username "(.*)" and the password "(.*)" into`):
		return fill(q.Ref("textbox"), a).And(fill(q.RefAfter("textbox", "textbox"), b)).And(click(q.Ref("button", "Login")))
	case asks(`^Select (.*) from the list`):
		return llmtest.Call("web_selectOption", o{"ref": q.Ref("combobox"), "values": []string{a}}).
			And(click(q.Ref("button", "Submit")))
	case asks(`^Select (.*) and click Submit`):
		turn := llmtest.Turn{}
		for _, name := range strings.Split(a, ", ") {
			if name != "nothing" {
				turn = turn.And(click(q.Ref("checkbox", `"`+name+`"`)))
			}
		}
		return turn.And(click(q.Ref("button", "Submit")))
	}
	return llmtest.Call("objectiveStatus", o{"status": "FAILED", "explanation": "?"})
}
