package toolset

import (
	"fmt"
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
	shrinks(t, &c, 1)
	if got := c.Of(s, build); got != "kept!" || made != 3 {
		t.Errorf("the spec in use: %q, made %d times", got, made)
	}
}

// What is known of specs does not grow with reloads: each makes all specs of a workspace anew.
func TestReloads(t *testing.T) {
	placedBefore, trimmedBefore, sizesBefore := entries(&placed), entries(&trimmed), entries(&sizes)
	const reloads, tools = 50, 20
	for range reloads {
		for i := range tools {
			s := &tool.Spec{Name: fmt.Sprintf("shop_%d", i), Kind: tool.Action, ExposedToLLM: true}
			if got := Of(s); len(got) != 1 || got[0] != Custom {
				t.Fatalf("categories %v", got)
			}
			Trim(s)
			Size(s)
		}
	}
	shrinks(t, &placed, placedBefore)
	shrinks(t, &trimmed, trimmedBefore)
	shrinks(t, &sizes, sizesBefore)
}

func entries[T any](c *Cache[T]) (n int) {
	c.made.Range(func(any, any) bool { n++; return true })
	return n
}

// shrinks waits until a cache has no more entries than these.
func shrinks[T any](t *testing.T, c *Cache[T], most int) {
	t.Helper()
	for end := time.Now().Add(time.Minute); entries(c) > most; runtime.Gosched() {
		if runtime.GC(); time.Now().After(end) {
			t.Fatalf("%d entries stay, want %d", entries(c), most)
		}
	}
}
