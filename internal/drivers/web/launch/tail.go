package launch

import (
	"strings"

	"github.com/trailblaze-dev/trailblaze/internal/proc"
)

// tail keeps the end of what the browser wrote.
type tail struct{ proc.Tail }

// noise reports whether a line is a complaint of every browser that runs without a desktop.
func noise(line string) bool {
	for _, s := range []string{"ERROR:dbus/", "crashpad/util/file", ": unexpected operator", "ERROR:gpu/", "vaapi",
		"google_apis/gcm"} {
		if strings.Contains(line, s) {
			return true
		}
	}
	return false
}

// String returns the kept lines.
func (t *tail) String() string {
	var kept []string
	for line := range strings.Lines(t.Tail.String()) {
		if !noise(line) {
			kept = append(kept, line)
		}
	}
	return strings.TrimSpace(strings.Join(kept, ""))
}
