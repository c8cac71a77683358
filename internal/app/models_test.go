package app

import (
	"context"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/agent"
	"github.com/trailblaze-dev/trailblaze/internal/agent/llm"
	"github.com/trailblaze-dev/trailblaze/internal/agent/llm/llmtest"
	"github.com/trailblaze-dev/trailblaze/internal/ground/config"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace/source"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/hubtest"
	"github.com/trailblaze-dev/trailblaze/tool"
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

// A key is its client's: Models use it for the calls of the client that brought it, for no other's, and tell it to nobody.
func TestKeysAreTheClients(t *testing.T) {
	cfg, err := config.Load(config.Sources{Dir: t.TempDir(), Env: func(string) string { return "" }})
	if err != nil {
		t.Fatal(err)
	}
	m := &Models{Settings: func(string) (*config.Config, error) { return cfg, nil }}
	seen := map[string]string{}
	rig := hubtest.New(t, hubtest.Options{Tools: []tool.Tool{tool.Define(
		tool.Spec{Name: "demo_model", Description: "Says which model is asked.", Kind: tool.Action, ExposedToLLM: true},
		func(ctx context.Context, _ tool.Env, _ struct{}) (string, error) {
			who, _ := calls.ClientFrom(ctx)
			model, _, err := m.Local(ctx, "", "", false)
			if err == nil && model != nil {
				seen[who.Label()] = model.Name()
			}
			_, err = m.use(ctx, "", "anthropic")
			return "", err
		})}})
	lent, own, other := rig.Client("mcp", "lent"), rig.Client("cli", "own"), rig.Client("mcp", "other")
	defer lent.Enter()()
	lent.AddModelKeys(map[string]string{"ANTHROPIC_API_KEY": "k-secret"})
	for c, keys := range map[*clients.Client]map[string]string{lent: nil, own: {"ANTHROPIC_API_KEY": "k-other"}, other: nil} {
		rep, err := rig.Do(t.Context(), c, calls.Request{Call: tool.Call{Name: "demo_model"}, Keys: keys})
		if err == nil {
			err = rep.Result.Err()
		}
		if c != other && err != nil {
			t.Error(err)
		}
		if c == other && (fault.KindOf(err) != fault.Unavailable || !strings.Contains(fault.HintOf(err), "ANTHROPIC_API_KEY")) {
			t.Error(err)
		}
	}
	if len(seen) != 2 || seen["lent"] != "anthropic/claude-sonnet-4-6" || seen["own"] != seen["lent"] {
		t.Errorf("%v", seen)
	}
	if p := (promptsOf{m, nil}); !p.Ready(t.Context(), lent) || p.Ready(t.Context(), other) {
		t.Error("who has a model is not told by who has a key")
	}
}
