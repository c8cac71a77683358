package manage

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/internal/trails/record"
	"github.com/trailblaze-dev/trailblaze/internal/trails/replay"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// trailRun is the result of playing a trail, with the facts that a client needs to continue after a failure.
type trailRun struct {
	File    string        `json:"file"`
	Title   string        `json:"title,omitempty"`
	Outcome string        `json:"outcome"`
	Reason  string        `json:"reason,omitempty"`
	Passed  int           `json:"passed"`
	Steps   int           `json:"steps"`
	Calls   int           `json:"calls"`
	Took    string        `json:"took"`
	Failure *runDiagnosis `json:"failure,omitempty"`
}

// runDiagnosis holds the facts that a caller needs to recover from a failure: the step, the cause and the screen.
type runDiagnosis struct {
	Step int    `json:"step,omitempty" jsonschema:"number of the step, from 1"`
	Text string `json:"text,omitempty" jsonschema:"what the step is to do"`
	Line int    `json:"line,omitempty" jsonschema:"in the file"`
	fault.Failure
	Remaining  []string `json:"remaining,omitempty" jsonschema:"the steps that were not played"`
	Suggestion string   `json:"suggestion,omitempty"`
}

// run plays a trail on the client's device, in its live session. It never asks a model: it reports a failure to the
// client, who may continue from there.
func (d *trailTools) run(ctx context.Context, s *clients.Client, in trailIn) (*tool.Result, error) {
	f, err := d.find(ctx, s, in)
	if err != nil {
		return nil, err
	}
	t, err := f.usable()
	if err != nil {
		return nil, err
	}
	t.Dir = filepath.Join(s.State().Workspace, filepath.Dir(filepath.FromSlash(f.path)))
	bound, err := t.BindArgs(in.Args, nil)
	if err != nil {
		return nil, err
	}
	if n := len(t.Steps); in.From > n || in.To > n || in.To > 0 && in.From > in.To {
		return nil, fault.New(fault.Invalid, "run trail", "there are no steps %d to %d in %s", max(in.From, 1),
			cmp.Or(in.To, n), f.path).WithHint("It has %s.", phrase.Count(n, "step"))
	}
	values := replay.Values{Memory: in.Memory, Args: bound, Keep: in.From > 1}
	if d.Config != nil {
		cfg, err := d.Config(s.State().Workspace)
		if err != nil {
			return nil, err
		}
		values.BaseURL = cfg.String("base-url")
	}
	player, done := d.player(ctx, s)
	defer done()
	if o := player.Check(t, nil); o != nil && !hasOther(t) {
		return d.tell(f, t, o)
	}
	lease, err := d.hub.Acquire(ctx, s, in.Device, "trail "+f.path)
	if err != nil {
		return nil, err
	}
	defer lease.Release()
	values.Seed(lease.Session.Memory, t)
	player.Dispatcher = lease.Dispatcher
	out := player.Play(lease.Ctx, lease.Session, t, replay.Attempt{Number: 1, From: in.From, To: in.To,
		File: filepath.Join(t.Dir, filepath.Base(f.path))})
	return d.tell(f, t, out)
}

// player makes the player of a run, and the function that ends it.
func (d *trailTools) player(ctx context.Context, s *clients.Client) (*replay.Player, func()) {
	reg := d.hub.Tools(s)
	if d.Player == nil {
		return &replay.Player{Registry: reg}, func() {}
	}
	return d.Player(ctx, reg)
}

// hasOther reports whether a trail is for devices other than browsers, which only a device can judge.
func hasOther(t *trail.Trail) bool {
	for _, s := range t.Steps {
		for classifier := range s.Recordings {
			if classifier != string(driver.WebPlatform) && classifier != trail.V1Classifier {
				return true
			}
		}
	}
	return false
}

