package web

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
)

// TestPageThatNeverEnds proves that a document which does not stop arriving is used once it shows
// something, that this is told, and that one which shows nothing is not taken for a page.
func TestPageThatNeverEnds(t *testing.T) {
	t.Parallel()
	srv := serveFunc(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		send := func(s string) {
			_, _ = fmt.Fprint(w, s)
			_ = http.NewResponseController(w).Flush()
		}
		switch r.URL.Path {
		case "/":
			send(`<!doctype html><a id=d href=/drip>d</a><a id=s href=/script>s</a>`)
			return
		case "/drip":
			send(`<!doctype html><button id=b onclick="this.textContent='clicked'">b</button>`)
		case "/script":
			send(`<!doctype html><button id=b onclick="this.textContent='clicked'">b</button><script src=/hang></script><p>never`)
			return
		case "/white":
			send(`<!doctype html><title>x</title><body>`)
		}
		tick := time.NewTicker(60 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				if r.URL.Path == "/drip" {
					send("<p>more</p>")
				}
			case <-r.Context().Done():
				return
			}
		}
	})
	told := func(t *testing.T, e *driver.Effect, path string) {
		t.Helper()
		if e.Settle.Reason != "busy" || !slices.Contains(e.Settle.Pending, "the rest of "+srv.URL+path) || e.Settle.Waited > 12*time.Second {
			t.Errorf("settle %+v", e.Settle)
		}
	}
	for path, link := range map[string]string{"/drip": "#d", "/script": "#s"} {
		t.Run(path, func(t *testing.T) {
			d := newDevice(t, DeviceOptions{})
			told(t, open(t, d, srv.URL+path), path)
			perform(t, d, driver.Tap{Target: at(node(t, d, "#b"))})
			want(t, "button", js(t, d, "b.textContent"), `"clicked"`)
			open(t, d, srv.URL+"/")
			told(t, perform(t, d, driver.Tap{Target: at(node(t, d, link))}), path)
			perform(t, d, driver.Tap{Target: at(node(t, d, "#b"))})
			want(t, "button", js(t, d, "b.textContent"), `"clicked"`)
		})
	}
	t.Run("white", func(t *testing.T) {
		d := newDevice(t, DeviceOptions{})
		_, err := d.Navigate(within(t, 6000), driver.Navigation{URL: srv.URL + "/white"})
		if fault.KindOf(err) != fault.Timeout || !strings.Contains(err.Error(), "page to load") {
			t.Errorf("err = %v", err)
		}
	})
}
