package trail

import (
	"os"
	"strings"
	"testing"
)

// Every YAML block of the format reference is what it says it is.
func TestDocs(t *testing.T) {
	data, err := os.ReadFile("../docs/trails.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := 0
	for i, part := range strings.Split(string(data), "```yaml")[1:] {
		kind, body, _ := strings.Cut(part, "\n")
		body, _, closed := strings.Cut(body, "```")
		if !closed {
			t.Fatalf("block %d is not closed", i+1)
		}
		blocks++
		var problems Problems
		switch strings.TrimSpace(kind) {
		case "", "bad":
			_, problems = Parse("basket.trail.yaml", []byte(body), Strict)
		case "calls":
			_, problems = ParseCalls("calls", []byte(body))
		case "args":
			_, problems = ParseArgs("args", []byte(body))
		default:
			t.Fatalf("block %d is of the unknown kind %q", i+1, kind)
		}
		if strings.TrimSpace(kind) != "bad" {
			if len(problems) > 0 {
				t.Errorf("block %d: %v\n%s", i+1, problems, body)
			}
			continue
		}
		if len(problems) != 1 || !strings.Contains(string(data), problems[0].String()) {
			t.Errorf("the page does not show this message:\n%v", problems)
		}
	}
	if blocks < 8 {
		t.Errorf("only %d blocks found", blocks)
	}
}
