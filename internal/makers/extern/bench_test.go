package extern_test

import (
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// BenchmarkCall holds an external tool beside a built-in one. The bars: 1 ms over the built-in call, and 2 ms for one more
// call back.
func BenchmarkCall(b *testing.B) {
	r := start(b, acme(""))
	for _, c := range []struct{ name, tool, args string }{
		{"builtin", "web_click", `{"ref":"e1"}`},
		{"external", "acme_say", `{"text":"hello"}`},
		{"external with callback", "acme_back", `{"tool":"web_click","args":{"ref":"e1"}}`},
		{"external with 11 callbacks", "acme_back", `{"tool":"web_click","args":{"ref":"e1"},"times":11}`},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				res, err := r.d.Call(b.Context(), r.s, dispatch.CLI, tool.Call{Name: c.tool, Args: []byte(c.args)})
				if err != nil || res.IsError {
					b.Fatal(res, err)
				}
			}
		})
	}
}
