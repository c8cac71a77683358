package mcpserver

import (
	"bufio"
	"encoding/json"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/hubtest"
)

// TestLines: lines that are no messages are answered and cost nothing else, and ids come back to the letter.
func TestLines(t *testing.T) {
	r := newRig(t, hubtest.Options{}, func(o *Options) { o.MaxBody = 1 << 12 })
	conn, theirs := net.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = r.mcp.ServeConn(r.mcp.life, theirs, r.Client("mcp", "").ID())
	}()
	t.Cleanup(func() {
		_ = conn.Close()
		waittest.Await(t, done, "the connection ends")
	})
	if err := conn.SetDeadline(time.Now().Add(timeout)); err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReader(conn)
	ask := func(line string) map[string]json.RawMessage {
		t.Helper()
		if _, err := conn.Write([]byte(line + "\n")); err != nil {
			t.Fatal(err)
		}
		got, err := in.ReadBytes('\n')
		if err != nil {
			t.Fatal(err)
		}
		var m map[string]json.RawMessage
		if err := json.Unmarshal(got, &m); err != nil {
			t.Fatalf("%s is no JSON: %v", got, err)
		}
		return m
	}
	if m := ask(initialize); m["result"] == nil {
		t.Fatalf("initialize: %v", m)
	}
	for _, bad := range []string{"Debugger attached.", `{"jsonrpc":`, `{"id":1}`, "[1,", `"x"`, `[]`,
		`{"jsonrpc":"2.0","id":{},"method":"ping"}`, `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, `{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":1e3,"method":"ping"}`, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1.5}}`, strings.Repeat("y", 1<<13)} {
		if m := ask(bad); m["error"] == nil || string(m["id"]) != "null" {
			t.Errorf("%.20q: %s", bad, m)
		}
	}
	for _, id := range []string{`"p"`, "1", "-1", "999999999999999"} {
		m := ask("\r\n" + `{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}`)
		if string(m["id"]) != id || m["result"] == nil {
			t.Errorf("ping as %s: %s", id, m)
		}
	}
	if m := ask(`[{"jsonrpc":"2.0","id":7,"method":"ping"}]`); string(m["id"]) != "7" {
		t.Errorf("a list: %s", m)
	}
}
