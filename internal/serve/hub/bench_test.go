package hub_test

import (
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/hubtest"
)

// What the house costs on top of the tool: a look, an action with its observation, a management tool, and with progress
// asked for.
func BenchmarkDo(b *testing.B) {
	r := hubtest.New(b, hubtest.Options{Bare: true})
	s := r.Client("mcp", "a")
	r.Must(s, "", "demo_look", `{}`)
	for name, q := range map[string]calls.Request{
		"look": req("demo_look"), "action": req("demo_echo"), "management": req("demo_say"),
		"progress": {Call: req("demo_look").Call, Progress: func(calls.Progress) {}, Detach: true},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := r.Hub.Do(b.Context(), s, q); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkStatus(b *testing.B) {
	r := hubtest.New(b, hubtest.Options{Bare: true})
	s := r.Client("mcp", "a")
	r.Must(s, "", "demo_look", `{}`)
	for b.Loop() {
		r.Status()
	}
}
