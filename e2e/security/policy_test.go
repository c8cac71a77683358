package security

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// The daemon and run obey the same file: an action that it denies does not happen, and the refusal and the log say why.
func TestPolicyFile(t *testing.T) {
	var evil atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { evil.Add(1) }))
	defer other.Close()
	denied := strings.Replace(other.URL, "127.0.0.1", "localhost", 1)
	url := served(t, `<title>Shop</title><h1>Shop</h1><a href="`+denied+`/click">Go</a><img src="`+denied+`/img"><script>fetch("`+denied+
		`/fetch",{mode:"no-cors"}).catch(()=>0)</script>`)
	h := newHouse(t)
	h.Write("trails/config/policy.yaml",
		"profile: ci\nactions:\n  allow: ['web_*', 'group:session', status, trail]\n  deny: [web_hover]\nhosts: {allow: [127.0.0.1]}\n")
	h.Write("trails/go.trail.yaml", "config: {title: Go, id: go}\ntrail:\n  - step: Open\n    recording: {web: [{web_navigate: {url: '"+url+
		"'}}, {web_click: {ref: Go}}]}\n")
	h.Start()
	type args = map[string]any
	h.must("web_navigate", args{"url": url})
	for _, test := range []struct {
		tool, want string
		args       args
	}{
		{"web_hover", "policy.yaml:4:10", args{"ref": "Go"}},
		{"web_evaluate", "evaluate", args{"script": "1"}},
		{"web_navigate", "hosts.allow", args{"url": denied}},
		{"web_navigate", "metadata", args{"url": "http://169.254.169.254/latest"}},
		{"web_click", "hosts.allow", args{"ref": "Go"}},
	} {
		a := h.call(test.tool, test.args)
		if a.kind() != "denied" || !strings.Contains(a.raw, test.want) || a.Fault != nil && a.Fault.Hint == "" {
			t.Errorf("%s %v: %s, want a denial that names %s", test.tool, test.args, a.raw, test.want)
		}
	}
	if n := evil.Load(); n > 0 {
		t.Errorf("the denied host was called %d times", n)
	}
	logs, err := filepath.Glob(filepath.Join(h.Dir, "sessions", "*", "events.ndjson"))
	if err != nil || len(logs) == 0 {
		t.Fatal(logs, err)
	}
	data, err := os.ReadFile(logs[0])
	if err != nil || strings.Count(string(data), `"allowed":false`) < 5 || !strings.Contains(string(data), `"policy_decision"`) {
		t.Errorf("the decisions are not in the log (%v): %s", err, data)
	}
	if out, code := h.run("run", "trails/go.trail.yaml", "--no-report"); code == 0 || !strings.Contains(out, "policy denies") {
		t.Errorf("run: exit %d: %s", code, out)
	}
	// What is written into the file holds from the next call on, and a mistake in it allows nothing.
	h.Write("trails/config/policy.yaml", "profile: ci\nactions: {alow: [web_hover]}\n")
	if a := h.call("web_snapshot", nil); a.kind() != "invalid" || !strings.Contains(a.raw, "policy.yaml:2:11") {
		t.Errorf("a mistake in the file: %s", a.raw)
	}
	h.Write("trails/config/policy.yaml", "profile: explore # again\n")
	h.must("web_snapshot", nil)
	if out, code := h.run("run", "trails/go.trail.yaml", "--no-report", "--policy", "nowhere.yaml"); code != 3 {
		t.Errorf("a policy that is not there: exit %d: %s", code, out)
	}
	if n := evil.Load(); n > 0 {
		t.Errorf("the denied host was called %d times", n)
	}
}

// What is counted is served to the owner, in Prometheus' format, and holds nothing of what was typed.
func TestMetrics(t *testing.T) {
	h := newHouse(t, "TRAILBLAZE_SECRET_pw="+canary)
	h.Start()
	h.must("web_navigate", map[string]any{"url": served(t, "<h1>x</h1>")})
	h.call("web_click", map[string]any{"ref": canary})
	client, host := h.tcp()
	status, header, body := knock(t, client, "GET", "http://"+host+"/metrics", "", http.Header{"Authorization": {"Bearer " + h.Boot.Token}})
	if status != 200 || !strings.HasPrefix(header.Get("Content-Type"), "text/plain; version=0.0.4") ||
		!strings.Contains(body, `trailblaze_calls_total{tool="web_click"`) {
		t.Errorf("%d %v %s", status, header, body)
	}
	search(t, "/metrics", []byte(body), 0)
	if a := h.must("getAgentMetrics", nil); !strings.Contains(a.raw, "web_navigate") || !strings.Contains(a.raw, "successRate") {
		t.Errorf("agent metrics: %s", a.raw)
	}
}
