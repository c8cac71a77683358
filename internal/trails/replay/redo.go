package replay

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/permit"
	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
	"github.com/trailblaze-dev/trailblaze/internal/trails/evidence"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// agent has the agent carry out a step, or what the calls in done left of it. The calls after it are not judged by the
// page that the calls before it left.
func (g *playing) agent(ctx context.Context, r trail.ResolvedStep, done []string) (calls int, err error) {
	task := Task{Step: *r.Step, Done: done}
	for _, s := range g.trail.Steps[:max(r.Index, 0)] {
		if s.On != r.On {
			s.Text = s.On + ", on another device: " + s.Text
		}
		task.Before = append(task.Before, s.Text)
	}
	calls, err = g.Assist(ctx, g.session, task)
	g.judge, g.last = evidence.New(g.session.Device, g.Registry), trail.Recorded{}
	return calls, err
}

// redo has the agent do what is left of a step, where it may, from the call on that could not be carried out. Then it
// makes the checks that the step still holds as they are recorded. It reports whether the step passed that way; else
// the step fails as it did.
func (g *playing) redo(ctx context.Context, r trail.ResolvedStep, at int, done []string, res *tool.Result, cause error,
	so *StepOutcome) bool {
	if !g.redoable(ctx, r, at, res, cause) {
		return false
	}
	c, acted := r.Calls[at], 0
	done = append(done, c.Name+" -> failed: "+cause.Error())
	unwatch := g.session.Log.Observe(func(e event.Event) {
		if e.Type == event.ToolCall && didAct(e.Call) {
			acted++
		}
	})
	sub, cancel := context.WithTimeoutCause(ctx, assistTimeout,
		fault.New(fault.Timeout, "heal step", "the agent took longer than %s", assistTimeout))
	defer cancel()
	bound := g.bound(r, at)
	bound.redo.Over = g.cover(ctx, cause)
	calls, err := g.agent(permit.With(sub, bound), r, done)
	unwatch()
	so.Calls += calls
	if err == nil && acted == 0 {
		err = errors.New("the agent calls the step done, and did nothing")
	}
	if missing := bound.missing(); err == nil && missing != "" {
		err = fmt.Errorf("the agent calls the step done, and did nothing that stands for the recorded %s", missing)
	}
	if err == nil {
		err = g.checks(ctx, r.Calls[at+1:], so)
	}
	if err != nil {
		if kind := fault.KindOf(err); kind == fault.Unavailable || kind == fault.Timeout {
			g.unanswered = err
		}
		g.noteHeal("step %d (line %d) is not healed by the agent: %v", r.Index+1, r.Step.Pos.Line, err)
		return false
	}
	h := event.Heal{Step: r.Index, Call: c.Name, Line: c.Pos.Line, Column: c.Pos.Col, Was: c.Args, Redone: calls,
		Why: []string{g.session.Memory.Mask(cause.Error())}}
	g.heals = append(g.heals, h)
	g.log(event.Event{Type: event.StepHealed, Heal: &h})
	return true
}

// didAct reports whether a call of an agent changed something.
func didAct(c *event.Call) bool {
	return c != nil && !c.IsError && c.Kind == tool.Action && c.Evidence != nil && c.Evidence.Effect != nil &&
		c.Evidence.Effect.Changes.Any()
}

// checks makes those of the calls that do not act.
func (g *playing) checks(ctx context.Context, of []trail.Recorded, so *StepOutcome) error {
	for _, c := range of {
		g.left = g.left[1:]
		if g.spec(c).Kind == tool.Action {
			continue
		}
		so.Calls++
		if _, err := g.call(ctx, c); err != nil {
			return fmt.Errorf("after it, %s (line %d) does not hold: %w", c.Name, c.Pos.Line, err)
		}
		g.last = c
	}
	return nil
}

// redoable reports whether the agent may do what is left of a step. The call that failed has sent nothing, all that is
// left are built-in calls on the page, and a check comes after them that what is done instead must pass.
func (g *playing) redoable(ctx context.Context, r trail.ResolvedStep, at int, res *tool.Result, err error) bool {
	if !g.Heal || g.Assist == nil || ctx.Err() != nil || r.Kind != trail.ActionStep || r.Text == "" || !r.Recordable ||
		r.Conditional() {
		return false
	}
	beyond := func(c trail.Recorded) bool {
		s := g.spec(c)
		return s.Kind == "" || s.Delegating || s.Origin != "" || s.Purpose == tool.PlayTrail
	}
	checks := func(c trail.Recorded) bool { return g.spec(c).Kind == tool.Assertion }
	if _, ok := TargetOf(g.Registry, r.Calls[at].Call); !ok {
		return false // nothing is known that what the agent does can be held against
	}
	return g.spec(r.Calls[at]).Kind == tool.Action && !slices.ContainsFunc(r.Calls[at:], beyond) &&
		(slices.ContainsFunc(g.left, checks) || slices.ContainsFunc(g.after, checks)) &&
		(unsent(res, err) || g.blocked(ctx, r.Calls[at], err))
}

// spec returns the spec of the tool of a call, nil where there is none.
func (g *playing) spec(c trail.Recorded) *tool.Spec {
	if t, ok := g.Registry.Get(c.Name); ok {
		return t.Spec()
	}
	return &tool.Spec{}
}

// blocked reports whether a call sent nothing because its element cannot be acted on: something covers it, or it is
// hidden or disabled.
func (g *playing) blocked(ctx context.Context, c trail.Recorded, err error) bool {
	t, ok := TargetOf(g.Registry, c.Call)
	if d := fault.DetailOf(err); !ok || d == nil || d.Blocked == "" {
		return false
	}
	snap := g.capture(ctx, t.Selector.CSSQueries()...)
	return snap != nil && t.In(snap) != nil
}

// cover is what lies over the element of a call that failed, nil where nothing is known to.
func (g *playing) cover(ctx context.Context, err error) *screen.Node {
	q, ok := driver.As[driver.RefQuerier](g.session.Device)
	d := fault.DetailOf(err)
	if !ok || d == nil || d.Blocked == "" {
		return nil
	}
	if css := q.RefQuery(d.Blocked); len(css) > 0 {
		if snap := g.capture(ctx, css...); snap != nil {
			return snap.ByRef(d.Blocked)
		}
	}
	return nil
}

// describeCall describes a call that passed for the agent.
func describeCall(c trail.Recorded, res *tool.Result) string {
	return c.Name + " -> " + phrase.Clip(res.Text(), 300)
}

// unsent says whether a failed call found nothing to act on, or only looked.
func unsent(res *tool.Result, err error) bool {
	if kind := fault.KindOf(err); kind != fault.NotFound && kind != fault.Assertion {
		return false
	}
	return res == nil || res.Evidence == nil || res.Evidence.Effect == nil && res.Evidence.None == ""
}
