package faults

import (
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime"
)

// A page that changes its address 5,000 times a second does not keep anybody from leaving it.
func TestFloodOfAddresses(t *testing.T) {
	h := newHouse(t)
	h.Start()
	flood := func(what string) string {
		return `<h1>Flood</h1><script>let n = 0; setInterval(() => { for (let i = 0; i < 25; i++) { n++; ` + what + ` } }, 5)</script>`
	}
	url := served(t, map[string]string{
		"/": "<h1>Hello</h1>", "/push": flood("history.pushState({}, '', '?' + n)"), "/replace": flood("history.replaceState({}, '', '?' + n)"),
		"/hash": flood("location.hash = n"),
	})
	for _, page := range []string{"/push", "/replace", "/hash"} {
		came := h.must("web_navigate", map[string]any{"url": url + page})
		left := h.call("web_navigate", map[string]any{"url": url + "/"})
		t.Logf("%s: came after %s, left after %s", page, came.took, left.took)
		if !left.ok() || left.took > testtime.Within(10*time.Second) {
			t.Errorf("%s was left after %s: %.500s", page, left.took, left.raw)
		}
		h.must("web_snapshot", nil, "Hello")
	}
}