// tell makes the result of a run.
func (d *trailTools) tell(f *trailFile, t *trail.Trail, o *replay.Outcome) (*tool.Result, error) {
	r := &trailRun{
		File: f.path, Title: t.Config.Title, Outcome: string(o.Outcome), Reason: o.Reason, Steps: len(t.Steps),
		Calls: o.Calls, Took: spokenDuration(o.Duration),
	}
	for _, st := range o.Steps {
		if st.Outcome == event.Passed && st.Index >= 0 {
			r.Passed++
		}
	}
	switch o.Outcome {
	case event.Passed:
		if r.Passed < r.Steps {
			r := trailOut{Run: r, Done: fmt.Sprintf("%d of the %s of %s passed: %s, %s.", r.Passed,
				phrase.Count(r.Steps, "step"), f.path, phrase.Count(r.Calls, "call"), r.Took)}
			return tool.ValueResult(r, r.Text())
		}
		r := trailOut{Run: r,
			Done: fmt.Sprintf("%s passed: %s, %s, %s.", f.path, phrase.Count(r.Steps, "step"), phrase.Count(r.Calls, "call"),
				r.Took)}
		return tool.ValueResult(r, r.Text())
	case event.Skipped:
		r := trailOut{Run: r, Done: fmt.Sprintf("%s is skipped on this device: %s", f.path, o.Reason)}
		return tool.ValueResult(r, r.Text())
	}
	r.Failure = diagnosis(t, o)
	out := trailOut{Run: r}
	res, err := tool.ValueResult(out, r.Failure.story(f.path, r))
	if err != nil {
		return nil, err
	}
	res.IsError = true
	res.Fault = fault.Wrap(r.Failure.Err(), cmp.Or(r.Failure.Kind, fault.Assertion), "run trail "+f.path)
	return res, nil
}

func diagnosis(t *trail.Trail, o *replay.Outcome) *runDiagnosis {
	x := &runDiagnosis{Failure: fault.Failure{Kind: fault.Assertion, Message: "the trail did not pass"}}
	if o.Failure != nil {
		x.Failure = *o.Failure
	}
	st := o.Failed
	if st == nil {
		return x
	}
	x.Step, x.Text, x.Line = st.Index+1, st.Text, st.Line
	if st.Index+1 < len(t.Steps) && st.Index >= -1 {
		for _, later := range t.Steps[st.Index+1:] {
			x.Remaining = append(x.Remaining, later.Text)
		}
	}
	x.Suggestion = suggestion(t.Path, st, x)
	return x
}

// suggestion returns the advice to a client after a failure. The device is as the failed step left it.
func suggestion(path string, st *replay.StepOutcome, x *runDiagnosis) string {
	switch x.Kind {
	case fault.Canceled:
		return "The run was ended. Run the trail again when you are ready."
	case fault.Unavailable, fault.Timeout:
		return "The device or the page did not answer in time. Take a snapshot; if the device is well, run the trail again."
	case fault.Invalid, fault.Unsupported:
		return "The trail itself is at fault: mend the step with trailEdit or in the file, then run it again."
	}
	text := "The device stands where the step failed. Take a snapshot and do the step yourself"
	if st.Kind == trail.VerifyStep {
		text = "The device stands where the check failed. Take a snapshot: is the app wrong, or does the check look for " +
			"something that has changed? If it has, check by yourself"
	}
	text += fmt.Sprintf(" with the intent %q", st.Text)
	if len(x.Remaining) > 0 {
		text += ", then the remaining steps"
	}
	if !strings.HasPrefix(path, record.Folder+"/") {
		return text + "."
	}
	return text + fmt.Sprintf(`; session {"action":"SAVE","path":%q,"overwrite":true} then keeps the mended trail.`, path)
}

// story is the failure as a text.
func (x *runDiagnosis) story(path string, r *trailRun) string {
	var b strings.Builder
	switch {
	case x.Step > 0:
		fmt.Fprintf(&b, "%s failed at step %d of %d, “%s”", path, x.Step, r.Steps, x.Text)
		if x.Line > 0 {
			fmt.Fprintf(&b, " (line %d)", x.Line)
		}
	default:
		fmt.Fprintf(&b, "%s: %s", path, r.Outcome)
	}
	fmt.Fprintf(&b, ": %s\n", x.Message)
	part := func(label string, lines ...string) {
		if len(lines) == 1 && lines[0] != "" {
			fmt.Fprintf(&b, "%s: %s\n", label, lines[0])
		} else if len(lines) > 1 {
			fmt.Fprintf(&b, "%s:\n  %s\n", label, strings.Join(lines, "\n  "))
		}
	}
	part("Looked for", x.Looked)
	part("Nearest", x.Candidates...)
	part("Since the last green run", x.SinceGreen...)
	part("Hint", x.Hint)
	part("Not played", x.Remaining...)
	part("What to do", x.Suggestion)
	return strings.TrimSuffix(b.String(), "\n")
}
