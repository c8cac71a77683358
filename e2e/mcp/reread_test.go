package mcp

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFilesAreReadAgain: the daemon obeys the project's settings and policy as their files stand at each call, and a
// mistake in them takes neither the tools nor the daemon away.
func TestFilesAreReadAgain(t *testing.T) {
	h := newHouse(t)
	if err := os.MkdirAll(filepath.Join(h.Work, "trails", "config"), 0o700); err != nil {
		t.Fatal(err)
	}
	titled := func(title string) string {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte("<title>" + title + "</title><h1>" + title + "</h1>"))
		}))
		t.Cleanup(s.Close)
		return s.URL
	}
	base := func(url string) {
		h.Write("trails/config/trailblaze.yaml", "defaults:\n  base-url: "+url+"\n")
	}
	type args = map[string]any
	one, two := titled("One"), titled("Other")
	base(one)
	c := h.connect("--categories", "ALL")
	refused := func(what, tool string, in args, want string) {
		t.Helper()
		if r := c.try(t.Context(), tool, in); !r.failed || !strings.Contains(r.text, want) {
			t.Errorf("%s: %s %v says %q, want a refusal that names %s", what, tool, in, r.text, want)
		}
	}
	shows := func(what, want string, in args) {
		t.Helper()
		c.call("web_navigate", in)
		if r := c.call("web_snapshot", nil); !strings.Contains(r.text, want) {
			t.Errorf("%s: the page is not %s: %s", what, want, r.text)
		}
	}
	blank := args{"url": "about:blank"}
	shows("at first", "One", args{"url": "/x"})
	base(two)
	c.call("web_navigate", blank)
	shows("another base URL", "Other", args{"url": "/x"})
	c.call("web_navigate", blank)
	shows("in a token", "Other", args{"url": "{{baseUrl}}/y"})

	const policy = "trails/config/policy.yaml"
	h.Write(policy, "actions: {deny: [web_navigate]}\n")
	refused("a policy that appears", "web_navigate", args{"url": one}, "policy.yaml:1:")
	h.Write(policy, "actions: {alow: [web_navigate]}\n")
	refused("a mistake in the policy", "web_snapshot", nil, "policy.yaml:1:")
	c.call("status", nil)
	if err := os.Remove(filepath.Join(h.Work, filepath.FromSlash(policy))); err != nil {
		t.Fatal(err)
	}
	shows("no policy any more", "One", args{"url": one})

	h.Write("trails/config/trailblaze.yaml", "defaults: [\n")
	refused("a mistake in the settings", "web_snapshot", nil, "trailblaze.yaml")
	fresh := h.connect("--categories", "ALL")
	fresh.call("status", nil)
	tools, err := fresh.s.ListTools(t.Context(), nil)
	if err != nil || len(tools.Tools) < 40 {
		t.Errorf("a client that comes now is listed %d tools (%v)", len(tools.Tools), err)
	}
	base(two)
	c.call("web_navigate", blank)
	shows("mended settings", "Other", args{"url": "/x"})
}
