package record_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/trails/record"
	"github.com/trailblaze-dev/trailblaze/internal/trails/replay"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// TestFocusIsSavedAsItWasUsed proves that a press which gave nothing but the focus is saved as `effect: none` only
// where no keyboard input used that, that the save tells of the error in which an action ended, and that the trail
// plays, as does what is recorded of that run.
func TestFocusIsSavedAsItWasUsed(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<!doctype html><title>Board</title>
			<div role=button tabindex=0 aria-label=Piece onkeydown="if(event.key==='Enter')o.textContent='Moved'">P</div>
			<button>Dead</button><button onclick="throw new Error('no basket')">Export</button><p id=o></p>`))
	}))
	defer srv.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	reg, disp, open := opened(t, ctx, "Board", func(*memory.Store) {})
	defer func() { _ = disp.Close(context.WithoutCancel(ctx)) }()
	s, done := open()
	d := &driven{t: t, ctx: ctx, d: disp, s: s}
	d.do("Take the piece", `web_navigate {"url":"`+srv.URL+`"}`, `web_click {"ref":"button \"Piece\""}`)
	d.do("Move it", `web_snapshot {}`, `web_pressKey {"key":"Enter"}`, `web_verifyTextVisible {"text":"Moved"}`)
	d.do("Try the rest", `web_click {"ref":"button \"Dead\""}`, `web_click {"ref":"button \"Export\""}`)
	done()
	log, err := record.Read(s.Dir)
	if err != nil {
		t.Fatal(err)
	}
	made, err := log.Compose(record.Plan{Tools: reg})
	if err != nil {
		t.Fatal(err)
	}
	text, err := record.Preview(made)
	if err != nil {
		t.Fatal(err)
	}
	lean := func(text string) {
		t.Helper()
		if piece, rest, _ := strings.Cut(text, "Try the rest"); strings.Contains(piece, "effect: none") || strings.Count(rest, "effect: none") != 2 {
			t.Errorf("effect: none belongs to Dead and Export alone:\n%s", text)
		}
	}
	lean(text)
	warnings := strings.Join(made.Warnings, "\n")
	for _, want := range []string{"“Dead”: it changed nothing that could be seen, and is saved as `effect: none`",
		"“Export”: it changed nothing that could be seen while the page reported an error (Error: no basket), and is saved as `effect: none`"} {
		if !strings.Contains(warnings, want) {
			t.Errorf("no warning says %q:\n%s", want, warnings)
		}
	}
	again, problems := trail.Parse("board.trail.yaml", []byte(text), trail.Strict)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	s, done = open()
	defer done()
	if out := (&replay.Player{Dispatcher: disp, Registry: reg}).Play(ctx, s, again, replay.Attempt{}); out.Outcome != event.Passed {
		t.Errorf("the trail does not play: %+v", out.Failure)
	}
	played, err := record.OfLog(s.Log)
	if err != nil {
		t.Fatal(err)
	}
	recorded, _ := played.Rerecord(again, record.Plan{Classifier: "web", Tools: reg})
	data, err := trail.Encode(recorded)
	if err != nil {
		t.Fatal(err)
	}
	lean(string(data))
}
