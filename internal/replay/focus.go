package replay

import (
	"encoding/json"
	"slices"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/event"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// held is the failure of a press that gave an element the focus and did nothing else. The call after it decides: keyboard
// input that has an effect there shows that the focus was what the press was for.
type held struct {
	err   error
	call  trail.Recorded // the press
	after string         // the tool that is to use the focus
}

// onlyFocus reports whether all that a failed press did was to give an element the focus.
func onlyFocus(spec *tool.Spec, ev *tool.Evidence, want expectations) bool {
	return spec.Kind == tool.Action && ev != nil && ev.Effect != nil && ev.Effect.Changes.Focused && !ev.Effect.Changes.Any() &&
		ev.None == "" && want.Effect == ""
}

// mayUseFocus reports whether a call can be keyboard input to what has the focus. Which calls a delegating tool makes is
// known only when it has run.
func mayUseFocus(reg *tool.Registry, c *tool.Call) bool {
	if c == nil {
		return false
	}
	tl, ok := reg.Get(c.Name)
	return ok && (tl.Spec().Delegating || tl.Spec().ToFocus(c.Args))
}

// following is the next call that does or checks something, nil at the end.
func following(reg *tool.Registry, made []tool.Made, left []trail.Recorded) *tool.Call {
	var all []tool.Call
	for _, m := range made {
		all = append(all, m.Call)
	}
	for _, c := range left {
		all = append(all, c.Call)
	}
	i := slices.IndexFunc(all, func(c tool.Call) bool {
		tl, ok := reg.Get(c.Name)
		return !ok || tl.Spec().Kind != tool.Query
	})
	if i < 0 {
		return nil
	}
	return &all[i]
}

// release ends the wait for the call after a press: nil when that was keyboard input to the focus and had an effect, else the
// failure of the press. err is what is wrong with the call itself.
func (w *whereabouts) release(spec *tool.Spec, args json.RawMessage, ev *tool.Evidence, err error) error {
	switch {
	case err != nil:
		return w.blame(err)
	case !spec.ToFocus(args) || ev == nil || ev.Effect == nil || !ev.Effect.Changes.BeyondFocus():
		return w.vain("had no effect there")
	}
	w.held = nil
	return nil
}

// blame is the failure of the press that is held, if there is one, in place of a failure of the call after it. What says
// nothing of the app stays.
func (w *whereabouts) blame(err error) error {
	if w.held == nil || err == nil || event.OutcomeOf(err) != event.Failed {
		return err
	}
	return w.vain("failed: " + err.Error())
}

// vain is the failure of the press that is held.
func (w *whereabouts) vain(why string) error {
	return fault.New(fault.NotActed, "", "%w; it gave the element the focus, but %s after it %s", w.held.err, w.held.after, why).
		WithHint("%s", fault.HintOf(w.held.err))
}

// calls lists the calls of all steps in order.
func calls(steps []trail.ResolvedStep) []trail.Recorded {
	var out []trail.Recorded
	for _, s := range steps {
		out = append(out, s.Calls...)
	}
	return out
}
