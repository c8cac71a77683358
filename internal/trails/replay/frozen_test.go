package replay

import (
	"strings"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime"
)

// TestFrozenPageIsRedInTime proves that a page whose script has no end fails its step within two seconds of the step's
// deadline, evidence included, and that the failure says what to do next.
func TestFrozenPageIsRedInTime(t *testing.T) {
	t.Parallel()
	const hang = `<script>while(true){}</script>`
	b := newBed(t, map[string]string{
		"/":      `<button onclick="while(true){}">Loop</button><button onclick="setTimeout(()=>{while(true){}})">Timer</button>`,
		"/frame": `<p>Top</p><iframe srcdoc="<button onclick='while(true){}'>Loop</button>"></iframe>`,
		"/other": `<p>Top</p><iframe src="{{other}}/"></iframe>`,
		"/load":  `<p>Top</p>` + hang,
	})
	const limit = 3 * time.Second
	b.player.StepTimeout = limit
	for _, tt := range [][2]string{
		{"/", press("button", "Loop")}, {"/", press("button", "Timer")}, {"/frame", press("button", "Loop")},
		{"/other", press("button", "Loop")}, {"/load", ""},
	} {
		text := "trail:\n  - step: Open\n    recording: {web: [{web_navigate: {url: \"{{base}}" + tt[0] + "\"}}]}\n"
		if tt[1] != "" {
			text += "  - step: Press\n    recording:\n      web:\n        - " + tt[1] + "\n        - web_verifyTextVisible: {text: Nope, timeoutMs: 20000}\n"
		}
		out, _ := b.play(t, text)
		last := out.Steps[len(out.Steps)-1]
		if out.Outcome == event.Passed || last.Failure == nil {
			t.Errorf("%v: %s, %+v", tt, out.Outcome, last)
			continue
		}
		if late := last.Duration - limit; late > testtime.Within(2*time.Second) {
			t.Errorf("%v: red %s after the deadline", tt, late)
		}
		if last.Failure.Hint == "" {
			t.Errorf("%v: no next step: %+v", tt, last.Failure)
		}
		t.Logf("%v: %s after %s: %s; hint: %s", tt, out.Outcome, last.Duration, last.Failure.Message, last.Failure.Hint)
		if !strings.Contains(last.Failure.Hint, "again") {
			t.Errorf("%v: the hint is %q", tt, last.Failure.Hint)
		}
	}
}
