package run

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/internal/trails/repair"
	"github.com/trailblaze-dev/trailblaze/internal/trails/replay"
)

// runDoc is the output of run with --json.
type runDoc struct {
	Schema     string         `json:"schema"`
	ID         string         `json:"id"`
	Outcome    event.Outcome  `json:"outcome"`
	ExitCode   int            `json:"exitCode"`
	Totals     map[string]int `json:"totals"`
	DurationMS int64          `json:"durationMs"`
	Price      *event.Price   `json:"price,omitempty"` // of the questions to a model
	Trails     []runTrailDoc  `json:"trails"`
	Report     string         `json:"report,omitempty"` // the HTML page
	JSON       string         `json:"json,omitempty"`
	JUnit      string         `json:"junit,omitempty"`
	CTRF       string         `json:"ctrf,omitempty"`
	Markdown   string         `json:"markdown,omitempty"`
	Storyboard string         `json:"storyboard,omitempty"`
	Recording  string         `json:"recording,omitempty"`
	Heals      string         `json:"heals,omitempty"` // the proposed repairs, as a difference
	Notes      []string       `json:"notes,omitempty"`
}

type runTrailDoc struct {
	Path       string         `json:"path"`
	Title      string         `json:"title"`
	Repeat     int            `json:"repeat,omitempty"`
	Device     string         `json:"device,omitempty"`
	Outcome    event.Outcome  `json:"outcome"`
	Reason     string         `json:"reason,omitempty"`
	Attempts   int            `json:"attempts"`
	Sessions   []string       `json:"sessions,omitempty"`
	Steps      int            `json:"steps"`
	Calls      int            `json:"calls"`
	DurationMS int64          `json:"durationMs"`
	Failure    *fault.Failure `json:"failure,omitempty"`
	FailedStep *runStepDoc    `json:"failedStep,omitempty"`
	Price      *event.Price   `json:"price,omitempty"`      // of all attempts
	AskedSteps []runStepDoc   `json:"askedSteps,omitempty"` // those for which a model was asked, of all attempts
	Heals      []event.Heal   `json:"heals,omitempty"`
	Notes      []string       `json:"notes,omitempty"` // warnings of the last attempt
}

// runStepDoc says where in its file a trail did not pass, or a model was asked.
type runStepDoc struct {
	Index    int           `json:"index"` // from 0; -1 is the trailhead
	Kind     string        `json:"kind"`
	Text     string        `json:"text,omitempty"`
	Line     int           `json:"line,omitempty"`
	Call     string        `json:"call,omitempty"` // the tool that did not pass
	CallLine int           `json:"callLine,omitempty"`
	Attempt  int           `json:"attempt,omitempty"`
	Outcome  event.Outcome `json:"outcome,omitempty"`
	Price    *event.Price  `json:"price,omitempty"`
}

func stepDoc(s *replay.StepOutcome, attempt int) runStepDoc {
	return runStepDoc{Index: s.Index, Kind: string(s.Kind), Text: s.Text, Line: s.Line, Call: s.Call, CallLine: s.CallLine,
		Attempt: attempt, Outcome: s.Outcome, Price: s.Price}
}

// asked adds what the steps of an attempt took of a model.
func (t *runTrailDoc) asked(a *replay.Outcome, attempt int) {
	for i := range a.Steps {
		if s := &a.Steps[i]; s.Price != nil {
			t.Price, t.AskedSteps = t.Price.Plus(s.Price), append(t.AskedSteps, stepDoc(s, attempt))
		}
	}
}

// gravity orders outcomes; that of a run is the gravest of its trails.
var gravity = []event.Outcome{event.Skipped, event.Passed, event.Flaky, event.Healed, event.Failed, event.Undecided,
	event.Canceled, event.Broken}

