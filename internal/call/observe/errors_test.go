package observe_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/call/observe"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// TestRepliesCarryErrors: uncaught errors, errors in the console and failed requests since the last reply of a client
// stand in one line of the next, also when the page stays blank, and in the reply to a query.
func TestRepliesCarryErrors(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch r.URL.Path {
		case "/blank":
			_, _ = w.Write([]byte(`<!doctype html><div id=app></div><script src="/app.js"></script><script>start()</script>`))
		case "/page":
			_, _ = w.Write([]byte(`<!doctype html><button onclick="console.warn('hm');throw new Error('bang\nat line 2')">Go</button>
				<button onclick="for(let i=0;i<9;i++)console.error('again');for(let i=0;i<5;i++)console.error('e'+i)">Loop</button>
				<button onclick="fetch('/gone',{method:'POST'});o.textContent='x'">Send</button><p id=o></p>`))
		case "/refused":
			w.Header().Set("Content-Security-Policy", "script-src 'none'")
			_, _ = w.Write([]byte(`<!doctype html><p>Hello<script>document.title='x'</script>`))
		default:
			w.WriteHeader(http.StatusNotFound)
			_, _ = w.Write([]byte("// not here"))
		}
	}))
	defer srv.Close()
	dev, o := device(t), observe.New()
	says := func(client, want string) {
		t.Helper()
		if got := after(t, o, dev, client, observe.Settings{}).Text; !strings.HasPrefix(got, want) || want == "" && strings.Contains(got, "in the console") {
			t.Errorf("client %s is not told %q:\n%s", client, want, got)
		}
	}
	visit(t, dev, srv.URL+"/blank")
	says("a", "! 2 errors logged: \"GET /app.js: the server responded with a status of 404 (Not Found)\", \"ReferenceError: start is not defined\"\n")
	says("a", "")
	says("b", "! 2 errors logged: ")
	visit(t, dev, srv.URL+"/page")
	says("a", "")
	tap(t, dev, `button "Go"`)
	query := &tool.Spec{Name: "x", Kind: tool.Query}
	if got, err := o.After(deadline(t), dev, "q", query, tool.TextResult("yes"), observe.Settings{}); err != nil || got == nil ||
		!strings.Contains(got.Text, "bang") {
		t.Errorf("the reply to a query: %+v, %v", got, err)
	}
	says("a", "! 1 error logged: \"Error: bang\"\n")
	tap(t, dev, `button "Loop"`)
	says("a", "! 14 errors logged: \"e2\", \"e3\", \"e4\", and 3 more before\n")
	tap(t, dev, `button "Send"`)
	says("a", "! 1 error logged: \"POST /gone: the server responded with a status of 404 (Not Found)\"\n")
	if _, err := dev.Navigate(deadline(t), driver.Navigation{URL: srv.URL + "/missing"}); err != nil {
		t.Fatal(err)
	}
	says("a", "") // the reply to the navigation names its status
	visit(t, dev, srv.URL+"/refused")
	if got := after(t, o, dev, "a", observe.Settings{}).Text; !strings.HasPrefix(got, "! 1 error logged: ") ||
		!strings.Contains(got, "Content Security Policy") {
		t.Errorf("a script that a policy refuses:\n%s", got)
	}
	secret := observe.Settings{Mask: func(s string) string { return strings.ReplaceAll(s, "bang", "***") }}
	visit(t, dev, srv.URL+"/page")
	tap(t, dev, `button "Go"`)
	if got := after(t, o, dev, "a", secret).Text; strings.Contains(got, "bang") || !strings.Contains(got, "***") {
		t.Errorf("a secret in an error:\n%s", got)
	}
}
