package agent_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/agent"
	"github.com/trailblaze-dev/trailblaze/internal/agent/llm"
	"github.com/trailblaze-dev/trailblaze/internal/agent/llm/llmtest"
	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/internal/trails/replay"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// TestAITools: each tool asks one question about the screen and offers the model only the tool to answer with. A made-up
// text is not remembered, and an answer that is neither yes nor no decides nothing (R108).
func TestAITools(t *testing.T) {
	answer := ""
	b := newBed(t, llm.OpenAI, agent.Limits{}, func(q llmtest.Question) llmtest.Turn {
		if !q.Has("Cedar Mug") || q.Has(`"web_click"`) {
			t.Errorf("the question lacks the screen, or offers tools: %.300s", q.Text())
		}
		return llmtest.Call("objectiveStatus", o{"status": "COMPLETED", "explanation": "seen", "answer": answer})
	})
	call := func(name string, args o) error {
		raw, err := json.Marshal(args)
		if err != nil {
			t.Fatal(err)
		}
		res, err := b.disp.Call(t.Context(), b.sess, dispatch.CLI, tool.Call{Name: name, Args: raw})
		if err == nil {
			err = res.Err()
		}
		return err
	}
	if err := call("web_navigate", o{"url": b.shop.URL + "/product/cedar-mug"}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, tool, answer string
		args               o
		kind               fault.Kind
		kept               string
	}{
		{"holds", "assertWithAi", "Yes, there is one mug.", o{"prompt": "one mug is for sale"}, "", ""},
		{"does not hold", "assertWithAi", "No, it is a mug.", o{"prompt": "a tent is for sale"}, fault.Assertion, ""},
		{"undecided", "assertWithAi", "Perhaps.", o{"prompt": "it is nice"}, fault.Degraded, ""},
		{"a text of the screen", "rememberText", "Keeps tea warm", o{"prompt": "the promise", "variable": "v"}, "",
			"Keeps tea warm"},
		{"made up", "rememberText", "Cures all ills", o{"prompt": "the promise", "variable": "w"}, fault.Assertion, ""},
		{"a price", "rememberNumber", "€1,019.50", o{"prompt": "the price", "variable": "v"}, "", "1019.5"},
		{"two numbers", "rememberNumber", "19 or 20", o{"prompt": "the price", "variable": "w"}, fault.Degraded, ""},
		{"anything", "rememberWithAi", "the mug", o{"prompt": "the cheaper one", "variable": "v"}, "", "the mug"},
		{"a calculation", "assertMath", "19.00", o{"expression": "[[the price of the mug]] * 2", "expected": "38"}, "", ""},
		{"a wrong one", "assertMath", "20", o{"expression": "[[the price of the mug]] * 2", "expected": "38"},
			fault.Assertion, ""},
	} {
		answer = c.answer
		err := call(c.tool, c.args)
		if fault.KindOf(err) != c.kind {
			t.Errorf("%s: %v", c.name, err)
		}
		if name, ok := c.args["variable"].(string); ok {
			if v, _ := b.sess.Memory.Get(name); c.kept != "" && v != c.kept || c.kept == "" && v != nil {
				t.Errorf("%s: kept %v", c.name, v)
			}
		}
	}
	if names := strings.Join(b.sess.Memory.Names(), " "); strings.Contains(names, "assertMath") {
		t.Errorf("left behind: %s", names)
	}
}

// TestAssistedReplay: a recorded step that asks a model asks one, and no other step does; without a model the trail is
// stopped before its first call, and the step is named (R108, R109).
func TestAssistedReplay(t *testing.T) {
	b := newBed(t, llm.OpenAI, agent.Limits{}, func(llmtest.Question) llmtest.Turn {
		return llmtest.Call("objectiveStatus", o{"status": "COMPLETED", "explanation": "seen", "answer": "Yes."})
	})
	tr, problems := trail.Parse("a.trail.yaml", []byte(`trail:
  - step: Open the mug
    recording: {web: [{web_navigate: {url: "{{memory.shop}}/product/cedar-mug"}}]}
  - verify: It looks warm
    recording: {web: [{assertWithAi: {prompt: the mug looks warm}}]}
`), trail.Strict)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	p := &replay.Player{Dispatcher: b.disp, Registry: b.disp.Registry(), Screenshots: replay.Off}
	out := p.Play(t.Context(), b.sess, tr, replay.Attempt{Number: 1})
	if out.Calls != 0 || out.Failure == nil || out.Failure.Kind != fault.Unavailable ||
		!strings.Contains(out.Failure.Message, "line 5: verify") {
		t.Errorf("without a model: %+v", out.Failure)
	}
	p.Assist = func(context.Context, *session.Session, replay.Task) (int, error) {
		panic("no step lacks a recording")
	}
	out = p.Play(t.Context(), b.sess, tr, replay.Attempt{Number: 1})
	if out.Outcome != event.Passed || len(b.model.Asked()) != 1 {
		t.Errorf("with a model: %s %+v, %d questions", out.Outcome, out.Failure, len(b.model.Asked()))
	}
}
