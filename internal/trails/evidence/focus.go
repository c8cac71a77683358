package evidence

import (
	"slices"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// onlyFocus reports whether all that a failed press did was to give an element the focus.
func onlyFocus(spec *tool.Spec, ev *tool.Evidence, want tool.Expectation) bool {
	return spec.Kind == tool.Action && ev != nil && ev.Effect != nil &&
		ev.Effect.Changes.Focused && !ev.Effect.Changes.Any() && ev.None == "" && want.Effect == ""
}

// following is the next call that does or checks something, nil at the end.
func (j *Judge) following(made []tool.Made, left []trail.Recorded) *tool.Call {
	var all []tool.Call
	for _, m := range made {
		all = append(all, m.Call)
	}
	for _, c := range left {
		all = append(all, c.Call)
	}
	i := slices.IndexFunc(all, func(c tool.Call) bool {
		tl, ok := j.reg.Get(c.Name)
		return !ok || tl.Spec().Kind != tool.Query
	})
	if i < 0 {
		return nil
	}
	return &all[i]
}

// release ends the wait for the call after a press: nil when that was keyboard input to the focus and had an effect,
// else the failure of the press. err is the error of the call itself.
func (j *Judge) release(spec *tool.Spec, m tool.Made, err error) error {
	switch {
	case err != nil:
		return j.Failure(err)
	case !spec.ToFocus(m.Call.Args) || m.Evidence == nil || m.Evidence.Effect == nil,
		!m.Evidence.Effect.Changes.BeyondFocus():
		return j.inVain("had no effect there")
	}
	j.held = nil
	return nil
}

// Failure returns the failure of a call with the blame on the right one: where a press before it is held, it is the
// failure of that press. An error that says nothing about the app stays.
func (j *Judge) Failure(err error) error {
	if j.held == nil || err == nil || event.OutcomeOf(err) != event.Failed {
		return err
	}
	return j.inVain("failed: " + err.Error())
}

// inVain is the failure of the press that is held.
func (j *Judge) inVain(why string) error {
	return fault.New(fault.NotActed, "",
		"%w; it gave the element the focus, but %s after it %s", j.held.err, j.held.after, why).
		WithHint("%s", fault.HintOf(j.held.err))
}
