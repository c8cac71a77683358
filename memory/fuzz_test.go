package memory

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// FuzzExpand: no text makes Expand panic or give broken JSON; what it put in is not expanded again; escaped text comes
// back as it was; and no masked document holds the secret.
func FuzzExpand(f *testing.F) {
	for _, s := range []string{
		"{{email}}", "${email}", "x{{args.a}}", "{{args.a b}}", "{{?x}}", "{{{email}}}", "{{{}}", "{{$}}{x}", "{{ memory.pw }}", "{{", "}}", "${",
		"{{params.x}}", "{{a.0.b}}", "a\"b\\c", "é\u2028", "hunter2!", "\xff",
	} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, text, value string) {
		m := New()
		m.Set("email", value)
		m.SetSecret("pw", "hunter2!")
		m.SetArgs(map[string]any{"a": value})
		raw, err := json.Marshal(map[string]any{"k": text, "l": []any{text, 1.5, nil}})
		if err != nil {
			t.Skip()
		}
		if out, _, err := m.Expand(raw); err == nil && !json.Valid(out) {
			t.Fatalf("Expand(%s) is no JSON: %s", raw, out)
		}
		if got, _, err := m.ExpandString(Escape(text)); err != nil || got != text {
			t.Fatalf("Escape(%q) expands to %q, %v", text, got, err)
		}
		p := Params{Declared: []string{"v"}, Values: map[string]any{"v": value}}
		once, err := p.Expand(json.RawMessage(`{"k":"<{{v}}>"}`))
		if err != nil {
			t.Fatal(err)
		}
		twice, _, err := m.Expand(once)
		if err != nil {
			t.Fatal(err)
		}
		var got struct{ K string }
		if err := json.Unmarshal(twice, &got); err != nil || got.K != printed(value) {
			t.Fatalf("parameter %q arrives as %q, %v", value, got.K, err)
		}
		if masked := m.MaskJSON(raw); !json.Valid(masked) || strings.Contains(string(masked), "hunter2!") {
			t.Fatalf("MaskJSON(%s) = %s", raw, masked)
		}
		m.SecretsIn(raw)
		m.MaskJSON(json.RawMessage(text))
	})
}

// printed is what JSON makes of a text that may not be UTF-8.
func printed(value string) string {
	raw, _ := json.Marshal("<" + value + ">")
	var s string
	_ = json.Unmarshal(raw, &s)
	return s
}

func BenchmarkMask(b *testing.B) {
	m := New()
	m.SetSecret("pw", "correct horse battery")
	m.SetSecret("otp", "hunter2!")
	text := strings.Repeat("button \"Add to cart\" [e12] visible enabled\n", 2000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		m.Mask(text)
	}
}

func BenchmarkExpand(b *testing.B) {
	m := New()
	m.Set("email", "qa@example.com")
	raw := json.RawMessage(`{"nodeSelector":{"web":{"ariaRole":"button","ariaNameRegex":"Add to cart"}},"text":"{{email}}","n":1.50}`)
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := m.Expand(raw); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSecrets masks a long text, secrets being given first.
func BenchmarkSecrets(b *testing.B) {
	text := strings.Repeat("The quick brown fox jumps over 13 lazy dogs & more. ", 2000)
	for _, n := range []int{1, 10, 1000} {
		s := New()
		b.Run(fmt.Sprintf("mask-%d", n), func(b *testing.B) {
			for i := range n {
				s.SetSecret(fmt.Sprint("secret", i), fmt.Sprintf("hunter%d-horse-battery", i))
			}
			s.Mask("")
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				s.Mask(text)
			}
		})
		b.Run(fmt.Sprintf("give-%d", n), func(b *testing.B) {
			for b.Loop() {
				s := New()
				for i := range n {
					s.SetSecret(fmt.Sprint("secret", i), fmt.Sprintf("hunter%d-horse-battery", i))
				}
				s.Mask("x")
			}
		})
	}
}
