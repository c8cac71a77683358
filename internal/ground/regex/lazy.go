package regex

import (
	"regexp"
	"sync"
)

// Lazy returns a function that gives the compiled pattern, which is one of ours in RE2's dialect. The first call
// compiles it: every command initializes all packages, and uses few of their patterns.
func Lazy(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}
