package web

import (
	"net/http"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
)

// TestRequests proves the network log: what was asked, by whom, how it ended.
func TestRequests(t *testing.T) {
	t.Parallel()
	srv := serveFunc(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/api":
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusTeapot)
			_, _ = w.Write([]byte("{}"))
		case "/hop":
			http.Redirect(w, r, "/api", http.StatusFound)
		case "/worker.js":
			w.Header().Set("Content-Type", "text/javascript")
			_, _ = w.Write([]byte(`fetch('/api?worker').then(r=>r.text()).then(()=>postMessage(1))`))
		default:
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte(`<p>x`))
		}
	})
	d := newDevice(t, DeviceOptions{})
	open(t, d, srv.URL+"/")
	all, err := d.Requests(deadline(t), 0)
	if err != nil || len(all) == 0 {
		t.Fatalf("%v, %v", all, err)
	}
	if r := all[0]; r.Type != "document" || r.Status != 200 || r.URL != srv.URL+"/" || !r.Done || r.MIME != "text/html" || r.Duration <= 0 {
		t.Errorf("document: %+v", r)
	}
	since := all[len(all)-1].Seq
	eval[any](t, d, `await fetch('/hop',{method:'POST',body:'b=1'}).then(r=>r.text());
		await new Promise(r=>{new Worker('/worker.js').onmessage=r}); await fetch('http://127.0.0.1:1/').catch(()=>0); 1`)
	all, err = d.Requests(deadline(t), since)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]driver.Request{}
	for _, r := range all {
		got[r.Method+" "+strings.TrimPrefix(r.URL, srv.URL)] = r
	}
	if r := got["POST /hop"]; r.Status != 302 || r.PostData != "b=1" || !r.Done {
		t.Errorf("redirect: %+v", r)
	}
	if r := got["GET /api"]; r.Status != 418 || r.Type != "fetch" || r.MIME != "application/json" {
		t.Errorf("after redirect: %+v", r)
	}
	if r := got["GET /api?worker"]; r.Status != 418 {
		t.Errorf("in worker: %+v; all: %v", r, got)
	}
	if r := got["GET http://127.0.0.1:1/"]; r.Error == "" || !r.Done {
		t.Errorf("failed: %+v", r)
	}
	d.frames.Lock()
	pending := d.frames.Active.Traffic.Pending()
	d.frames.Unlock()
	if len(pending) != 0 {
		t.Errorf("still waits for %+v", *pending[0])
	}
}

// TestRoutes proves request mocking, also in frames of another process.
func TestRoutes(t *testing.T) {
	t.Parallel()
	hits := make(chan string, 100)
	srv := serveFunc(t, func(w http.ResponseWriter, r *http.Request) {
		hits <- r.URL.Path
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("real " + r.URL.Path + `<iframe name=f src="` + strings.Replace("http://"+r.Host, "127.0.0.1", "localhost", 1) +
			`/api/frame"></iframe>`))
	})
	d := newDevice(t, DeviceOptions{})
	if err := d.SetRoutes(deadline(t), []driver.Route{
		{Pattern: "**/api/once", Body: `{"n":1}`, Times: 1},
		{Pattern: "**/api/frame", Body: "<p id=p>mocked frame"},
		{Pattern: "**/api/*", Method: "POST", Status: 201, Headers: map[string]string{"X-Mock": "yes"}},
		{Pattern: srv.URL + "/blocked**", Abort: true},
	}); err != nil {
		t.Fatal(err)
	}
	open(t, d, srv.URL+"/page")
	tests := []struct {
		name, script, want string
	}{
		{"body and type", `const r=await fetch('/api/once'); r.headers.get('content-type')+await r.text()`, `application/json{"n":1}`},
		{"only once", `(await (await fetch('/api/once')).text()).slice(0,4)`, "real"},
		{"method, status, header", `const q=await fetch('/api/x',{method:'POST'}); q.status+q.headers.get('x-mock')`, "201yes"},
		{"other method", `(await (await fetch('/api/x')).text()).slice(0,4)`, "real"},
		{"abort", `await fetch('/blocked/a?b').catch(e=>'failed')`, "failed"},
		{"star stays in its segment", `(await (await fetch('/api/x/y',{method:'POST'})).text()).slice(0,4)`, "real"},
	}
	for _, tt := range tests {
		if got := eval[string](t, d, tt.script); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	all, err := d.Requests(deadline(t), 0)
	if err != nil {
		t.Fatal(err)
	}
	mocked := 0
	for _, r := range all {
		if r.Mocked {
			mocked++
		}
		if strings.HasSuffix(r.URL, "/api/frame") && (!r.Mocked || r.Status != 200) {
			t.Errorf("frame: %+v", r)
		}
	}
	if mocked < 4 {
		t.Errorf("%d requests marked as mocked", mocked)
	}
	if err := d.SetRoutes(deadline(t), nil); err != nil {
		t.Fatal(err)
	}
	if got := eval[string](t, d, `(await (await fetch('/blocked/a')).text()).slice(0,4)`); got != "real" {
		t.Errorf("after the routes went: %q", got)
	}
	wantFault(t, d.SetRoutes(deadline(t), []driver.Route{{}}), fault.Invalid, "needs a pattern")
}
