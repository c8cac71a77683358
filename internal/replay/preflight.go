package replay

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// Preflight says whether a trail can be played with what is here, before any device is touched. It returns nil, or one
// fault that names every step in the way: fault.Unavailable when steps need a model (R108, R109, R232), fault.Invalid
// when the trail itself is at fault. thinkers names tools that ask a model and are not registered.
func Preflight(t *trail.Trail, classifiers []string, reg *tool.Registry, thinkers []string) error {
	var broken, needModel []string
	for _, s := range t.Resolve(classifiers) {
		where := fmt.Sprintf("line %d: %s %s", s.Step.Pos.Line, s.Step.Kind, quoteStep(s.Step.Text))
		switch {
		case s.State == trail.StateUndeclared:
			needModel = append(needModel, where+" has no recording for "+strings.Join(classifiers, "-"))
			continue
		case s.State == trail.StateRecorded && s.Step.Kind == trail.VerifyStep && !asserts(s.Calls, reg):
			broken = append(broken, where+" checks nothing: none of its calls is an assertion")
		}
		for _, c := range s.Calls {
			tl, ok := reg.Get(c.Name)
			switch {
			case !ok && slices.Contains(thinkers, c.Name), ok && tl.Spec().NeedsModel:
				needModel = append(needModel, fmt.Sprintf("line %d: %s %s calls %s, which asks a model", c.Pos.Line, s.Step.Kind, quoteStep(s.Step.Text), c.Name))
			case !ok:
				broken = append(broken, fmt.Sprintf("line %d: %s calls %q, and there is no such tool", c.Pos.Line, s.Step.Kind, c.Name))
			}
		}
	}
	switch {
	case len(broken) > 0:
		return fault.New(fault.Invalid, "preflight", "%s", list("the trail cannot be played", append(broken, needModel...))).
			WithHint("run `trailblaze check %s` for the details", t.Path)
	case len(needModel) > 0:
		return fault.New(fault.Unavailable, "preflight", "%s", list("steps need a language model and none is configured", needModel)).
			WithHint("record those steps, or declare `[]` for a step that has nothing to do on this device")
	}
	return nil
}

// asserts reports whether one of the calls can fail a check. An unknown tool may be one; it is reported elsewhere.
func asserts(calls []trail.Recorded, reg *tool.Registry) bool {
	for _, c := range calls {
		tl, ok := reg.Get(c.Name)
		if !ok || tl.Spec().Kind == tool.Assertion || c.Name == RunTrailTool {
			return true
		}
	}
	return false
}

func list(head string, lines []string) string {
	return head + ":\n  " + strings.Join(lines, "\n  ")
}

// quoteStep shortens a step's sentence for messages.
func quoteStep(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > 60 {
		text = string(r[:59]) + "…"
	}
	return fmt.Sprintf("%q", text)
}
