package replay

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/trails/evidence"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// step plays one step: its calls in order, stopping at the first that does not hold.
// The last step ends when the page has arrived where it is going.
func (g *playing) step(ctx context.Context, r trail.ResolvedStep, last bool) StepOutcome {
	start := time.Now()
	so := StepOutcome{Index: r.Index, Kind: r.Step.Kind, Text: r.Step.Text, Line: r.Step.Pos.Line, Mode: modeOf(r.State),
		Actor: r.On, Outcome: event.Passed}
	g.before, g.began = g.began, start
	g.session.SetStep(r.Index)
	defer g.session.SetStep(event.NoStep)
	g.log(event.Event{Type: event.StepStarted, Step: g.stepEvent(so)})
	g.observe(Progress{Kind: StepStarted, Attempt: g.attempt, Path: g.trail.Path, Step: r.Index,
		Total: len(g.trail.Steps), Text: so.Shown()})

	limit := g.limit(so)
	stepCtx, cancel := context.WithTimeoutCause(ctx, limit,
		fault.New(fault.Timeout, "play step", "the step took longer than %s", limit))
	defer cancel()

	spent := g.session.Log.Spending()
	var done *tool.Result
	var made []string
	checked, healed := false, len(g.heals)
	g.unanswered = nil
	for i, c := range r.Calls {
		g.left = g.left[1:]
		c, res, err := g.made(stepCtx, r, c)
		so.Calls++
		if err != nil {
			c = g.judge.Blamed(c, err)
			if g.redo(ctx, r, i, made, res, err, &so) {
				break
			}
			err = g.open(g.late(stepCtx, r, i, g.unmet(r, i, res, err)))
			so.Outcome, so.Call, so.CallLine = event.OutcomeOf(err), c.Name, c.Pos.Line
			so.Failure = g.explain(ctx, r, c, res, err)
			break
		}
		g.keepPage(r, done, res)
		g.last, made = c, append(made, describeCall(c, res))
		done, checked = res, checked || g.judge.Checks(c.Call, res)
		if g.Made != nil {
			g.Made(Made{Step: r.Index, Call: c, Result: res, Session: g.session})
		}
	}
	if so.Mode == assisted {
		g.assist(stepCtx, r, &so)
		checked = true // the agent has
	}
	if so.Outcome == event.Passed && r.Step.Kind == trail.VerifyStep && !checked {
		so.Outcome, so.Failure = event.Undecided, fault.FailureOf(g.judge.NothingChecked())
	}
	if last && so.Outcome == event.Passed && g.last.Name != "" {
		if err := g.judge.End(stepCtx, g.last.Name); err != nil {
			err = g.open(err)
			so.Outcome, so.Call, so.CallLine = event.OutcomeOf(err), g.last.Name, g.last.Pos.Line
			so.Failure = g.explain(ctx, r, g.last, nil, err)
		}
	}
	so.Duration, so.Price = time.Since(start), spent()
	if so.Outcome == event.Passed {
		if g.idles(r) {
			g.idle = append(g.idle, r)
		}
		so.Outcome = g.passed(ctx, r, done, len(g.heals) > healed)
	}
	g.log(event.Event{Type: event.StepEnded, Step: g.stepEvent(so)})
	g.observe(Progress{Kind: StepEnded, Attempt: g.attempt, Path: g.trail.Path, Step: r.Index, Total: len(g.trail.Steps),
		Text: so.Shown(), Outcome: so.Outcome, Failure: so.Failure, Duration: so.Duration, Price: so.Price})
	return so
}

// unmet takes it for no verdict that a step which states a condition finds no element to act on, unless the condition
// was asked before and held: it was recorded when there was something to do, and now there is nothing.
func (g *playing) unmet(r trail.ResolvedStep, at int, res *tool.Result, err error) error {
	asks := func(c trail.Recorded) bool {
		return slices.ContainsFunc(g.spec(c).Holds(c.Args), func(h tool.Held) bool { return h.Decides })
	}
	if !r.Conditional() || g.spec(r.Calls[at]).Kind != tool.Action || !unsent(res, err) ||
		slices.ContainsFunc(r.Calls[:at+1], asks) {
		return err
	}
	return fault.New(fault.Degraded, "",
		"the step states a condition, and what it was recorded with when that held is not there: %w", err).
		WithHint("Where the condition does not hold now, that is no defect. Record the step anew, or write down both " +
			"ways in it: a `when` with the condition, the calls in its `tools`, and those for the other case in `else`.")
}

// idles reports whether a step makes no calls but to ask again by which condition it had nothing to do.
func (g *playing) idles(r trail.ResolvedStep) bool {
	return len(r.Calls) > 0 && !slices.ContainsFunc(r.Calls, func(c trail.Recorded) bool {
		return g.spec(c).Purpose != tool.AskAgain || len(g.spec(c).Holds(c.Args)) != 1
	})
}

// late takes it for no verdict that nothing could be sent to an element, where an earlier step had nothing to do by its
// condition and the answer is another one by now: the banner came after the step had asked for it.
func (g *playing) late(ctx context.Context, r trail.ResolvedStep, at int, err error) error {
	if len(g.idle) == 0 || !g.blocked(ctx, r.Calls[at], err) {
		return err
	}
	for _, idle := range g.idle {
		for _, c := range idle.Calls {
			if _, now := g.attemptCall(ctx, c); fault.KindOf(now) == fault.Degraded {
				return fault.New(fault.Degraded, "", "%w; and step %d, %q, had nothing to do, which is no longer so: %v", err,
					idle.Index+1, idle.Step.Text, now).WithHint("Where it may come late, begin the step that failed " +
					"with both ways: a `when` with the condition, and in its `tools` the calls for it.")
			}
		}
	}
	return err
}

