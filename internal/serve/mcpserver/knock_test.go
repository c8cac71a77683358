package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/serve/api"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/hubtest"
)

// Anything may knock: nothing takes the server down, everything is answered in the protocol's form.
func TestKnocks(t *testing.T) {
	r := newRig(t, hubtest.Options{}, func(o *Options) { o.MaxBody = 1 << 16 })
	for _, k := range []struct {
		name, body string
		status     int
		header     []string
	}{
		{"bad JSON", `{"jsonrpc":`, 400, nil},
		{"empty", ``, 400, nil},
		{"a number", `5`, 400, nil},
		{"null", `null`, 400, nil},
		{"a batch", `[` + initialize + `]`, 400, nil},
		{"not 2.0", `{"id":1,"method":"initialize"}`, 400, nil},
		{"a method that is a number", `{"jsonrpc":"2.0","id":1,"method":7}`, 400, nil},
		{"params that are a list", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[]}`, 400, nil},
		{"no session", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, 400, nil},
		{"huge", `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", 1<<17) + `"}`, 413, nil},
		{"text", initialize, 415, []string{"Content-Type", "text/plain"}},
		{"a form", initialize, 415, []string{"Content-Type", "application/x-www-form-urlencoded"}},
		{"an unheard-of version", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, 400, []string{headerVersion, "2099-01-01"}},
	} {
		status, header, body := r.post(k.body, k.header...)
		if status != k.status {
			t.Errorf("%s: %d, want %d: %s", k.name, status, k.status, body)
		}
		if strings.HasPrefix(header.Get("Content-Type"), "application/json") && !json.Valid([]byte(body)) {
			t.Errorf("%s: the answer is not JSON: %s", k.name, body)
		}
	}
	for _, method := range []string{"PUT", "PATCH", "OPTIONS", "GET", "DELETE"} {
		if status, _, _ := r.send(method, ""); status < 400 || status >= 500 {
			t.Errorf("%s without a session: %d", method, status)
		}
	}
	if status, _, _ := r.post(initialize); status != http.StatusOK {
		t.Errorf("a decent client afterwards: %d", status)
	}
}

// FuzzPost sends anything to the endpoint: whatever comes is answered, in the protocol's form.
func FuzzPost(f *testing.F) {
	for _, s := range []string{initialize, `{`, `[]`, `{"jsonrpc":"2.0","id":1,"method":"server/discover"}`,
		`{"jsonrpc":"2.0","id":{}` +
			`,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"trailblaze://sessions/..",` +
			`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`} {
		f.Add([]byte(s), "application/json", "")
		f.Add([]byte(s), "application/json", "2026-07-28")
	}
	f.Add([]byte(initialize), "text/plain", "2025-11-25")
	h := hubtest.New(f, hubtest.Options{Bare: true})
	agents := api.NewAgents(api.AgentOptions{Hub: h.Hub, Sessions: h.Home})
	m := New(Options{Daemon: agents, Workspace: h.Workspace, MaxBody: 1 << 16})
	f.Cleanup(func() { _ = m.Close(context.Background()) })
	f.Fuzz(func(t *testing.T, body []byte, media, version string) {
		ctx, cancel := context.WithTimeout(t.Context(), timeout)
		defer cancel()
		req := httptest.NewRequestWithContext(ctx, http.MethodPost, "/mcp", bytes.NewReader(body))
		req.Header.Set("Content-Type", media)
		req.Header.Set("Accept", "application/json, text/event-stream")
		if version != "" {
			req.Header.Set(headerVersion, version)
		}
		w := httptest.NewRecorder()
		m.ServeHTTP(w, req)
		if w.Code >= 500 || w.Code < 200 {
			t.Errorf("%q (%s, %s): %d %s", body, media, version, w.Code, w.Body)
		}
		if strings.HasPrefix(w.Header().Get("Content-Type"), "application/json") && w.Body.Len() > 0 && !json.Valid(w.Body.Bytes()) {
			t.Errorf("%q: the answer is not JSON: %s", body, w.Body)
		}
	})
}

func FuzzMessage(f *testing.F) {
	for _, s := range []string{initialize,
		`{"jsonrpc":"2.0","method":"tools/call","params":{"arguments":{"trailblazeSessionId":"tb_x"},"_meta":{"trailblaze":5}}}`,
		`{"jsonrpc":"2.0","params":[]}`, `[]`, `{"jsonrpc":"2.0","params":{"_meta":{"io.modelcontextprotocol/clientInfo":[]}}}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		m := new(message)
		if !m.read(body) {
			return
		}
		_, _, _ = m.stateless(), m.client(), m.clientID()
	})
}
