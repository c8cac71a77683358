package e2e

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
)

// gateTool asks the test's server, which lets a call go on or holds it up.
const gateTool = `import { trailblaze } from "@trailblaze/scripting";
export const acme_gate = trailblaze.tool<{ url: string }>({ supportedPlatforms: ["web"], kind: "query", hosts: ["127.0.0.1"] },
  async ({ url }) => (await fetch(url)).text());
`

// A replay that is killed between any two of its calls leaves a log that can be read to its last line and tells every call
// that was made, and no other. The trail stays as it is, the session ends as canceled in a report, and the next run plays
// all of it.
func TestReplayKilledBetweenCalls(t *testing.T) {
	t.Parallel()
	var gates, held atomic.Int32
	at := make(chan struct{}, 1)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/gate" {
			_, _ = fmt.Fprint(w, `<!doctype html><title>Form</title><label>Name <input></label><button onclick="p.textContent = 'Hello'">Greet</button><p id="p"></p>`)
			return
		}
		if gates.Add(1) == held.Load() {
			at <- struct{}{}
			<-r.Context().Done()
		}
	}))
	t.Cleanup(srv.Close)
	s := newSitting(t)
	tools := filepath.Join(s.work, "trails", "config", "tools")
	file := filepath.Join(s.work, "trails", "greet.trail.yaml")
	gate := `          - acme_gate: { url: "` + srv.URL + `/gate" }` + "\n"
	calls := []string{`web_navigate: { url: "` + srv.URL + `/" }`, `web_type: { nodeSelector: { web: { ariaRole: textbox } }, text: Ada }`,
		`web_click: { nodeSelector: { web: { ariaRole: button, ariaNameRegex: Greet } } }`, `remember: { variable: said, regex: Hel+o }`,
		`web_verifyTextVisible: { text: "{{memory.said}}" }`}
	trail := "config: { id: greet }\ntrail:\n"
	for i, c := range calls {
		kind := "step"
		if strings.HasPrefix(c, "web_verify") {
			kind = "verify"
		}
		trail += fmt.Sprintf("  - %s: Call %d\n    recording:\n      web:\n", kind, i+1) + gate[2:] + "        - " + c + "\n"
	}
	for _, err := range []error{os.MkdirAll(tools, 0o700), os.WriteFile(filepath.Join(tools, "acme_gate.ts"), []byte(gateTool), 0o600),
		os.WriteFile(file, []byte(trail), 0o600)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	sessions := filepath.Join(filepath.Dir(s.work), "home", "sessions")
	known := map[string]bool{}
	for n := 1; n <= len(calls); n++ {
		gates.Store(0)
		held.Store(int32(n))
		cmd := exec.CommandContext(waittest.Context(t), binary, "run", "trails/greet.trail.yaml")
		cmd.Env, cmd.Dir = append(slices.Clone(s.env), "TRAILBLAZE_TRUST=1"), s.work
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		waittest.Await(t, at, fmt.Sprintf("the run reaches gate %d", n))
		_ = cmd.Process.Kill()
		_ = waittest.Ended(t, cmd.Wait, "the killed run ends")
		dir := fresh(t, sessions, known)
		raw, err := os.ReadFile(filepath.Join(dir, event.File))
		if err != nil || !strings.HasSuffix(string(raw), "\n") {
			t.Errorf("killed before call %d, the log ends in the middle of a line: %v", n, err)
		}
		made, ended := 0, 0
		for e, err := range event.Read(dir) {
			switch {
			case err != nil:
				t.Errorf("killed before call %d: %v", n, err)
			case e.Type == event.ToolCall && e.Call.Name != "acme_gate":
				if made++; e.Call.IsError || !strings.HasPrefix(calls[made-1], e.Call.Name) {
					t.Errorf("killed before call %d, call %d is %s, failed: %t", n, made, e.Call.Name, e.Call.IsError)
				}
			case e.Type == event.StepEnded:
				ended++
			case e.Type == event.TrailEnded, e.Type == event.SessionEnded:
				t.Errorf("killed before call %d, the log says that it ended", n)
			}
		}
		if made != n-1 || ended != n-1 {
			t.Errorf("killed before call %d, the log has %d calls and %d steps", n, made, ended)
		}
		s.shell("trailblaze report "+filepath.Base(dir), 0)
	}
	held.Store(0)
	s.shell("trailblaze run trails/greet.trail.yaml --trust", 0)
	if now, err := os.ReadFile(file); err != nil || string(now) != trail {
		t.Errorf("the trail is %q, %v", now, err)
	}
}

// fresh is the session that is not known yet.
func fresh(t *testing.T, sessions string, known map[string]bool) string {
	t.Helper()
	dirs, err := filepath.Glob(filepath.Join(sessions, "*", event.File))
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range dirs {
		if d = filepath.Dir(d); !known[d] {
			known[d] = true
			return d
		}
	}
	t.Fatalf("no new session among %v", dirs)
	return ""
}
