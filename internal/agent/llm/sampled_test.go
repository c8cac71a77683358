package llm_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/agent/llm"
)

// TestSampled: a model that gives text alone is told the tools in words, and its calls are read however it wraps them.
func TestSampled(t *testing.T) {
	for answer, want := range map[string]string{
		`{"calls":[{"name":"press","args":{"ref":"e1"}},{"name":"look"}]}`:         `press {"ref":"e1"} look {}`,
		"Sure:\n```json\n{\"calls\":[{\"name\":\"press\",\"args\":{}}]}\n```\nOk?": `press {}`,
		`{"name":"press","args":{"ref":"e2"}}`:                                     `press {"ref":"e2"}`,
		`I cannot.`:                                                                ``, `{"calls": 3}`: ``, `}{`: ``,
	} {
		var system string
		m := llm.Sampled("client", false, func(_ context.Context, r llm.Request) (*llm.Sample, error) {
			system = r.System
			if p := r.Messages[0].Parts; len(p) != 2 || p[0].Image == nil || p[1].Text != "look" || len(r.Tools) > 0 {
				t.Errorf("asked %+v", r)
			}
			return &llm.Sample{Text: answer, Model: "goose"}, nil
		})
		got, err := m.Generate(t.Context(), request, nil)
		if err != nil || got.Model != "goose" || !strings.Contains(system, "press {") {
			t.Errorf("%+v %v", got, err)
		}
		var calls []string
		for _, c := range got.Calls {
			calls = append(calls, c.Name, string(c.Args))
		}
		if s := strings.Join(calls, " "); s != want || want == "" && got.Text != answer {
			t.Errorf("%s: %q, want %q", answer, s, want)
		}
	}
}

// A conversation with calls and what came of them is told in words to a model that takes no tools, and as it is to one
// that does. Its calls count as those of a provider do: they are bounded, and a cut or refused answer says so.
func TestSampledConversation(t *testing.T) {
	call := llm.Call{ID: "c1", Name: "press", Args: json.RawMessage(`{"ref":"e1"}`)}
	talk := llm.Request{System: "You test.", Tools: request.Tools, Choice: llm.Required, Messages: []llm.Message{llm.User("look"),
		{Role: llm.FromModel, Parts: []llm.Part{{Call: &call}}},
		{Role: llm.FromUser, Parts: []llm.Part{{Result: &llm.Result{ID: "c1", Name: "press", Text: "covered", IsError: true}}}}}}
	for _, c := range []struct {
		name  string
		tools bool
		said  llm.Sample
		asked string // what the model is asked has it
		stop  llm.Stop
		calls int
		fails bool
	}{
		{"as such", true, llm.Sample{Calls: []llm.Call{call, {Name: "press"}}, Stop: "toolUse"}, `"id":"c1"`, llm.Calling, 2, false},
		{"words beside calls", true, llm.Sample{Text: "{}", Calls: []llm.Call{call}}, `"schema"`, llm.Calling, 1, false},
		{"too many", true, llm.Sample{Calls: make([]llm.Call, 65)}, "", "", 0, true},
		{"cut", true, llm.Sample{Text: "I will pr", Stop: "maxTokens"}, "", llm.Cut, 0, false},
		{"refused", true, llm.Sample{Text: "No.", Stop: "refusal"}, "", llm.Refused, 0, false},
		{"in words", false, llm.Sample{Text: `{"calls":[{"name":"press"}]}`, Stop: "endTurn"}, "press failed: covered", llm.Calling, 1, false},
		{"cut in words", false, llm.Sample{Text: `{"calls":[{"name":"pr`, Stop: "maxTokens"}, `"role":"assistant"`, llm.Cut, 0, false},
	} {
		var asked []byte
		got, err := llm.Sampled("client", c.tools, func(_ context.Context, r llm.Request) (*llm.Sample, error) {
			asked, _ = json.Marshal([]any{r.Tools, r.Messages})
			return &c.said, nil
		}).Generate(t.Context(), talk, nil)
		if !strings.Contains(string(asked), c.asked) {
			t.Errorf("%s: asked %s, without %q", c.name, asked, c.asked)
		}
		if c.fails != (err != nil) {
			t.Errorf("%s: %v", c.name, err)
		}
		if err == nil && (got.Stop != c.stop || len(got.Calls) != c.calls) {
			t.Errorf("%s: %+v", c.name, got)
		}
		for i := range c.calls {
			if a := got.Calls[i]; a.ID == "" || !json.Valid(a.Args) {
				t.Errorf("%s: call %+v", c.name, a)
			}
		}
	}
}
