// Package evidence decides what the outcome of a call means: whether an action that was carried out is a pass (see
// verdict), whether the page is still of the origin that the flow is on (see pageState), and what a composite of
// several calls is worth. The tool's Evidence holds the expectation and the outcome; the judge reads nothing else.
//
// The player makes one Judge for each playing of a trail, and so does a tool that plays a trail in place. Recordings
// ask Declarations what a call must declare so that it passes again. A Judge is not safe for concurrent use.
package evidence

import (
	"context"
	"slices"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// heldPress is a press that gave an element the focus and did nothing else. The call after it
// decides: keyboard input that has an effect there shows that the focus was what the press was for.
type heldPress struct {
	err   error
	call  trail.Recorded // the press
	after string         // the tool that is to use the focus
}

// Judge holds the calls of one trail to their evidence, in the order in which they are made.
type Judge struct {
	dev  driver.Device
	reg  *tool.Registry
	page pageState
	held *heldPress // the press before, when only the next call can say whether it did anything
}

// New returns a judge of calls on a device, which may be nil, made with the tools of a registry.
func New(dev driver.Device, reg *tool.Registry) *Judge { return &Judge{dev: dev, reg: reg} }

// Call returns an error unless a call that succeeded is a pass. A call in whose place others were made is judged by
// all of them: the first that is not a pass decides. left are the recorded calls after it: a press that gave nothing
// but the focus is held until the next of them is judged.
func (j *Judge) Call(ctx context.Context, c trail.Recorded, res *tool.Result, left []trail.Recorded) error {
	made := res.Made
	if len(made) == 0 {
		made = []tool.Made{{Call: c.Call, Evidence: res.Evidence}}
	}
	for i, m := range made {
		tl, ok := j.reg.Get(m.Call.Name)
		if !ok {
			return fault.New(fault.Internal, "play call", "tool %s ran but is not registered", m.Call.Name)
		}
		spec, want := tl.Spec(), expected(m.Evidence)
		if err := j.page.leftOrigin(spec, m.Evidence, want); err != nil {
			return err
		}
		err := verdict(spec, m.Evidence, want, j.page.url)
		switch {
		case j.held != nil && spec.Kind != tool.Query:
			if err := j.release(spec, m, err); err != nil {
				return err
			}
		case err != nil:
			after := j.following(made[i+1:], left)
			if !onlyFocus(spec, m.Evidence, want) || !j.mayUseFocus(after) {
				return err
			}
			j.held = &heldPress{err, c, after.Name}
		}
		j.page.note(ctx, j.dev, spec, m.Evidence, want)
	}
	return nil
}

// Blamed is the call that a failure of c is about: the press that is held, where the failure is its
// own.
func (j *Judge) Blamed(c trail.Recorded, err error) trail.Recorded {
	if j.held != nil && fault.KindOf(err) == fault.NotActed {
		return j.held.call
	}
	return c
}

// OpenedTab is the tab that the last action opened, "" once anything shows that the flow continues in the old one.
func (j *Judge) OpenedTab() string { return j.page.opened }

// Checks reports whether a call looked at anything that could have failed it: an assertion, or a
// trail with one in it.
func (j *Judge) Checks(c tool.Call, res *tool.Result) bool {
	asserts := func(name string, ev *tool.Evidence) bool {
		tl, ok := j.reg.Get(name)
		if !ok || ev == nil || ev.Checked == "" {
			return false
		}
		return tl.Spec().Purpose == tool.PlayTrail || tl.Spec().Kind == tool.Assertion
	}
	return asserts(c.Name, res.Evidence) ||
		slices.ContainsFunc(res.Made, func(m tool.Made) bool { return asserts(m.Call.Name, m.Evidence) })
}

// NothingChecked returns the reason why a verify step without any assertion is not a pass.
func (j *Judge) NothingChecked() error {
	return fault.New(fault.Degraded, "judge step",
		"the verify step checked nothing: none of its calls was an assertion").
		WithHint("Record a call such as %s, or make it a step.", j.reg.Call(tool.CheckText, ""))
}

// End judges the page after the last call, which was of the tool of this name: it waits for a navigation that the page
// has begun, since no later call would see it. A navigation that arrived after the last action counts as well, since
// assertions do not look at the status of a page.
func (j *Judge) End(ctx context.Context, name string) error {
	l, ok := driver.As[driver.Leaver](j.dev)
	if !ok {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, leaveTimeout)
	defer cancel()
	e, err := l.Leave(ctx)
	switch {
	case err != nil && ctx.Err() != nil:
		return fault.New(fault.Timeout, "end trail",
			"the page began to go to another one after %s, which did not come within %s", name, leaveTimeout)
	case err != nil || e == nil || !e.Changes.Navigation:
		return nil // a device without a page has none that left
	}
	var want tool.Expectation
	if driver.Origin(e.URL) == driver.Origin(j.page.allowed) {
		want.Origin = j.page.allowed
	}
	if e.Status == j.page.status {
		want.Status = j.page.status
	}
	if err := navigated(name, e, want, j.page.url); err != nil {
		platform := j.dev.Info().Platform
		return fault.New(fault.Assertion, "end trail",
			"after the last call (%s) the page went on by itself: %w", name, err).
			WithHint("If this is how it should be, let the trail wait for that page with %s, "+
				"or open it with %s and declare what is expected there.",
				j.reg.Call(tool.AwaitAddress, platform), j.reg.Call(tool.OpenPage, platform))
	}
	return nil
}

// mayUseFocus reports whether a call can be keyboard input to the element with the focus. The calls of a delegating
// tool are known only when it has run.
func (j *Judge) mayUseFocus(c *tool.Call) bool {
	if c == nil {
		return false
	}
	tl, ok := j.reg.Get(c.Name)
	return ok && (tl.Spec().Delegating || tl.Spec().ToFocus(c.Args))
}
