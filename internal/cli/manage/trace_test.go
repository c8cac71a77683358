package manage

import (
	"fmt"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/trails/report"
	"github.com/trailblaze-dev/trailblaze/screen/text"
)

// TestWhyIsShort: however much is known of a failure, the answer stays in its budget and begins with the cause.
func TestWhyIsShort(t *testing.T) {
	f := &fault.Failure{Kind: fault.NotFound, Message: strings.Repeat("nothing on the screen matches it ", 100),
		Hint: strings.Repeat("Look again. ", 100)}
	var notes []report.Note
	for i := range 50 {
		long := fmt.Sprint(i, strings.Repeat(" ünd so weiter", 60))
		f.Candidates, f.SinceGreen = append(f.Candidates, long), append(f.SinceGreen, long)
		notes = append(notes, report.Note{Level: "warning", Text: long})
	}
	step := report.Step{Index: 2, Outcome: event.Failed, Failure: f, Text: strings.Repeat("Buy ", 300)}
	r := &report.Report{Trails: []report.Trail{{Path: "a.trail.yaml", Attempts: []report.Attempt{
		{Outcome: event.Failed, Steps: []report.Step{{Index: 1, Outcome: event.Passed}, step}, Notes: notes}}}}}
	doc, ok := explained(r, "s1", -1)
	if !ok || doc.Step != 3 || len(doc.Candidates) == 0 {
		t.Fatalf("%v %+v", ok, doc)
	}
	got := doc.text()
	if n := text.Tokens(got); n > whyTokens {
		t.Errorf("%d tokens:\n%s", n, got)
	}
	if !strings.Contains(got, "cause: nothing on the screen") {
		t.Errorf("no cause:\n%s", got)
	}
	if passed, ok := explained(r, "s1", 2); !ok || passed.Cause != "nothing was called" {
		t.Errorf("%v %+v", ok, passed)
	}
	if _, ok := explained(r, "s1", 9); ok {
		t.Error("step 9 is there")
	}
}
