package replay

import (
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/call/event"
)

// TestTextRunsAreLookedAt proves that text which stands for itself, beside elements or in a component, can be verified.
func TestTextRunsAreLookedAt(t *testing.T) {
	const open = `<script>document.querySelector('x-y').attachShadow({mode:'open'}).innerHTML='<div><slot></slot></div>'</script>`
	pages := map[string]string{
		"/": `<!doctype html><title>t</title><p>Paid <b>by card</b></p><x-y>Thank you</x-y>` + open,
	}
	b := newBed(t, pages)
	out, _ := b.play(t, `config: {title: Text}
trail:
  - step: Open
    recording: {web: [{web_navigate: {url: "{{base}}/"}}]}
  - verify: Both can be read
    recording: {web: [{web_verifyTextVisible: {text: Paid}}, {web_verifyTextVisible: {text: Thank you}}]}
`)
	if out.Outcome != event.Passed {
		t.Errorf("%s: %+v", out.Outcome, out.Failure)
	}
}
