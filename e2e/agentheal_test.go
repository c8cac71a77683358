package e2e

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/llm/llmtest"
)

// R14: where relocation declines, a model names the element of the one step, looking and not acting. An element that agrees
// with the green runs in all but its name is healed, and proposed as a diff; a wrong element is declined, whatever the model says, and
// nothing acts on it.
func TestModelHealsOneStep(t *testing.T) {
	t.Parallel()
	var link atomic.Value
	link.Store(`<a href="/returns">Returns</a>`)
	var ended atomic.Int32
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch r.URL.Path {
		case "/returns":
			_, _ = fmt.Fprint(w, "<main><h1>Send it back</h1></main>")
		case "/end":
			ended.Add(1)
		default:
			_, _ = fmt.Fprintf(w, `<main><h1>Orders</h1><nav aria-label="Help"><a href="/help">Help</a> %s <a href="/faq">Questions</a></nav></main>`, link.Load())
		}
	}))
	t.Cleanup(srv.Close)
	s, model := newModelSitting(t)
	file := filepath.Join(s.work, "trails", "back.trail.yaml")
	text := "config: { id: back }\ntrail:\n  - step: Open the orders\n  - step: Go to the returns\n  - verify: It says how to send something back\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	model.Answer(func(q llmtest.Question) llmtest.Turn {
		switch text := q.Text(); {
		case strings.Contains(text, "Objective: Open") && !strings.Contains(q.Screen(), "Orders"):
			return llmtest.Call("web_navigate", map[string]any{"url": srv.URL + "/"})
		case strings.Contains(text, "Objective: Go") && !strings.Contains(q.Screen(), "Send it back"):
			return llmtest.Call("web_click", map[string]any{"ref": q.Ref("link", "Returns")})
		case strings.Contains(text, "Objective: It says") && !strings.Contains(text, "1. web_verifyTextVisible"):
			return llmtest.Call("web_verifyTextVisible", map[string]any{"text": "Send it back"})
		}
		return llmtest.Call("objectiveStatus", map[string]any{"status": "COMPLETED", "explanation": "Done."})
	})
	s.shell("trailblaze run trails/back.trail.yaml", 0)
	s.shell("trailblaze run trails/back.trail.yaml --llm none", 0) // a green run of what is recorded
	recorded, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	first := 0
	name := func(words ...string) func(llmtest.Question) llmtest.Turn {
		first = len(model.Asked())
		return func(q llmtest.Question) llmtest.Turn {
			if q.N == first+1 { // it may not act
				return llmtest.Call("web_click", map[string]any{"ref": q.Ref(words...)})
			}
			return llmtest.Call("objectiveStatus", map[string]any{"status": "COMPLETED", "explanation": "It leads there.", "answer": q.Ref(words...)})
		}
	}

	link.Store(`<a href="/end">Abmelden</a>`)
	model.Answer(name("link", "Abmelden"))
	s.shell("trailblaze run trails/back.trail.yaml --heal", 1)
	if n := ended.Load(); n != 0 || !strings.Contains(s.last, "which is not confirmed") || len(model.Asked()) < first+2 {
		t.Errorf("a removed feature: acted %d times, asked %d times: %s", n, len(model.Asked())-first, s.last)
	}

	link.Store(`<a href="/returns">Rücksendung</a>`)
	model.Answer(name("link", "Rücksendung"))
	s.shell("trailblaze run trails/back.trail.yaml --heal --llm none", 1)
	s.shell("trailblaze run trails/back.trail.yaml --heal --report-dir report --junit out.xml", 4)
	if !model.Asked()[first+1].Has("no tool web_click") {
		t.Errorf("the model could act: %s", model.Asked()[first+1].Text())
	}
	if now, err := os.ReadFile(file); err != nil || string(now) != string(recorded) {
		t.Errorf("the run changed the trail: %s %v", now, err)
	}
	junit, err := os.ReadFile(filepath.Join(s.work, "out.xml"))
	if err != nil || !strings.Contains(string(junit), `name="trailblaze.outcome" value="healed"`) || !strings.Contains(string(junit), "a model says") {
		t.Errorf("%s %v", junit, err)
	}
	s.shell("trailblaze heal apply report", 0)
	s.shell("trailblaze run trails/back.trail.yaml --llm none", 0)
	if now, err := os.ReadFile(file); err != nil || !strings.Contains(string(now), "Rücksendung") {
		t.Errorf("the repair is not in the trail: %s %v", now, err)
	}
}
