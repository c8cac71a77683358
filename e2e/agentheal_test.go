package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/agent/llm/llmtest"
)

// R14: where relocation declines, a model names the element of the one step, looking and not acting. An element that agrees
// with the green runs in all but its name is healed, and proposed as a diff; a wrong element is declined, whatever the model says, and
// nothing acts on it.
func TestModelHealsOneStep(t *testing.T) {
	agentForm(t)
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

const (
	seatForm = `<button onclick="out.textContent = 'Order sent'">Send the order</button>`
	seatAsks = `<button onclick="d.showModal()">Continue</button><dialog id="d"><p>Sure?</p>` +
		`<button onclick="out.textContent = 'Order sent'; d.close()">Yes, order</button><button onclick="d.close()">No</button></dialog>`
)

// seats is a page with a seat and an order. It shows its form in one visit alone when once is set.
type seats struct {
	url             string
	form            atomic.Value
	reserved, loads atomic.Int32
	once            atomic.Bool
}

func newSeats(t *testing.T) *seats {
	t.Helper()
	p := &seats{}
	p.form.Store(seatForm)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if r.URL.Path == "/reserve" {
			p.reserved.Add(1)
			return
		}
		if r.URL.Path == "/" && p.loads.Add(1) > 1 && p.once.Load() {
			_, _ = fmt.Fprint(w, "<h1>Seats</h1><p>Sold out</p>")
			return
		}
		_, _ = fmt.Fprintf(w, `<main><h1>Seats</h1><button onclick="fetch('/reserve').then(() => seat.textContent = 'Seat 12 is yours')">Reserve</button>`+
			`<p id="seat"></p>%s<p id="out"></p></main>`, p.form.Load())
	}))
	t.Cleanup(srv.Close)
	p.url = srv.URL + "/"
	return p
}

// order carries out the trail as its page was.
func (p *seats) order(q llmtest.Question) llmtest.Turn {
	switch text, screen := q.Text(), q.Screen(); {
	case strings.Contains(text, "Objective: Open") && !strings.Contains(screen, "Seats"):
		return makes("web_navigate", args{"url": p.url})(q)
	case strings.Contains(text, "Objective: Reserve") && !strings.Contains(screen, "Seat 12"):
		return press("button", "Reserve")(q)
	case strings.Contains(text, "Objective: Reserve") && !strings.Contains(screen, "Order sent"):
		return press("button", "Send the order")(q)
	case strings.Contains(text, "Objective: The order") && !strings.Contains(text, "1. web_verifyTextVisible"):
		return sees("Order sent")(q)
	}
	return says("COMPLETED", "none")(q)
}

// redoes answers that the element of a step is not there any more, and then as acts does.
func redoes(acts func(q llmtest.Question, screen string) llmtest.Turn) func(llmtest.Question) llmtest.Turn {
	return func(q llmtest.Question) llmtest.Turn {
		if strings.Contains(q.Text(), "can no longer find its element") {
			return says("COMPLETED", "none")(q)
		}
		return acts(q, q.Screen())
	}
}

// R14: where no element is to be found, because the way has changed, the agent does what is left of that one step: it is
// told what was done, so nothing is done twice. The run is healed, proposes the step's new recording as a diff once that
// has replayed without the model, and with the diff applied it is green with no model. A step that the agent cannot do, or
// that does not pass the trail's own check, stays red; without --heal no model is asked.
func TestAgentRedoesOneStep(t *testing.T) {
	agentForm(t)
	t.Parallel()
	p := newSeats(t)
	s, model := newModelSitting(t)
	model.Answer(p.order)
	unchanged := p.recorded(t, s)
	p.form.Store(seatAsks)
	p.stayRed(t, s, model)
	unchanged()
	p.healed(t, s, model)
	unchanged()
	proposed(t, s)
	s.shell("trailblaze heal apply report", 0)
	asked := len(model.Asked())
	s.shell("trailblaze run trails/seat.trail.yaml --llm none", 0)
	if n := len(model.Asked()); n != asked {
		t.Errorf("the replay of the repair asked %d times", n-asked)
	}
}

