package app

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/agent"
	"github.com/trailblaze-dev/trailblaze/internal/config"
	"github.com/trailblaze-dev/trailblaze/internal/llm"
	"github.com/trailblaze-dev/trailblaze/internal/llm/llmtest"
	"github.com/trailblaze-dev/trailblaze/internal/workspace/source"
)

// R138: an external tool server that may ask for a completion gets it from the model of the settings.
func TestR138ServersGetCompletions(t *testing.T) {
	s := llmtest.Start(llmtest.Say("A mug."))
	defer s.Close()
	m, err := llm.New(s.Settings(llm.OpenAI))
	if err != nil {
		t.Fatal(err)
	}
	c := completer(agent.Fixed(&agent.Use{Model: m}))
	text, model, err := c.Complete(t.Context(), source.Prompt{System: "Look.", MaxTokens: 7, Messages: []source.Message{
		{Role: "user", Text: "What is it?", Image: []byte("png"), MIME: "image/png"}, {Role: "assistant", Text: "Hm."}}})
	if err != nil || text != "A mug." || model != "scripted-1" {
		t.Errorf("%q %q %v", text, model, err)
	}
	for _, want := range []string{"What is it?", "Hm.", "cG5n", `"max_tokens":7`, `"assistant"`} {
		if q := s.Asked()[0]; !q.Has(want) && !q.Has(strings.Replace(want, "max_tokens", "max_completion_tokens", 1)) {
			t.Errorf("the request lacks %s: %s", want, q.Body)
		}
	}
}

// Models take keys from clients, ask who the settings name, and tell no key.
func TestModelsTakeKeys(t *testing.T) {
	cfg, err := config.Load(config.Sources{Dir: t.TempDir(), Env: func(string) string { return "" }})
	if err != nil {
		t.Fatal(err)
	}
	m := &Models{Settings: func(string) (*config.Config, error) { return cfg, nil }}
	if model, _, err := m.Local(t.Context(), "", "", false); model != nil || err != nil {
		t.Errorf("%v %v", model, err)
	}
	if _, err := m.use(t.Context(), "", "anthropic"); fault.KindOf(err) != fault.Unavailable || !strings.Contains(fault.HintOf(err), "ANTHROPIC_API_KEY") {
		t.Error(err)
	}
	for body, status := range map[string]int{`{"ANTHROPIC_API_KEY":"k-secret"}`: 200, `[`: 400} {
		w := httptest.NewRecorder()
		m.Take(w, httptest.NewRequest("POST", "/v1/model/keys", strings.NewReader(body)))
		if w.Code != status || strings.Contains(w.Body.String(), "secret") {
			t.Errorf("%s: %d %s", body, w.Code, w.Body)
		}
	}
	model, _, err := m.Local(t.Context(), "", "", false)
	if err != nil || model == nil || model.Name() != "anthropic/claude-sonnet-4-6" {
		t.Errorf("%v %v", model, err)
	}
}
