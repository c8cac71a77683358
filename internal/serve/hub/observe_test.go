package hub_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/call/observe"
	"github.com/trailblaze-dev/trailblaze/internal/call/toolset"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/tooltest"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/hubtest"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// R273, R274: "what changed" means since this client looked, in a reply to an action and in a snapshot alike.
func TestWhatChangedIsForWhoAsks(t *testing.T) {
	r := hubtest.New(t, hubtest.Options{})
	a, b := r.Client("mcp", "a"), r.Client("mcp", "b")
	r.Must(a, "", "web_snapshot", `{}`)
	if got := r.Must(a, "", "web_snapshot", `{"changes":true}`).Result.Text(); !strings.Contains(got, "nothing changed") {
		t.Errorf("a looked just now and is told %q", got)
	}
	if got := r.Must(b, "web", "web_snapshot", `{"changes":true}`).Result.Text(); strings.Contains(got, "nothing changed") || !strings.Contains(got, "e2") {
		t.Errorf("b has seen nothing and is told %q", got)
	}
	if rep := r.Must(a, "web", "web_click", `{"ref":"e2"}`); rep.Observation.Full {
		t.Errorf("a has seen the page, and is told it again: %s", rep.Observation)
	}
	if got := r.Must(a, "", "web_snapshot", `{"changes":true}`).Result.Text(); !strings.Contains(got, "nothing changed") {
		t.Errorf("the reply to the click told a already; now it is told %q", got)
	}
	if got := r.Must(b, "web", "web_snapshot", `{"changes":true}`).Result.Text(); strings.Contains(got, "nothing changed") {
		t.Errorf("b has not seen what a did, and is told %q", got)
	}
}

// bigPage makes the tool demo_big, which shows a page of 3000 buttons.
func bigPage() tool.Tool {
	var nodes []*screen.Node
	for i := range 3000 {
		nodes = append(nodes, &screen.Node{ID: screen.NodeID(1000 + i), Role: "button", Name: fmt.Sprintf("Button number %d", i), Ref: fmt.Sprintf("e%d", 1000+i)})
	}
	return tool.Define(tool.Spec{Name: "demo_big", Title: "Big", Description: "Shows a big page and says much.", Kind: tool.Action, ExposedToLLM: true},
		func(_ context.Context, env tool.Env, _ struct{}) (string, error) {
			if d, ok := env.Device().(*hubtest.Device); ok {
				d.Show(tooltest.Page(nodes...))
			}
			return strings.Repeat("word ", 400), nil
		})
}

// D4: a reply keeps to the budget of its call, and what does not fit is kept in the session.
func TestReplyKeepsToItsBudget(t *testing.T) {
	r := hubtest.New(t, hubtest.Options{Tools: []tool.Tool{bigPage()}})
	s := r.Client("mcp", "a")
	if err := s.Update(func(st *clients.State) error { st.Verbosity = toolset.Full; return nil }); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"demo_big", "web_snapshot", "viewHierarchy"} {
		for _, most := range []int{200, 1000, 0} {
			rep, err := r.Do(t.Context(), s, calls.Request{Call: tool.Call{Name: name}, MaxTokens: most})
			if err != nil {
				t.Fatal(err)
			}
			limit, text := most, rep.Result.Text()
			if limit == 0 {
				limit = observe.DefaultTokens
			}
			if name != "demo_big" {
				text = observe.MarkUntrusted(text)
			}
			said := text + rep.Observation.String()
			if n := observe.Tokens(said); n > limit || n < limit/2 {
				t.Errorf("%s: %d tokens of %d", name, n, limit)
			}
			if most == 200 {
				continue // too little for a handle
			}
			_, after, ok := strings.Cut(said, "trailblaze://sessions/"+rep.Session+"/blobs/")
			if !ok {
				t.Errorf("%s does not say where the rest is: …%s", name, said[max(0, len(said)-300):])
				continue
			}
			l, ok := r.RunningSession(s)
			if !ok {
				t.Fatal("no session")
			}
			if whole, err := l.Log.Blob(after[:64]); err != nil || !strings.Contains(string(whole), "Button number 2999") {
				t.Errorf("%s: kept are %d bytes, %v", name, len(whole), err)
			}
		}
	}
}

// A reader at a shell is told a file.
func TestShellIsToldFiles(t *testing.T) {
	r := hubtest.New(t, hubtest.Options{Tools: []tool.Tool{bigPage()}})
	s := r.Client("cli", "shell")
	r.Must(s, "", "demo_big", `{}`)
	rep, err := r.Do(t.Context(), s, calls.Request{Call: tool.Call{Name: "web_snapshot"}, MaxTokens: 1000, From: dispatch.CLI})
	if err != nil {
		t.Fatal(err)
	}
	_, after, ok := strings.Cut(rep.Result.Text(), "all of it: ")
	if !ok {
		t.Fatalf("nothing is cut: %d bytes", len(rep.Result.Text()))
	}
	path, _, _ := strings.Cut(after, ")")
	if whole, err := os.ReadFile(path); err != nil || len(whole) < 4000 {
		t.Errorf("%d bytes in %s, %v", len(whole), path, err)
	}
}

// What a tool looks at while it works is not what its caller was shown.
func TestNestedLooksAreNotSeen(t *testing.T) {
	peek := tool.Define(tool.Spec{Name: "demo_peek", Title: "Peek", Description: "Looks, and says nothing of it.", Kind: tool.Query, ExposedToLLM: true},
		func(ctx context.Context, env tool.Env, _ struct{}) (string, error) {
			if _, err := env.Call(ctx, tool.Call{Name: "web_snapshot"}); err != nil {
				return "", err
			}
			return "done", nil
		})
	r := hubtest.New(t, hubtest.Options{Tools: []tool.Tool{peek}})
	s := r.Client("mcp", "a")
	r.Must(s, "", "demo_peek", `{}`)
	if got := r.Must(s, "", "web_snapshot", `{"changes":true}`).Result.Text(); strings.Contains(got, "nothing changed") {
		t.Errorf("the client was shown nothing yet, and is told %q", got)
	}
}
