package security

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
)

// post sends one message to the MCP endpoint and gives the status and the message that answers it.
func (h *house) post(body string, header ...string) (status int, session string, answer map[string]json.RawMessage, raw string) {
	h.T.Helper()
	client, host := h.tcp()
	req, err := http.NewRequestWithContext(h.T.Context(), http.MethodPost, "http://"+host+"/mcp", strings.NewReader(body))
	if err != nil {
		h.T.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+h.Boot.Token)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := client.Do(req)
	if err != nil {
		h.T.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		h.T.Fatal(err)
	}
	raw = string(data)
	for line := range strings.Lines(raw) {
		var m map[string]json.RawMessage
		if json.Unmarshal([]byte(strings.TrimPrefix(line, "data: ")), &m) == nil && m["method"] == nil && m["jsonrpc"] != nil {
			answer = m
		}
	}
	return res.StatusCode, res.Header.Get("Mcp-Session-Id"), answer, raw
}

// TestIDsOverHTTP: what TestIDs holds over stdio holds over HTTP, with and without a session.
func TestIDsOverHTTP(t *testing.T) {
	h := newHouse(t)
	h.Start()
	status, session, answer, raw := h.post(`{"jsonrpc":"2.0","id":"0.5","method":"initialize",` +
		`"params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"ids","version":"1"}}}`)
	if status != 200 || session == "" || string(answer["id"]) != `"0.5"` || answer["result"] == nil {
		t.Fatalf("initialize: %d %.300s", status, raw)
	}
	const meta = `{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientInfo":{"name":"ids","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}`
	for _, era := range []struct {
		name, method, params string
		header               []string
	}{
		{"session", "tools/list", `{}`, []string{"Mcp-Session-Id", session, "Mcp-Protocol-Version", "2025-11-25"}},
		{"no session", "tools/list", meta, []string{"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/list"}},
	} {
		for _, id := range []string{"1", "-7", "1000", "999999999999999", `"1.5"`, `"a b"`} {
			status, _, answer, raw := h.post(`{"jsonrpc":"2.0","id":`+id+`,"method":"`+era.method+`","params":`+era.params+`}`, era.header...)
			if status != 200 || string(answer["id"]) != id || answer["result"] == nil {
				t.Errorf("%s, id %s: %d %.300s", era.name, id, status, raw)
			}
		}
		for _, id := range []string{"{}", "[1]", "true", "null", "1.5", "9007199254740993", "-0", "1e3", "123456789012345678901234567890", "1e-400"} {
			status, _, answer, raw := h.post(`{"jsonrpc":"2.0","id":`+id+`,"method":"`+era.method+`","params":`+era.params+`}`, era.header...)
			if status != 400 || string(answer["id"]) != "null" || answer["error"] == nil {
				t.Errorf("%s, id %s: %d %.300s", era.name, id, status, raw)
			}
		}
		for name, body := range map[string]string{
			"too large": `{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"x":"` + strings.Repeat("x", 9<<20) + `"}}`,
			"no JSON":   `{"jsonrpc":"2.0","id":7`, "a number": "7", "nothing": "", "another protocol": `{"id":7,"method":"tools/list"}`,
		} {
			if status, _, answer, raw := h.post(body, era.header...); status/100 != 4 || answer["error"] == nil {
				t.Errorf("%s, %s: %d %.300s", era.name, name, status, raw)
			}
		}
	}
	status, _, _, raw = h.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1.5}}`, "Mcp-Session-Id", session)
	if status != 400 {
		t.Errorf("a cancellation: %d %s", status, raw)
	}
}
