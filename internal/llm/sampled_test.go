package llm_test

import (
	"context"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/llm"
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
		m := llm.Sampled("client", func(_ context.Context, s, text string, img *llm.Image, _ int) (string, string, error) {
			system = s
			if text != "look" || img == nil {
				t.Errorf("asked %q %v", text, img)
			}
			return answer, "goose", nil
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
