package replay

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
)

func TestTrouble(t *testing.T) {
	began := time.Unix(1000, 0)
	after, before := began.Add(time.Second), began.Add(-time.Second)
	requests := badRequests([]driver.Request{
		{Method: "GET", URL: "http://a/old", Status: 500, Started: before},
		{Method: "GET", URL: "http://a/ok", Status: 200, Started: after},
		{Method: "GET", URL: "http://a/favicon.ico", Status: 404, Started: after},
		{Method: "GET", URL: "http://a/left", Error: "net::ERR_ABORTED", Started: after},
		{Method: "GET", URL: "http://a/page", Status: 500, Started: after},
		{Method: "POST", URL: "http://a/save", Status: 500, Started: after},
		{Method: "POST", URL: "http://a/save", Status: 500, Started: after},
		{Method: "GET", URL: "http://b/x", Error: "net::ERR_CONNECTION_REFUSED", Started: after},
	}, began, "the navigation ended with HTTP status 500 at http://a/page")
	want := []string{"POST http://a/save was answered with HTTP status 500 (2 times)", "GET http://b/x failed: net::ERR_CONNECTION_REFUSED"}
	if diff := cmp.Diff(want, requests); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	errs := pageErrors([]driver.ConsoleMessage{
		{Level: "error", Text: "long ago", Time: before},
		{Level: "warning", Text: "deprecated", Time: after},
		{Level: "exception", Text: "TypeError: x is null\n    at a.js:1", Time: after},
		{Level: "error", Text: strings.Repeat("é", 500), Time: after},
	}, began)
	if len(errs) != 2 || errs[0] != "the page did not catch: TypeError: x is null" || len([]rune(errs[1])) != diagnosticWidth {
		t.Errorf("errors = %q, want the exception's first line and a short one of the error", errs)
	}
}

const brokenPage = `<!doctype html><title>Save</title><button onclick="fetch('/odd/500?say=no', {method: 'POST'}` +
	`).then(() => { out.textContent = 'Sorry'; undefinedThing() })">Save</button><p id="out" role="status"></p>`

// TestFailureTellsTrouble proves that a check that fails because the server refused what the step before had asked for
// says so, and that a run which passes in spite of such a thing does not.
func TestFailureTellsTrouble(t *testing.T) {
	t.Parallel()
	b := newBed(t, map[string]string{"/": brokenPage})
	text := `trail:
  - step: Save
    recording:
      web:
        - web_navigate: {url: "{{base}}/"}
        - web_click: {nodeSelector: {web: {ariaRole: button, ariaNameRegex: Save}}}
  - verify: It is saved
    recording: {web: [{web_verifyTextVisible: {text: SAID, timeoutMs: 500}}]}
`
	out, _ := b.play(t, strings.Replace(text, "SAID", "Saved", 1))
	if out.Outcome != event.Failed {
		t.Fatalf("outcome %s, want failed", out.Outcome)
	}
	want := []string{"POST " + b.base + "/odd/500?say=no was answered with HTTP status 500", "the page did not catch: "}
	for i, w := range want {
		if len(out.Notes) != len(want) || !strings.HasPrefix(out.Notes[i], w) {
			t.Fatalf("notes = %q, want %q", out.Notes, want)
		}
	}
	if out, _ := b.play(t, strings.Replace(text, "SAID", "Sorry", 1)); out.Outcome != event.Passed || len(out.Notes) > 0 {
		t.Errorf("outcome %s with notes %q, want passed without", out.Outcome, out.Notes)
	}
}

// TestWarningsAreTold proves that a token that named nothing is among what a run says, once.
func TestWarningsAreTold(t *testing.T) {
	reg, _ := demo(t)
	tr := write(t, "step: demo_act", "step: demo_say demo_say")
	out := newPlayer(t, reg).Play(t.Context(), open(t), tr, Attempt{Number: 1})
	want := []string{"demo_say: token {{password}} names nothing that is remembered; it is left as it is"}
	if diff := cmp.Diff(want, out.Notes); diff != "" {
		t.Errorf("outcome %s, failure %+v, notes (-want +got):\n%s", out.Outcome, out.Failure, diff)
	}
}
