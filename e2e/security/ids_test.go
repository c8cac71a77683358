package security

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// TestIDs: a request over stdio is answered with the id it came with; one without a usable id, and a
// line over the bound, get an error answer; and the client stays connected.
func TestIDs(t *testing.T) {
	h := newHouse(t)
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, "mcp")
	cmd.Env, cmd.Dir = h.Env, h.Work
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = in.Close(); _ = cmd.Wait() }()
	out := bufio.NewReaderSize(pipe, 1<<20)
	answer := func() (id, all string) {
		t.Helper()
		for {
			line, err := out.ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			var m map[string]json.RawMessage
			if err := json.Unmarshal([]byte(line), &m); err != nil {
				t.Fatalf("%v: %.200s", err, line)
			}
			if m["method"] == nil {
				return string(m["id"]), line
			}
		}
	}
	say := func(line string) {
		t.Helper()
		if _, err := io.WriteString(in, line+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	say(`{"jsonrpc":"2.0","id":"0.5","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"ids","version":"1"}}}`)
	if id, all := answer(); id != `"0.5"` || !strings.Contains(all, "serverInfo") {
		t.Fatalf("initialize: %.300s", all)
	}
	say(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	for _, id := range []string{"1", "-7", "1000", "999999999999999", `"1.5"`, `"a b"`} {
		say(`{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}`)
		if got, all := answer(); got != id || !strings.Contains(all, `"result"`) {
			t.Errorf("id %s: %.300s", id, all)
		}
	}
	for _, id := range []string{"{}", "[1]", "true", "null", "1.5", "9007199254740993", "-0", "1e3", "123456789012345678901234567890", "1e-400"} {
		say(`{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}`)
		if got, all := answer(); got != "null" || !strings.Contains(all, `"error"`) {
			t.Errorf("id %s: %.300s", id, all)
		}
	}
	say(`{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":"` + strings.Repeat("x", 65<<20) + `"}}`)
	if got, all := answer(); got != "null" || !strings.Contains(all, "64 MB") {
		t.Errorf("a line of 65 MB: %s %.300s", got, all)
	}
	say(`{"jsonrpc":"2.0","id":"still","method":"ping"}`)
	if got, all := answer(); got != `"still"` {
		t.Errorf("afterwards: %.300s", all)
	}
}
