package web

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
)

// TestNavigate proves R35 and issue 5: what a navigation reports, and how it fails.
func TestNavigate(t *testing.T) {
	t.Parallel()
	dead := httptest.NewServer(nil)
	dead.Close()
	srv := serveFunc(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/gone":
			w.WriteHeader(http.StatusNotFound)
			_, _ = w.Write([]byte("<h1>not here</h1>"))
		case "/moved":
			http.Redirect(w, r, "/", http.StatusFound)
		case "/empty":
			w.WriteHeader(http.StatusNoContent)
		case "/file":
			w.Header().Set("Content-Disposition", `attachment; filename="a.txt"`)
			_, _ = w.Write([]byte("data"))
		default:
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte("<title>Home</title><p>home"))
		}
	})
	d := newDevice(t, DeviceOptions{})
	open(t, d, srv.URL+"/")
	tests := []struct {
		name    string
		url     string
		status  int
		end     string // URL after
		kind    fault.Kind
		message string
	}{
		{name: "page", url: srv.URL + "/a", status: 200, end: srv.URL + "/a"},
		{name: "http error is a status", url: srv.URL + "/gone", status: 404, end: srv.URL + "/gone"},
		{name: "redirect", url: srv.URL + "/moved", status: 200, end: srv.URL + "/"},
		{name: "within the document", url: srv.URL + "/#part", end: srv.URL + "/#part"},
		{name: "no content stays", url: srv.URL + "/empty", status: 204, end: srv.URL + "/#part"},
		{name: "download stays", url: srv.URL + "/file", end: srv.URL + "/#part", status: 200},
		{name: "refused", url: dead.URL, kind: fault.Unavailable, message: "net::ERR_CONNECTION_REFUSED"},
		{name: "unknown scheme", url: "javascript:alert(1)", kind: fault.Denied, message: "javascript: URLs are not opened"},
		{name: "file", url: "file:///etc/passwd", kind: fault.Denied, message: "local file"},
		{name: "empty", url: "", kind: fault.Invalid, message: "the URL is empty"},
		{name: "no scheme", url: "example", kind: fault.Invalid, message: "not a URL"},
	}
	for _, tt := range tests {
		e, err := d.Navigate(deadline(t), driver.Navigation{URL: tt.url})
		if tt.kind != "" {
			wantFault(t, err, tt.kind, tt.message)
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if e.Status != tt.status || e.URL != tt.end {
			t.Errorf("%s: status %d at %s, want %d at %s", tt.name, e.Status, e.URL, tt.status, tt.end)
		}
	}
}

// TestHistory proves back, forward and reload, and that an end of the history is said.
func TestHistory(t *testing.T) {
	t.Parallel()
	srv := serve(t, map[string]string{"/1": "<p>one", "/2": "<p>two"})
	d := newDevice(t, DeviceOptions{})
	_, err := d.Navigate(deadline(t), driver.Navigation{Action: "back"})
	wantFault(t, err, fault.NotActed, "no previous page")
	open(t, d, srv.URL+"/1")
	open(t, d, srv.URL+"/2")
	for _, step := range []struct{ action, want string }{
		{"back", "/1"}, {"forward", "/2"}, {"reload", "/2"}, {"back", "/1"}, {"back", ""},
	} {
		e, err := d.Navigate(deadline(t), driver.Navigation{Action: step.action})
		if err != nil {
			t.Fatalf("%s: %v", step.action, err)
		}
		want := "about:blank"
		if step.want != "" {
			want = srv.URL + step.want
		}
		if e.URL != want {
			t.Errorf("%s: at %s, want %s", step.action, e.URL, want)
		}
	}
	open(t, d, srv.URL+"/2")
	_, err = d.Navigate(deadline(t), driver.Navigation{Action: "forward"})
	wantFault(t, err, fault.NotActed, "no next page")
	_, err = d.Navigate(deadline(t), driver.Navigation{Action: "sideways"})
	wantFault(t, err, fault.Invalid, "sideways")
}

// TestNavigateDeadline proves that a server which never answers does not outlast the caller's
// patience.
func TestNavigateDeadline(t *testing.T) {
	t.Parallel()
	stop := make(chan struct{})
	srv := serveFunc(t, func(_ http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/slow") {
			waittest.Hold(t, stop)
		}
	})
	defer close(stop)
	d := newDevice(t, DeviceOptions{})
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	began := time.Now()
	_, err := d.Navigate(ctx, driver.Navigation{URL: srv.URL + "/slow"})
	wantFault(t, err, fault.Timeout, "deadline")
	if took := time.Since(began); took > testtime.Within(2*time.Second) {
		t.Errorf("took %v", took)
	}
}

// TestNavigateBusy proves that a page which never comes to rest neither hangs nor fails a
// navigation, and that the effect says which load kept it busy.
func TestNavigateBusy(t *testing.T) {
	t.Parallel()
	stop := make(chan struct{})
	srv := serveFunc(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if r.URL.Path == "/hang.png" {
			waittest.Hold(t, stop)
		}
		_, _ = w.Write([]byte(map[string]string{
			"/image":  `<p>x<img src=/hang.png>`,
			"/ticker": `<p id=p>x<script>setInterval(()=>p.textContent=Math.random(), 5)</script>`,
			"/late":   `<p id=p>x<script>fetch('/data').then(r=>r.text()).then(t=>p.textContent=t)</script>`,
			"/data":   `late`,
		}[r.URL.Path]))
	})
	defer close(stop)
	d := newDevice(t, DeviceOptions{})
	for _, tt := range []struct{ path, reason, pending string }{
		{"/image", "busy", "/image"}, {"/ticker", "", ""}, {"/late", "navigated", ""},
	} {
		began := time.Now()
		e := open(t, d, srv.URL+tt.path)
		if tt.reason != "" && e.Settle.Reason != tt.reason || !strings.Contains(strings.Join(e.Settle.Pending, " "), tt.pending) || e.Settle.Waited <= 0 {
			t.Errorf("%s: %+v", tt.path, e.Settle)
		}
		if took := time.Since(began); took > testtime.Within(10*time.Second) {
			t.Errorf("%s: took %v", tt.path, took)
		}
	}
	if got := eval[string](t, d, "p.textContent"); got != "late" {
		t.Errorf("did not wait for what the page fetches: %q", got)
	}
}
