package security

import (
	"strings"
	"testing"
	"time"
)

// TestYAMLBombs: files that cost a parser the square of their size are refused at once, as misuse, on every way in.
func TestYAMLBombs(t *testing.T) {
	h := newHouse(t)
	bombs := map[string]string{
		"documents": strings.Repeat("---\na: 1\n", 30_000),
		"keys":      "config: {id: a, title: b}\n" + strings.Repeat("k: 1\n", 30_000),
		"items":     "trail: [" + strings.Repeat("a, ", 30_000) + "]",
		"size":      strings.Repeat("# comment\n", 200_000),
		"depth":     strings.Repeat("[", 30_000),
		"laughs":    "a: &a [x, x]\n" + laughs(),
	}
	for name, text := range bombs {
		file := h.Write("trails/"+name+".trail.yaml", text)
		for _, args := range [][]string{{"check", file}, {"run", file, "--no-report"}} {
			began := time.Now()
			out, code := h.run(args...)
			if code != 3 || len(out) > 60_000 {
				t.Errorf("%s %s: exit %d: %.500s", args[0], name, code, out)
			}
			if d := time.Since(began); d > 30*time.Second {
				t.Errorf("%s %s took %s", args[0], name, d)
			}
		}
	}
	h.Write("trails/config/trailblaze.yaml", bombs["keys"])
	if out, code := h.run("config", "list"); code != 3 {
		t.Errorf("settings: exit %d: %.500s", code, out)
	}
	h.Write("trails/config/trailblaze.yaml", "")
	if out, code := h.run("tool", "--yaml", bombs["items"]); code != 3 {
		t.Errorf("calls: exit %d: %.500s", code, out)
	}
}

// laughs is the billion laughs: each level names the one before twice.
func laughs() string {
	var b strings.Builder
	for c := 'b'; c <= 'z'; c++ {
		b.WriteString(string(c) + ": &" + string(c) + " [*" + string(c-1) + ", *" + string(c-1) + "]\n")
	}
	return b.String()
}
