package security

import (
	"strings"
	"testing"
	"time"
)

// TestPatterns: a regular expression that runs away, or is too large, ends by itself with an error that says so and
// not with a statement about the page; meanwhile other calls are answered.
func TestPatterns(t *testing.T) {
	h := newHouse(t)
	h.Start()
	h.must("web_navigate", map[string]any{"url": served(t, `<p>`+strings.Repeat("a", 60)+`!</p><button>`+strings.Repeat("a", 60)+
		`!</button><button>Save</button>`)})
	runaway := `^(?=a)(a+)+$`
	for _, tt := range []struct {
		tool string
		args map[string]any
		says string
	}{
		{"remember", map[string]any{"variable": "x", "regex": runaway, "value": strings.Repeat("a", 60) + "!"}, "given up"},
		{"remember", map[string]any{"variable": "x", "regex": runaway}, "given up"},
		{"remember", map[string]any{"variable": "x", "regex": strings.Repeat("(a)", 200_000)}, "more than"},
		{"remember", map[string]any{"variable": "x", "regex": strings.Repeat("(?:a?){300}", 700)}, "too large"},
		{"remember", map[string]any{"variable": "x", "regex": "(a"}, "not a regular expression"},
		{"web_waitForUrl", map[string]any{"pattern": strings.Repeat("(a)", 200_000), "timeoutMs": 100}, "more than"},
		{"web_click", map[string]any{"nodeSelector": map[string]any{"web": map[string]any{"ariaRole": "button", "ariaNameRegex": runaway}},
			"timeoutMs": 2000}, "given up"},
	} {
		began := time.Now()
		a := h.call(tt.tool, tt.args)
		if !strings.Contains(a.raw, tt.says) || strings.Contains(a.raw, "does not match") {
			t.Errorf("%s %.60v: %.400s", tt.tool, tt.args, a.raw)
		}
		if d := time.Since(began); d > 20*time.Second {
			t.Errorf("%s %.60v took %s", tt.tool, tt.args, d)
		}
	}
	h.must("web_click", map[string]any{"nodeSelector": map[string]any{"web": map[string]any{"ariaRole": "button", "ariaNameRegex": "S.*e"}}, "effect": "none"})
}
