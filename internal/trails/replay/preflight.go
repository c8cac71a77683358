package replay

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// Preflight says whether a trail can be played with what is here, before any device is touched. It returns nil, or
// one fault that names everything in the way: fault.Invalid when the trail is at fault, which is when check calls
// something an error or there is nothing to run, and fault.Unavailable when steps need a model, also those of the
// trails that it calls. thinkers names tools that ask a model and are not registered.
func Preflight(t *trail.Trail, classifiers []string, reg *tool.Registry, thinkers []string) error {
	return (&Linter{Registry: reg, NeedsModel: thinkers}).preflight(t, classifiers)
}

func (l *Linter) preflight(t *trail.Trail, classifiers []string) error {
	problems := l.Trail(t)
	if len(t.Steps) == 0 {
		problems[0].Severity = trail.SeverityError // a file of settings alone may stand in a folder, but it is no run
	}
	if err := problems.Err(); err != nil {
		return err
	}
	need := l.needModel(t, classifiers, []string{cleanPath(t.Path)})
	if len(need) > 0 && l.assisted { // what is left are steps of trails that are called
		return fault.New(fault.Unavailable, "preflight", "%s",
			list("steps of trails that this one calls have no recording", need)).
			WithHint("A model carries out steps of the trail that is run, not of those that it calls. " +
				"Run those trails by themselves first: that records them.")
	}
	if len(need) > 0 {
		return fault.New(fault.Unavailable, "preflight", "%s",
			list("steps need a language model and none is configured", need)).
			WithHint("Name a model (trailblaze config set llm provider/model, or a provider's key in the environment), record " +
				"those steps, or declare `[]` for a step that has nothing to do on this device.")
	}
	return nil
}

// needModel lists each step that a model would have to play.
func (l *Linter) needModel(t *trail.Trail, classifiers, way []string) []string {
	var out []string
	for _, s := range t.Resolve(classifiers) {
		if s.State == trail.StateUndeclared {
			out = append(out, l.undeclared(s, classifiers, len(way) == 1)...)
			continue
		}
		for _, c := range s.Calls {
			tl, ok := l.Registry.Get(c.Name)
			switch {
			case !ok && slices.Contains(l.NeedsModel, c.Name), ok && Asks(tl.Spec(), c.Call) && !l.assisted:
				out = append(out, fmt.Sprintf("line %d: %s %s calls %s, which asks a model", c.Pos.Line, s.Step.Kind,
					quoteStep(s.Step.Text), c.Name))
			case ok:
				inner, p, err := calledTrail(tl, c)
				if err != nil || inner == nil || slices.Contains(way, p) {
					continue // the linter has reported it, or the call itself will
				}
				for _, need := range l.needModel(inner, classifiers, append(slices.Clip(way), p)) {
					out = append(out, fmt.Sprintf("line %d: %s %s calls %s: %s", c.Pos.Line, s.Step.Kind, quoteStep(s.Step.Text),
						p, need))
				}
			}
		}
	}
	return out
}

// Asks reports whether a call asks a model: by its tool, or by a question in double brackets in a calculation.
func Asks(s *tool.Spec, c tool.Call) bool {
	return s.NeedsModel || s.Purpose == tool.Calculate && bytes.Contains(c.Args, []byte("[["))
}

// undeclared reports a step without a recording, unless a model plays it. It plays no step of a trail that is called.
func (l *Linter) undeclared(s trail.ResolvedStep, classifiers []string, top bool) []string {
	if top && l.assisted {
		return nil
	}
	return []string{fmt.Sprintf("line %d: %s %s has no recording for %s", s.Step.Pos.Line, s.Step.Kind,
		quoteStep(s.Step.Text), strings.Join(classifiers, "-"))}
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
