package e2e

import (
	"os"
	"path/filepath"
	"strings"
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

// TestAgentOnActors: a description names two, and the agent acts for each on a device of its own. What it did is recorded
// as the steps of that actor, and replays without a model. A renamed button heals on the device of its actor: relocation
// declines, the model is asked with that actor's screen, and where it names none, the agent does what is left. The
// proposal changes the step of that actor alone.
func TestAgentOnActors(t *testing.T) {
	t.Parallel()
	site := housetest.Rooms(t)
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

	head, back, _ := strings.Cut(recorded, "- step: Write back")
	renamed := head + "- step: Write back" + strings.ReplaceAll(strings.ReplaceAll(back, "Send", "Ab die Post"), "- web_click:\n", "- web_click:\n            timeoutMs: 1500\n")
	heal := func(name string, policy func(llmtest.Question) llmtest.Turn, changes string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(renamed), 0o600); err != nil {
			t.Fatal(err)
		}
		s.shell("trailblaze run trails/chat.trail.yaml --heal --llm none --no-report", 1)
		asked := len(model.Asked())
		model.Answer(policy)
		s.shell("trailblaze run trails/chat.trail.yaml --heal --report-dir "+name, 4)
		for _, q := range model.Asked()[asked:] {
			if !q.Has("Alice: Hello Bob") || !q.Has("Hello Alice") {
				t.Errorf("%s: the model is shown another device than that of bob:\n%s", name, q.Text())
			}
		}
		diff, err := os.ReadFile(filepath.Join(s.work, name, "heals.diff"))
		if err != nil || !strings.Contains(string(diff), changes) || strings.Contains(string(diff), "on: alice") {
			t.Errorf("%s proposes %s %v", name, diff, err)
		}
		s.shell("trailblaze heal apply "+name, 0)
		s.shell("trailblaze run trails/chat.trail.yaml --llm none", 0)
	}
	heal("found", func(q llmtest.Question) llmtest.Turn {
		return llmtest.Call("objectiveStatus", args{"status": "COMPLETED", "explanation": "It sends.", "answer": q.Ref("button", "Send")})
	}, "+                ariaNameRegex: Send")
	heal("redone", redoes(func(q llmtest.Question, screen string) llmtest.Turn {
		if !strings.Contains(screen, "Bob: Hello Alice") {
			return press("button", "Send")(q)
		}
		return says("COMPLETED", "none")(q)
	}), "Send")
}
