package dispatch_test

import (
	"context"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// BenchmarkCall is what the whole chain costs on top of a tool: expansion, validation, redaction, two events on disk.
// The target is under 50 µs.
func BenchmarkCall(b *testing.B) {
	for _, bc := range []struct {
		name    string
		root    string
		secrets bool
	}{{"memory", "", false}, {"disk", b.TempDir(), false}, {"disk with a secret", b.TempDir(), true}} {
		b.Run(bc.name, func(b *testing.B) {
			var seen clickIn
			reg, err := tool.NewRegistry(click(&seen))
			if err != nil {
				b.Fatal(err)
			}
			d := dispatch.New(dispatch.Options{Registry: reg})
			mem := memory.New()
			mem.Set("who", "Ann")
			if bc.secrets {
				mem.SetSecret("password", secret)
			}
			s, err := session.Open(b.Context(), session.Options{Root: bc.root, Memory: mem, Device: phone})
			if err != nil {
				b.Fatal(err)
			}
			c := call("demo_click", `{"ref":"{{who}}","nodeSelector":{"web":{"ariaRole":"button","ariaNameRegex":"Save"}},"count":2}`)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := d.Call(b.Context(), s, dispatch.CLI, c); err != nil {
					b.Fatal(err)
				}
			}
			_ = s.Close(event.Passed)
			_ = d.Close(context.WithoutCancel(b.Context()))
		})
	}
}
