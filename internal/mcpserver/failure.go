package mcpserver

import (
	"fmt"
	"strings"

	"github.com/trailblaze-dev/trailblaze/internal/event"
)

// tellFailure writes what a failure knows: what was looked for, what was nearest, how the screen differs from the last
// green run.
func tellFailure(b *strings.Builder, who string, f *event.Failure) {
	fmt.Fprintf(b, "- %s failed (%s): %s\n", who, f.Kind, f.Message)
	if f.Hint != "" {
		fmt.Fprintf(b, "- hint: %s\n", f.Hint)
	}
	if f.Looked != "" {
		fmt.Fprintf(b, "- looked for: %s\n", f.Looked)
	}
	list := func(title string, lines []string) {
		if len(lines) == 0 {
			return
		}
		fmt.Fprintf(b, "- %s:\n", title)
		for _, l := range lines {
			fmt.Fprintf(b, "  - %s\n", l)
		}
	}
	list("nearest", f.Candidates)
	list("since the last green run", f.SinceGreen)
	list("what was tried", f.Log)
}

func orUnknown(s string) string {
	if s == "" {
		return "an unknown device"
	}
	return s
}
