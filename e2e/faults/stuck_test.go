package faults

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
)

// A page whose script never ends while it is parsed, and one with a million elements, can be left at once by the
// first navigation, and every call meanwhile is answered: each on a fresh browser, for the second navigation has an
// easier time.
func TestFirstNavigationAway(t *testing.T) {
	longOnly(t)
	h := newHouse(t)
	h.Start()
	asked := make(chan struct{}, 100)
	docs := map[string]string{
		"/":        "<h1>Hello</h1>",
		"/endless": "<h1>Endless</h1><script>while (1);</script><p>Never read",
		"/many":    "<h1>Many</h1><div id=d></div><script>d.innerHTML = '<p>x'.repeat(1e6)</script>",
		"/busy":    "<h1>Busy</h1><script>setTimeout(() => { while (1); })</script>",
	}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, docs[r.URL.Path])
		asked <- struct{}{}
	}))
	t.Cleanup(srv.Close)
	url := srv.URL
	const patience = 20 * time.Second // of a call that says nothing of its own
	disconnect := func() answer {
		return h.call("device", map[string]any{"action": "DISCONNECT", "deviceId": "web"})
	}
	inTime := func(page, what string, a answer) {
		t.Helper()
		t.Logf("%s: %s after %s, done: %v", page, what, a.took, a.ok())
		if a.took > testtime.Within(patience) {
			t.Errorf("%s: %s is answered after %s: %.500s", page, what, a.took, a.raw)
		}
	}
	for _, page := range []string{"/endless", "/many", "/busy"} {
		// The page may use up all of its own navigation's time; the next one must not.
		h.call("web_navigate", map[string]any{"url": url + page})
		left := h.must("web_navigate", map[string]any{"url": url + "/"}, "Hello")
		inTime(page, "the way out", left)
		h.must("web_snapshot", nil, "Hello")
		if a := disconnect(); !a.ok() {
			t.Fatalf("%s: %.500s", page, a.raw)
		}
		for len(asked) > 0 {
			<-asked
		}
		came := make(chan answer, 1)
		go func() {
			a, _ := h.send("test", "web_navigate", map[string]any{"url": url + page})
			came <- a
		}()
		waittest.Await(t, asked, "the page is asked for")
		began := time.Now()
		if out, code := h.run("cancel", "--all"); code != 0 {
			t.Errorf("%s: cancel: %s", page, out)
		}
		waittest.Await(t, came, "the cancelled call is answered")
		inTime(page, "a cancel", answer{took: time.Since(began)})
		inTime(page, "a snapshot", h.call("web_snapshot", nil))
		inTime(page, "where it is", h.call("web_currentUrl", nil))
		inTime(page, "the end of the device", disconnect())
		h.must("web_navigate", map[string]any{"url": url + "/"}, "Hello")
	}
}