// made makes a call, on what its element has become where that is looked for.
func (g *playing) made(ctx context.Context, r trail.ResolvedStep, c trail.Recorded) (
	trail.Recorded, *tool.Result, error,
) {
	res, err := g.call(ctx, c)
	if err != nil && g.Heal {
		return g.heal(ctx, r, c, res, err)
	}
	return c, res, err
}

// passed keeps the screen of a step that passed as it is recorded.
func (g *playing) passed(ctx context.Context, r trail.ResolvedStep, last *tool.Result, healed bool) event.Outcome {
	if healed {
		return event.Healed
	}
	if last != nil {
		g.keepBaseline(ctx, r, last)
	}
	return event.Passed
}

// assisted is the mode of a step that a model plays.
const assisted = "assisted"

// modeOf returns the way in which a step is played.
func modeOf(s trail.State) string {
	switch s {
	case trail.StateNoop:
		return "noop"
	case trail.StateUndeclared:
		return assisted
	}
	return "recorded"
}

// limit returns the time limit of a step.
func (g *playing) limit(so StepOutcome) time.Duration {
	limit := cmp.Or(max(g.StepTimeout, 0), defaultStepTimeout)
	if so.Mode == assisted {
		return max(limit, assistTimeout)
	}
	return limit
}

// assist has a step played that has no recording.
func (g *playing) assist(ctx context.Context, r trail.ResolvedStep, so *StepOutcome) {
	var err error
	if so.Calls, err = g.agent(ctx, r, nil); err != nil {
		so.Outcome, so.Failure = event.OutcomeOf(err), fault.FailureOf(err)
	}
}

// call makes one recorded call. A flow stays in its tab when an action opens another, unless the trail switches to it.
// Trails from when a new tab came to the front do not say so: an element that is not in the old tab is looked for in
// the new one.
func (g *playing) call(ctx context.Context, c trail.Recorded) (*tool.Result, error) {
	ctx = tool.WithRecorded(tool.InFolder(ctx, g.trail.Dir))
	if t, ok := g.Registry.Get(c.Name); ok {
		if text := changed(t.Spec(), c); text != "" {
			g.log(event.Event{Type: event.Note,
				Note: &event.NoteText{Level: "warning", Text: fmt.Sprintf("line %d: %s", c.Pos.Line, text)}})
		}
	}
	res, moved, err := followTab(ctx, g.session.Device, g.judge,
		func() (*tool.Result, error) { return g.attemptCall(ctx, c) })
	if moved {
		g.log(event.Event{Type: event.Note, Note: &event.NoteText{Level: "info", Text: fmt.Sprintf(
			"%s (line %d) is carried out in the tab that the call before it opened; a %s before it would say so", c.Name,
			c.Pos.Line, g.Registry.Call(tool.SwitchTab, ""))}})
	}
	return res, err
}

// followTab makes a call again in the tab that the call before it opened, when it found nothing where the flow is.
// moved says that it was carried out there.
func followTab(ctx context.Context, dev driver.Device, judge *evidence.Judge,
	attempt func() (*tool.Result, error)) (res *tool.Result, moved bool, err error) {
	to := judge.OpenedTab()
	res, err = attempt()
	tabs, ok := driver.As[driver.Tabs](dev)
	if err == nil || !ok || to == "" || ctx.Err() != nil || !unsent(res, err) {
		return res, false, err
	}
	from := activeTab(ctx, tabs)
	if from == "" || from == to || tabs.SwitchTab(ctx, to) != nil {
		return res, false, err
	}
	again, failed := attempt()
	if failed != nil && unsent(again, failed) {
		_ = tabs.SwitchTab(ctx, from)
		return res, false, err
	}
	return again, true, failed
}

func activeTab(ctx context.Context, tabs driver.Tabs) string {
	list, _ := tabs.Tabs(ctx)
	for _, t := range list {
		if t.Active {
			return t.ID
		}
	}
	return ""
}

// attemptCall makes one recorded call and judges what it left behind. The result comes back with the error where
// there is one.
func (g *playing) attemptCall(ctx context.Context, c trail.Recorded) (*tool.Result, error) {
	res, err := g.Dispatcher.Call(ctx, g.session, dispatch.Replay, c.Call)
	if err != nil {
		if cause := context.Cause(ctx); cause != nil && fault.KindOf(err) == fault.Timeout &&
			!strings.Contains(err.Error(), cause.Error()) {
			err = fmt.Errorf("%w (%w)", err, cause)
		}
		return res, g.judge.Failure(err)
	}
	if err := res.Err(); err != nil {
		return res, g.judge.Failure(err)
	}
	return res, g.judge.Call(ctx, c, res, g.left)
}

func (g *playing) stepEvent(so StepOutcome) *event.Step {
	e := &event.Step{Index: so.Index, Kind: string(so.Kind), Text: so.Text, Line: so.Line, Mode: so.Mode, Calls: so.Calls,
		Actor: so.Actor, Error: so.Failure, Duration: so.Duration}
	if so.Duration > 0 {
		e.Outcome = so.Outcome
	}
	return e
}

// calls lists the calls of all steps in order.
func calls(steps []trail.ResolvedStep) []trail.Recorded {
	var out []trail.Recorded
	for _, s := range steps {
		out = append(out, s.Calls...)
	}
	return out
}
