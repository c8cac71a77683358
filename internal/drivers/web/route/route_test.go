package route

import (
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/driver"
)

// FuzzRoute proves that any pattern either is refused or matches what it says: itself, when it has
// no star.
func FuzzRoute(f *testing.F) {
	for _, s := range []string{"**", "https://a.test/*", "**/api/*?x=[1]", "a**b", "***", `\(`, ""} {
		f.Add(s, "https://a.test/x")
	}
	f.Fuzz(func(t *testing.T, pattern, url string) {
		r, err := Compile(driver.Route{Pattern: pattern})
		if err != nil {
			return
		}
		_ = r.Wants("GET", url)
		if !strings.Contains(pattern, "*") && !strings.ContainsAny(pattern, "\n") && !r.Wants("GET", pattern) && strings.ToValidUTF8(pattern, "") == pattern {
			t.Errorf("%q does not match itself", pattern)
		}
	})
}
