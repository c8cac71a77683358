package faults

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A session whose log is damaged is shown as such, and hides no other.
func TestDamagedSession(t *testing.T) {
	h := newHouse(t)
	good := `{"seq":1,"time":"2026-01-02T03:04:05Z","type":"session_started","session":{"id":"ID","title":"good","device":"web"}}
{"seq":2,"time":"2026-01-02T03:04:06Z","type":"tool_call","call":{"id":"a","caller":"cli","role":"top","name":"web_click"}}
{"seq":3,"time":"2026-01-02T03:04:07Z","type":"session_ended","session":{"id":"ID","outcome":"passed"}}
`
	sessions := filepath.Join(h.Dir, "sessions")
	write := func(id, text string) {
		t.Helper()
		path := filepath.Join(sessions, id, "events.ndjson")
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.ReplaceAll(text, "ID", id)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ids := map[string]string{
		"2026_01_02_03_04_05_web_1": "",
		"2026_01_02_03_04_05_web_2": strings.Replace(good, `"seq":3`, `"seq":9223372036854775808`, 1),
		"2026_01_02_03_04_05_web_3": strings.Replace(good, `"seq":2`, `"seq":18446744073709551615`, 1),
		"2026_01_02_03_04_05_web_4": "\x00\x01 nothing\n",
		"2026_01_02_03_04_05_web_6": good,
	}
	for id, text := range ids {
		if text != "" {
			write(id, text)
		}
	}
	if err := os.MkdirAll(filepath.Join(sessions, "2026_01_02_03_04_05_web_1", "events.ndjson"), 0o700); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time from what the index keeps
		out, code := h.run("session", "list")
		if code != 0 {
			t.Fatal(out)
		}
		for id, text := range ids {
			_, line, _ := strings.Cut(out, id)
			line = id + line[:max(0, strings.IndexByte(line, '\n'))]
			if !strings.Contains(out, id) || strings.Contains(line, "damaged") != (text != good) {
				t.Errorf("%s is listed as %q", id, line)
			}
		}
	}
	h.Start()
	h.must("session", map[string]any{"action": "LIST", "limit": 20}, "web_6", "web_1", "damaged")
}

// Why a daemon does not start stands in its log.
func TestStartFailureIsLogged(t *testing.T) {
	h := newHouse(t)
	h.Start()
	if out, code := h.run("daemon", "stop"); code != 0 {
		t.Fatal(out)
	}
	if err := os.MkdirAll(filepath.Join(h.Boot.Socket, "in the way"), 0o700); err != nil {
		t.Fatal(err)
	}
	if out, code := h.run("daemon", "start"); code == 0 {
		t.Fatalf("it started: %s", out)
	}
	if log := h.log(); !strings.Contains(log, "did not start") || !strings.Contains(log, "daemon.sock") {
		t.Errorf("the log says: %s", log)
	}
}