// recorded blazes the trail, once so that it does not replay. The function that it returns fails the test when the trail has changed.
func (p *seats) recorded(t *testing.T, s *sitting) (unchanged func()) {
	t.Helper()
	file := filepath.Join(s.work, "trails", "seat.trail.yaml")
	text := "config: { id: seat }\ntrail:\n  - step: Open the seats\n  - step: Reserve a seat and send the order\n  - verify: The order is sent\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p.once.Store(true)
	s.shell("trailblaze run trails/seat.trail.yaml --json --report-dir refuted --junit refuted.xml", 1)
	agree(t, s, "what the model did is not saved: it does not replay")
	p.once.Store(false)
	s.shell("trailblaze run trails/seat.trail.yaml", 0)
	recorded, err := os.ReadFile(file)
	if err == nil { // what is gone is not waited for so long
		recorded = []byte(strings.ReplaceAll(string(recorded), "- web_click:\n", "- web_click:\n            timeoutMs: 1500\n"))
		err = os.WriteFile(file, recorded, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return func() {
		t.Helper()
		if now, err := os.ReadFile(file); err != nil || string(now) != string(recorded) {
			t.Errorf("the run changed the trail: %s %v", now, err)
		}
	}
}

// stayRed plays the trail without healing, and with agents that cannot do the step, or do another thing.
func (p *seats) stayRed(t *testing.T, s *sitting, model *llmtest.Server) {
	t.Helper()
	asked := len(model.Asked())
	s.shell("trailblaze run trails/seat.trail.yaml", 1)
	s.shell("trailblaze run trails/seat.trail.yaml --heal --llm none", 1)
	if n := len(model.Asked()); n != asked {
		t.Errorf("nobody asked for it, and the model was asked %d times", n-asked)
	}
	model.Answer(redoes(func(q llmtest.Question, _ string) llmtest.Turn { return says("FAILED", "none")(q) }))
	s.shell("trailblaze run trails/seat.trail.yaml --heal", 1)
	if !strings.Contains(s.last, "is not healed by the agent") {
		t.Errorf("the agent cannot: %s", s.last)
	}
	model.Answer(redoes(func(q llmtest.Question, screen string) llmtest.Turn { // it says that it is done, and the check after it differs
		if strings.Contains(screen, "Sure?") {
			return press("button", "No")(q)
		}
		if strings.Contains(q.Text(), "1. web_click") {
			return says("COMPLETED", "none")(q)
		}
		return press("button", "Continue")(q)
	}))
	s.shell("trailblaze run trails/seat.trail.yaml --heal", 1)
	s.shell("trailblaze heal", 3)
}

// healed plays the trail with an agent that does the step: first so that its repair does not replay, and then so that it does.
func (p *seats) healed(t *testing.T, s *sitting, model *llmtest.Server) {
	t.Helper()
	told := false
	model.Answer(redoes(func(q llmtest.Question, screen string) llmtest.Turn {
		told = told || strings.Contains(q.Text(), "do not do it again") && strings.Contains(q.Text(), `button "Reserve"`)
		switch {
		case strings.Contains(screen, "Order sent"):
			return says("COMPLETED", "none")(q)
		case strings.Contains(screen, "Sure?"):
			return press("button", "Yes, order")(q)
		}
		return press("button", "Continue")(q)
	}))
	p.loads.Store(0)
	p.once.Store(true)
	s.shell("trailblaze run trails/seat.trail.yaml --heal --json --report-dir refuted --junit refuted.xml", 1) // it passes, and its repair does not replay
	agree(t, s, "no repair is proposed: it does not replay")
	s.shell("trailblaze heal", 3)
	p.once.Store(false)
	before := p.reserved.Load()
	s.shell("trailblaze run trails/seat.trail.yaml --heal --report-dir report --junit out.xml", 4)
	if n := p.reserved.Load() - before; n != 2 || !told { // once in the run, once in the replay that proves it
		t.Errorf("reserved %d times, told: %t", n, told)
	}
}

// proposed holds the reports and the diff of the healed run to the one step.
func proposed(t *testing.T, s *sitting) {
	t.Helper()
	junit, err := os.ReadFile(filepath.Join(s.work, "out.xml"))
	if err != nil || !strings.Contains(string(junit), `name="trailblaze.outcome" value="healed"`) ||
		!strings.Contains(string(junit), "the agent did what was left of the step with 2 calls") {
		t.Errorf("%s %v", junit, err)
	}
	s.shell("trailblaze heal report", 0)
	for _, want := range []string{"+", "Continue", "Yes, order", "Send the order"} {
		if !strings.Contains(s.last, want) {
			t.Errorf("the diff lacks %q: %s", want, s.last)
		}
	}
	if strings.Contains(s.last, "+        - web_navigate") || strings.Contains(s.last, "-  - verify") {
		t.Errorf("the diff touches other steps: %s", s.last)
	}
}

// agree: a run whose repair or recording does not replay has failed by its JSON, its JUnit and its report alike, also
// by a report that is made of its session later.
func agree(t *testing.T, s *sitting, note string) {
	t.Helper()
	var doc struct {
		Outcome  string
		ExitCode int
		Totals   map[string]int
		Notes    []string
		JSON     string
		Trails   []struct {
			Outcome  string
			Sessions []string
			Failure  *struct{ Message string }
		}
	}
	if err := json.Unmarshal([]byte(s.last), &doc); err != nil {
		t.Fatalf("%v: %s", err, s.last)
	}
	if doc.Outcome != "failed" || doc.ExitCode != 1 || doc.Totals["failed"] != 1 || len(doc.Trails) != 1 ||
		doc.Trails[0].Outcome != "failed" || doc.Trails[0].Failure == nil || !strings.Contains(strings.Join(doc.Notes, "\n"), note) {
		t.Errorf("not what the exit status says: %s", s.last)
	}
	s.shell("trailblaze report "+doc.Trails[0].Sessions[0]+" --output-dir again --junit again.xml", 0)
	for _, name := range []string{doc.JSON, "refuted.xml", "again.xml"} {
		if !filepath.IsAbs(name) {
			name = filepath.Join(s.work, name)
		}
		data, err := os.ReadFile(name)
		if text := string(data); err != nil || !strings.Contains(text, "does not replay") || strings.Contains(text, `value="healed"`) ||
			!strings.Contains(text, `value="failed"`) && !strings.Contains(text, `"outcome": "failed"`) {
			t.Errorf("%s: %v %s", name, err, data)
		}
	}
}
