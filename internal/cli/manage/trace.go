package manage

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/internal/ground/config"
	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
	"github.com/trailblaze-dev/trailblaze/internal/trails/report"
	"github.com/trailblaze-dev/trailblaze/screen/text"
)

// traceCmd are the options of trace why.
type traceCmd struct {
	*shell.Shell
	cfg     *config.Config
	session string
}

// whyDoc explains a step.
type whyDoc struct {
	Schema     string        `json:"schema"` // trailblaze.why/1
	Session    string        `json:"session"`
	Trail      string        `json:"trail,omitempty"`
	Step       int           `json:"step"` // from 1; 0 is the trailhead, -1 what happened outside any step
	Text       string        `json:"text,omitempty"`
	Line       int           `json:"line,omitempty"`
	Outcome    event.Outcome `json:"outcome"`
	Call       string        `json:"call,omitempty"` // the last that was made
	Kind       fault.Kind    `json:"kind,omitempty"`
	Cause      string        `json:"cause"`
	Candidates []string      `json:"candidates,omitempty"`
	SinceGreen []string      `json:"sinceGreen,omitempty"`
	Below      []string      `json:"below,omitempty"` // what went wrong in requests and scripts
	Next       string        `json:"next,omitempty"`
}

// The bounds of an answer. A model reads it in one look.
const (
	whyTokens     = 500
	whyCandidates = 3
	whyChanges    = 6
	whyNotes      = 3
	whyLine       = 160
	whyCause      = 300
)

// NewTrace makes the command trailblaze trace.
func NewTrace(a *shell.Shell) *cobra.Command {
	c := &traceCmd{Shell: a}
	why := &cobra.Command{
		Use: "why [step]", Short: "Say why a step ended as it did, in under 500 tokens",
		Long: `Say why a step of a kept session ended as it did: the cause, the elements that came nearest to what was
looked for, and how the screen differed from that of the last green run. No model is asked, and no device is needed.
Steps are numbered from 1, and 0 is the trailhead; without a number it is the first step that did not pass.`,
		Example: `  trailblaze trace why                 # of the last session: the step that failed
  trailblaze trace why 3 --session 2026_11_21_09 --json`,
		Args: shell.AtMost(1, "at most one step"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if c.cfg, err = a.Settings(cmd); err != nil {
				return err
			}
			return c.why(cmd.Context(), args)
		},
	}
	why.Flags().StringVar(&c.session, "session", "last", "`id` of the session, its beginning, or last")
	return shell.Parent("trace", "Explain what happened in a session", "results", why)
}

func (c *traceCmd) why(_ context.Context, args []string) error {
	const op = "explain step"
	number := -1
	if len(args) > 0 {
		n, err := strconv.Atoi(args[0])
		if err != nil || n < 0 {
			return fault.New(fault.Invalid, op, "%q is no number of a step", args[0]).
				WithHint("Steps are numbered from 1; 0 is the trailhead.")
		}
		number = n
	}
	id, err := session.Find(c.cfg.Sessions(), c.session)
	if err != nil {
		return err
	}
	r, err := report.Build(report.Input{ID: id, Sessions: []string{filepath.Join(c.cfg.Sessions(), id)}})
	if err != nil {
		return err
	}
	doc, ok := explained(r, id, number)
	switch {
	case !ok && number < 0:
		return fault.New(fault.NotFound, op, "every step of session %s passed", id).
			WithHint("Name a step to see what it did: trailblaze trace why 1 --session %s", id)
	case !ok:
		return fault.New(fault.NotFound, op, "session %s has no step %d", id, number).
			WithHint("trailblaze session show %s lists its steps.", id)
	}
	if c.JSON {
		return c.PrintJSON(doc)
	}
	c.Printf("%s", doc.text())
	return nil
}

