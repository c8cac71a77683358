package record

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// FuzzTranscript proves that whatever a log holds, a trail made of it is one that reads back: logs come from other
// versions, and from disks that lied.
func FuzzTranscript(f *testing.F) {
	dir := f.TempDir()
	log, err := event.Create(dir)
	if err != nil {
		f.Fatal(err)
	}
	b := &book{t: &testing.T{}, log: log, step: event.NoStep}
	b.put(event.Event{Type: event.SessionStarted, Session: &event.Session{ID: "s", Title: "A\nlamp: # 1", Platform: "web", Driver: "X"}})
	b.intent("Fill: in").act("web_type", `{"text":"{{a}} ${b} {{args.c}}","nodeSelector":{"web":{"nthIndex":1}}}`, target("textbox", "\u2028 'x'")).intent("").
		act("web_click", `{"ref":"e1"}`).check("- yes").call("query", "takeSnapshot", `{"screenName":"s"}`)
	if err := log.Close(); err != nil {
		f.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, event.File))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte(`{"type":"tool_call","call":{"name":"","recorded":{"name":"a b","args":[1]},"role":"top","step":3}}` + "\n"))
	f.Add([]byte(`{"type":"step_started","step":{"index":-7,"text":"\u0000"}}` + "\n" +
		`{"type":"tool_call","call":{"name":"x","recorded":{"name":"x"},"step":-7}}` + "\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		tr, err := Of(event.Decode(bytes.NewReader(data)))
		if err != nil {
			return
		}
		c, err := tr.Compose(Plan{Title: "x"})
		if err != nil {
			return
		}
		text, err := Preview(c)
		if err != nil {
			return // refused in time: nothing is written
		}
		back, problems := trail.Parse("x.trail.yaml", []byte(text), trail.Strict)
		if err := problems.Err(); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if len(back.Steps) != c.Steps {
			t.Fatalf("%d steps became %d:\n%s", c.Steps, len(back.Steps), text)
		}
	})
}
