package e2e

import (
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/ground/skill"
)

// TestSkillIsTrue runs every command that the agent skill names, in the order it names them: an agent believes what
// it reads.
func TestSkillIsTrue(t *testing.T) {
	t.Parallel()
	commands := fenced(skill.Text(), "sh")
	if len(commands) < 15 {
		t.Fatalf("the skill has %d commands, want at least 15", len(commands))
	}
	s := newSitting(t)
	buy := ""
	for _, line := range commands {
		line = strings.ReplaceAll(line, "http://localhost:8080", s.shop)
		if strings.Contains(line, "e12") {
			if buy == "" {
				buy = s.ref("Add to cart")
			}
			line = strings.ReplaceAll(line, "e12", buy)
		}
		s.shell(line, 0)
		if strings.TrimSpace(s.last) == "" {
			t.Errorf("%s says nothing", line)
		}
	}
}

// fenced are the lines of a text's code blocks in one language.
func fenced(text, language string) []string {
	var out []string
	in := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "```"):
			in = line == "```"+language
		case in && line != "":
			out = append(out, line)
		}
	}
	return out
}