// summarise adds the outcomes of the trails to a document, which has the outcome of saving already.
func (c *runCmd) summarise(doc *runDoc, results []replay.JobResult, took time.Duration) {
	doc.Schema, doc.ID, doc.Outcome = "trailblaze.run/1", c.id, event.Skipped
	doc.Totals, doc.DurationMS = map[string]int{"trails": len(results)}, took.Milliseconds()
	exit := shell.Code(doc.ExitCode)
	for _, r := range results {
		last := r.Last().Result
		t := runTrailDoc{
			Path: r.Job.Path, Title: jobTitle(r.Job), Repeat: r.Job.Repeat, Device: r.Job.Device.ID,
			Outcome: r.Outcome, Reason: last.Reason, Attempts: len(r.Attempts), Steps: len(last.Steps),
			Calls: last.Calls, DurationMS: r.Duration.Milliseconds(), Failure: last.Failure, Notes: last.Notes,
			Heals: last.Heals,
		}
		if f := last.Failed; f != nil {
			failed := stepDoc(f, len(r.Attempts))
			t.FailedStep = &failed
		}
		for i, a := range r.Attempts {
			t.asked(a.Result, i+1)
			if a.SessionID != "" {
				t.Sessions = append(t.Sessions, a.SessionID)
			}
		}
		doc.Price = doc.Price.Plus(t.Price)
		doc.Trails = append(doc.Trails, t)
		doc.Totals[string(r.Outcome)]++
		if slices.Index(gravity, r.Outcome) > slices.Index(gravity, doc.Outcome) {
			doc.Outcome = r.Outcome
		}
		exit = shell.Worst(exit, shell.CodeOfOutcome(r.Outcome, last.Failure))
	}
	doc.ExitCode = int(exit)
}

// writeRecording writes what ran. An existing file keeps its comments and everything the recording does not replace.
func (c *runCmd) writeRecording(room repair.Room, r replay.JobResult, doc *runDoc) {
	note := func(format string, args ...any) { doc.Notes = append(doc.Notes, fmt.Sprintf(format, args...)) }
	failed := func(err error) {
		note("the recording could not be written: %v", err)
		doc.ExitCode = int(shell.Worst(shell.Code(doc.ExitCode), shell.CodeOf(err)))
	}
	if r.Outcome != event.Passed {
		note("nothing was recorded: the trail did not pass")
		return
	}
	data, notes, err := room.Record(r.Job.Trail, c.played, c.record)
	doc.Notes = append(doc.Notes, notes...)
	if err == nil {
		err = writeFile(c.record, data)
	}
	if err != nil {
		failed(err)
		return
	}
	doc.Recording = c.record
}

// conclude says how the run ended and returns its exit status.
func (c *runCmd) conclude(ctx context.Context, doc runDoc, results []replay.JobResult, took time.Duration) error {
	c.summarise(&doc, results, took)
	if ctx.Err() != nil {
		doc.Notes = append(doc.Notes, "the run was interrupted")
	}
	if c.JSON {
		if err := c.PrintJSON(doc); err != nil {
			return err
		}
		return shell.Exit(shell.Code(doc.ExitCode))
	}
	if c.perDevice && len(c.devices) > 1 {
		c.Printf("\n%s", matrix(c.devices, results))
	}
	st := c.Style()
	if len(doc.Trails) > 1 || doc.ExitCode != 0 {
		c.Printf("\n")
	}
	c.Printf("%s in %s\n", st.Totals(doc.Totals), shell.ShortDuration(time.Duration(doc.DurationMS)*time.Millisecond))
	if doc.Price != nil {
		c.Printf("%s %s\n", st.Dim("model:"), doc.Price)
	}
	for _, n := range doc.Notes {
		c.Printf("%s %s\n", st.Warn("note:"), n)
	}
	printFiles(c.Shell, [][2]string{{"recording", doc.Recording}, {"repairs", doc.Heals}, {"junit", doc.JUnit},
		{"ctrf", doc.CTRF}, {"markdown", doc.Markdown}, {"storyboard", doc.Storyboard}, {"report", doc.Report}})
	shell.Control(c.Out, "%s", c.annotations)
	return shell.Exit(shell.Code(doc.ExitCode))
}

// printFiles prints the label and the path of each file that was written.
func printFiles(a *shell.Shell, files [][2]string) {
	for _, f := range files {
		if f[1] != "" {
			a.Printf("%s %s\n", a.Style().Dim(f[0]+":"), f[1])
		}
	}
}
