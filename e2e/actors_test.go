package e2e

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/trailblaze-dev/trailblaze/e2e/housetest"
	"github.com/trailblaze-dev/trailblaze/internal/agent/llm/llmtest"
)

// writers plays a conversation of two, each on a device of its own.
func writers(site string) func(llmtest.Question) llmtest.Turn {
	return func(q llmtest.Question) llmtest.Turn {
		text, screen := q.Text(), q.Screen()
		on := func(objective string) bool { return strings.Contains(text, "Objective: "+objective) }
		switch {
		case q.ForJudge():
			return llmtest.Agree(q)
		case strings.Contains(text, "Description:"):
			return llmtest.Call("writeTrail", args{"title": "Write to each other", "steps": []args{
				{"on": "alice", "kind": "step", "text": "Open a room, and remember its code as code"},
				{"on": "bob", "kind": "step", "text": "Enter the room {{alice.code}}"},
				{"on": "alice", "kind": "step", "text": "Write hello"},
				{"on": "bob", "kind": "verify", "text": "Hello is there"},
				{"on": "bob", "kind": "step", "text": "Write back"},
				{"on": "alice", "kind": "verify", "text": "The answer is there"}}})
		case on("Open a room") && !strings.Contains(screen, "R-"):
			return makes("web_navigate", args{"url": site + "/open?by=Alice"})(q)
		case on("Open a room") && !strings.Contains(text, "2. remember"):
			return makes("remember", args{"variable": "code", "text": "R-", "regex": "R-[0-9]+"})(q)
		case on("Enter the room") && !strings.Contains(screen, "Message"):
			return makes("web_navigate", args{"url": site + "/room/{{alice.code}}?by=Bob"})(q)
		case on("Write hello") && !strings.Contains(text, "1. web_type"):
			return types("Message", "Hello Bob")(q)
		case on("Write hello") && !strings.Contains(screen, "Alice: Hello Bob"):
			return press("button", "Send")(q)
		case on("Hello is there") && !strings.Contains(text, "1. web_verify"):
			return sees("Alice: Hello Bob")(q)
		case on("Write back") && !strings.Contains(text, "1. web_type"):
			return types("Message", "Hello Alice")(q)
		case on("Write back") && !strings.Contains(screen, "Bob: Hello Alice"):
			return press("button", "Send")(q)
		case on("The answer is there") && !strings.Contains(text, "1. web_verify"):
			return sees("Bob: Hello Alice")(q)
		}
		return says("COMPLETED", "none")(q)
	}
}

// changeable serves a site with one change in the pages of an address that has these words.
func changeable(t *testing.T, site string) (address string, change func(on, from, to string)) {
	t.Helper()
	var changed atomic.Pointer[[3]string]
	to, err := url.Parse(site)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(to)
	proxy.ModifyResponse = func(r *http.Response) error {
		c := changed.Load()
		if c == nil || !strings.Contains(r.Request.URL.RawQuery, c[0]) || !strings.HasPrefix(r.Header.Get("Content-Type"), "text/html") {
			return nil
		}
		page, err := io.ReadAll(r.Body)
		page = bytes.ReplaceAll(page, []byte(c[1]), []byte(c[2]))
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(page)), int64(len(page))
		r.Header.Set("Content-Length", strconv.Itoa(len(page)))
		return err
	}
	srv := httptest.NewServer(proxy)
	t.Cleanup(srv.Close)
	t.Cleanup(srv.CloseClientConnections)
	return srv.URL, func(on, from, to string) { changed.Store(&[3]string{on, from, to}) }
}

// TestAgentOnActors: a description names two, and the agent acts for each on a device of its own. What it did is recorded
// as the steps of that actor, and replays without a model. A button that changed heals on the device of its actor, by
// relocation, and where that declines, by the agent, with that actor's screen; the check of another actor counts as one
// after it. The proposal changes the step of that actor alone.
func TestAgentOnActors(t *testing.T) {
	agentForm(t)
	t.Parallel()
	site, change := changeable(t, housetest.Rooms(t))
	s, model := newModelSitting(t)
	model.Answer(writers(site))
	file := filepath.Join(s.work, "trails", "chat.trail.yaml")
	read := func() string {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	s.shell("trailblaze run trails/chat.trail.yaml --actor alice=web --actor bob=web --description "+
		"'Alice opens a room and remembers its code as code. Bob enters the room {{alice.code}}. Both write.'", 0)
	recorded := read()
	if strings.Count(recorded, "fingerprint") < 4 || !strings.Contains(recorded, "/room/{{alice.code}}?by=Bob") || strings.Contains(recorded, "R-1") {
		t.Errorf("recorded is\n%s", recorded)
	}
	for _, q := range model.Asked() {
		if q.Has("Objective: Write back") && (!q.Has("alice, on another device: Write hello") || q.Has("bob, on another device")) {
			t.Errorf("the agent reads of the steps before\n%s", q.Text())
		}
	}
	s.shell("trailblaze run trails/chat.trail.yaml --llm none", 0)

	head, back, _ := strings.Cut(recorded, "- step: Write back") // what is gone is not waited for so long
	recorded = head + "- step: Write back" + strings.ReplaceAll(back, "- web_click:\n", "- web_click:\n            timeoutMs: 1500\n")
	heal := func(folder, button, name, flags string) {
		t.Helper()
		change("by=Bob", "<button>Send</button>", button)
		if err := os.WriteFile(file, []byte(recorded), 0o600); err != nil {
			t.Fatal(err)
		}
		s.shell("trailblaze run trails/chat.trail.yaml --heal --report-dir "+folder+flags, 4)
		diff, err := os.ReadFile(filepath.Join(s.work, folder, "heals.diff"))
		if err != nil || !strings.Contains(string(diff), "ariaNameRegex: "+name) {
			t.Errorf("%s proposes %s %v", folder, diff, err)
		}
		s.shell("trailblaze heal apply "+folder, 0)
		now := read()
		if _, tail, _ := strings.Cut(recorded, "- verify: The answer is there"); !strings.HasPrefix(now, head) || !strings.HasSuffix(now, tail) {
			t.Errorf("%s changed another step than that of bob:\n%s", folder, now)
		}
		s.shell("trailblaze run trails/chat.trail.yaml --llm none", 0)
	}
	heal("moved", "<button>Send now</button>", "Send now", " --llm none")
	asked := len(model.Asked())
	model.Answer(redoes(func(q llmtest.Question, screen string) llmtest.Turn {
		if !strings.Contains(screen, "Bob: Hello Alice") {
			if strings.Contains(screen, "Yes, send") {
				return press("button", "Yes, send")(q)
			}
			return press("button", "Continue")(q)
		}
		return says("COMPLETED", "none")(q)
	}))
	heal("redone", `<button type=button onclick="this.nextSibling.showModal()">Continue</button><dialog><button onclick="this.parentNode.close()">Yes, send`+
		`</button></dialog>`, "Yes, send", "")
	for _, q := range model.Asked()[asked:] {
		if !strings.Contains(q.Screen(), "Continue") && !strings.Contains(q.Screen(), "Yes, send") {
			t.Errorf("the model is shown another device than that of bob:\n%s", q.Text())
		}
	}
}