// explained explains a step by its number, or the first that did not pass; of several attempts, in the last.
func explained(r *report.Report, id string, number int) (whyDoc, bool) {
	for _, t := range slices.Backward(r.Trails) {
		for _, a := range slices.Backward(t.Attempts) {
			for i := range a.Steps {
				s := &a.Steps[i]
				wanted := number == s.Index+1
				if number < 0 {
					wanted = s.Outcome != event.Passed && s.Outcome != event.Skipped
				}
				if wanted {
					return whyOf(t, a, s, id), true
				}
			}
			if number < 0 && a.Failure != nil {
				return whyOf(t, a, &report.Step{Outcome: a.Outcome, Failure: a.Failure, Index: -1}, id), true
			}
		}
	}
	return whyDoc{}, false
}

// whyOf collects the facts that a reader needs first, each list cut to its bound, and then drops those over the
// budget.
func whyOf(t report.Trail, a report.Attempt, s *report.Step, id string) whyDoc {
	doc := whyDoc{Schema: "trailblaze.why/1", Session: id, Trail: t.Path, Step: s.Index + 1,
		Text: phrase.Clip(oneLine(s.Text), whyLine), Line: s.Line, Outcome: s.Outcome}
	if n := len(s.Calls); n > 0 {
		doc.Call = s.Calls[n-1].Name
	}
	f := s.Failure
	for i := range s.Calls {
		if f == nil {
			f = s.Calls[i].Failure // outside of trails a call fails, and no step
		}
	}
	if f == nil {
		doc.Cause = did(s)
		return doc
	}
	doc.Kind, doc.Cause = f.Kind, phrase.Clip(oneLine(f.Message), whyCause)
	doc.Next = phrase.Clip(oneLine(f.Hint), whyLine)
	doc.Candidates = clipped(f.Candidates, whyCandidates)
	doc.SinceGreen = clipped(f.SinceGreen, whyChanges)
	for _, n := range a.Notes {
		if n.Level == "warning" {
			doc.Below = append(doc.Below, n.Text)
		}
	}
	doc.Below = clipped(doc.Below, whyNotes)
	for _, list := range []*[]string{&doc.Below, &doc.SinceGreen, &doc.Candidates} {
		for text.Tokens(doc.text()) > whyTokens && len(*list) > 0 {
			*list = (*list)[:len(*list)-1]
		}
	}
	return doc
}

// did describes a step without a failure.
func did(s *report.Step) string {
	lines := make([]string, 0, len(s.Heals)+len(s.Calls))
	for _, h := range s.Heals {
		lines = append(lines, h.Text)
	}
	for _, c := range s.Calls {
		line := c.Name
		if e := c.Evidence; e != nil {
			for _, part := range []string{e.Target, e.Checked, strings.Join(e.Changes, ", ")} {
				if part != "" {
					line += ": " + part
				}
			}
		}
		lines = append(lines, line)
	}
	if len(lines) == 0 {
		return "nothing was called"
	}
	return strings.Join(clipped(lines, whyChanges), "; ")
}

func clipped(lines []string, most int) []string {
	var out []string
	for _, l := range lines[:min(len(lines), most)] {
		out = append(out, phrase.Clip(oneLine(l), whyLine))
	}
	return out
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// text is the answer for people and models.
func (d whyDoc) text() string {
	var b strings.Builder
	where := fmt.Sprintf("step %d", d.Step)
	if d.Step == 0 {
		where = "the trailhead"
	}
	if d.Trail != "" {
		where = fmt.Sprintf("%s:%d: %s", d.Trail, d.Line, where)
	}
	fmt.Fprintf(&b, "%s (%s): %s\n", where, d.Outcome, d.Text)
	fmt.Fprintf(&b, "cause: %s\n", d.Cause)
	for _, part := range []struct {
		title string
		lines []string
	}{{"nearest", d.Candidates}, {"since the last green run", d.SinceGreen}, {"below the screen", d.Below}} {
		if len(part.lines) > 0 {
			fmt.Fprintf(&b, "%s:\n  - %s\n", part.title, strings.Join(part.lines, "\n  - "))
		}
	}
	if d.Next != "" {
		fmt.Fprintf(&b, "next: %s\n", d.Next)
	}
	return b.String()
}
