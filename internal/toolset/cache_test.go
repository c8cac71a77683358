package toolset

import (
	"runtime"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/tool"
)

// What is made of a spec is made once, and goes with the spec.
func TestCache(t *testing.T) {
	var c Cache[string]
	made := 0
	build := func(s *tool.Spec) string { made++; return s.Name + "!" }
	s := &tool.Spec{Name: "kept"}
	for range 2 {
		if got := c.Of(s, build); got != "kept!" {
			t.Errorf("got %q", got)
		}
		c.Of(&tool.Spec{Name: "dropped"}, build)
	}
	if made != 3 {
		t.Errorf("made %d times", made)
	}
	size := func() (n int) {
		c.made.Range(func(any, any) bool { n++; return true })
		return n
	}
	for end := time.Now().Add(time.Minute); size() > 1; runtime.Gosched() {
		if runtime.GC(); time.Now().After(end) {
			t.Fatalf("%d entries stay", size())
		}
	}
	if got := c.Of(s, build); got != "kept!" || made != 3 {
		t.Errorf("the spec in use: %q, made %d times", got, made)
	}
}
