package llm

import (
	"strings"
	"testing"

	"github.com/zalando/go-keyring"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// TestKeyring: a key of the keyring counts where somebody named its provider and the environment has none, and nowhere
// else; where there is no keyring, it says so and starts none.
func TestKeyring(t *testing.T) {
	keyring.MockInit()
	if hasKeyring = func() bool { return false }; fault.KindOf(KeepKey("openai", "k")) != fault.Unsupported || Keyring("openai") != "" {
		t.Error("a keyring that is not there was used")
	}
	hasKeyring = func() bool { return true }
	if err := KeepKey("anthropic", "ring-key"); err != nil {
		t.Fatal(err)
	}
	env := func(set string) func(string) string {
		return func(name string) string { return map[bool]string{true: "env-key"}[name == set] }
	}
	for _, c := range []struct{ asked, set, key string }{
		{"anthropic", "", "ring-key"}, {"anthropic/claude-opus-4-6", "OPENAI_API_KEY", "ring-key"},
		{"anthropic", "ANTHROPIC_API_KEY", "env-key"}, {"openai", "", ""}, {"", "", ""}, {"none", "", ""},
	} {
		in := Choosing{Asked: c.asked, Env: env(c.set), Keyring: Keyring}
		if s, _ := Choose(t.Context(), in); s.Key != c.key {
			t.Errorf("%+v: %q", c, s.Key)
		}
		if brings := Keys(in)["ANTHROPIC_API_KEY"]; strings.HasPrefix(c.asked, "anthropic") && brings != c.key {
			t.Errorf("%+v: a client brings %q", c, brings)
		}
	}
	if was, err := ForgetKey("anthropic"); !was || err != nil || Keyring("anthropic") != "" {
		t.Errorf("%v %v", was, err)
	}
	if was, err := ForgetKey("anthropic"); was || err != nil {
		t.Errorf("%v %v", was, err)
	}
}

// TestNamedAlone: where only a named model counts, no key in the environment does (a run in CI).
func TestNamedAlone(t *testing.T) {
	c := Choosing{Env: func(string) string { return "k" }, Named: true}
	if s, ok := Choose(t.Context(), c); ok {
		t.Errorf("%+v", s)
	}
	if c.Asked = "openai"; func() bool { _, ok := Choose(t.Context(), c); return !ok }() {
		t.Error("a named model does not count")
	}
}

// TestCheckName: the name of a model is held to the providers there are.
func TestCheckName(t *testing.T) {
	declared := map[string]any{"providers": map[string]any{"lab": map[string]any{"base_url": "https://lab.test"}}}
	for name, good := range map[string]bool{
		"": true, "none": true, "openai": true, "ollama/qwen3": true, "lab/x": true, "nonsense/x": false, "gpt-4": false,
	} {
		err := CheckName(name, declared)
		if (err == nil) != good || err != nil && !strings.Contains(fault.HintOf(err), "openrouter") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
