package replay

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/identity"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/tool/argument"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// greenRuns bounds how many screens of earlier green runs a proposal is held against.
const greenRuns = 5

// heal looks for the element of a call that found nothing to act on, and makes the call on it. It returns the call
// that the step continues with: as it was made, and its result, or the failure as it was. A call that was sent is
// never made again.
func (g *playing) heal(ctx context.Context, r trail.ResolvedStep, c trail.Recorded, res *tool.Result, err error) (
	trail.Recorded, *tool.Result, error,
) {
	if ctx.Err() != nil || !unsent(res, err) {
		return c, res, err
	}
	t, ok := g.target(r, c)
	if !ok {
		return c, res, err
	}
	snap := g.capture(ctx, t.Selector.CSSQueries()...)
	if snap == nil || t.In(snap) != nil {
		return c, res, err // the element is there, and something else is wrong
	}
	v := t.Relocate(snap)
	if v.Node == nil && g.Find != nil && !t.Asserts {
		v = g.find(ctx, r, t, v)
	}
	if v.Node == nil {
		g.noteHeal("%s (line %d) is not healed: %s", c.Name, c.Pos.Line, v.Declined)
		return c, res, err
	}
	fixed := c
	if fixed.Args, ok = retarget(c.Args, v.Selector, v.Print); !ok {
		return c, res, err
	}
	again, failed := g.call(ctx, fixed)
	if failed != nil {
		g.noteHeal("%s (line %d) would be healed with %s, but that failed: %v", c.Name, c.Pos.Line, v.Node.Descriptor(),
			failed)
		if unsent(again, failed) {
			return c, res, err
		}
		return fixed, again, failed
	}
	h := event.Heal{Step: r.Index, Call: c.Name, Line: c.Pos.Line, Column: c.Pos.Col, Was: c.Args, Now: fixed.Args,
		Element: v.Node.Descriptor(), Why: v.Why, Score: v.Score, Past: v.Past}
	g.heals = append(g.heals, h)
	g.log(event.Event{Type: event.StepHealed, Heal: &h})
	return fixed, again, nil
}

// find has a model name the element where relocation declined, and holds its answer against what is known. A model
// that gives no answer leaves open whether the step can be healed.
func (g *playing) find(
	ctx context.Context, r trail.ResolvedStep, t identity.Target, declined identity.Verdict,
) identity.Verdict {
	ref, why, err := g.Find(ctx, g.session, r.Step.Text, t.Print)
	if err != nil {
		declined.Declined += fmt.Sprintf("; the model gave no answer: %v", err)
		g.unanswered = err
		return declined
	}
	snap := g.capture(ctx, t.Selector.CSSQueries()...)
	plain, ok := screen.RefOf(ref)
	if snap == nil || !ok || snap.ByRef(plain) == nil {
		declined.Declined += "; the model names no other"
		if ref == "" && why != "" {
			declined.Declined += ": " + g.session.Memory.Mask(why)
		}
		return declined
	}
	named := snap.ByRef(plain)
	v := t.Confirm(snap, named)
	if v.Node == nil {
		v.Declined = fmt.Sprintf("%s; the model names %s, which is not confirmed: %s", declined.Declined, snap.Label(named),
			v.Declined)
		return v
	}
	v.Why = append([]string{"a model says that the step means it: " + g.session.Memory.Mask(why)}, v.Why...)
	return v
}

// open returns the failure of a step that was to be healed. Where the model gave no answer, the app may have lost the
// element, or only moved it.
func (g *playing) open(err error) error {
	if g.unanswered == nil {
		return err
	}
	return fault.New(fault.Degraded, "heal step", "%w; whether the step can be healed is not known: %v",
		err, g.unanswered).
		WithHint("Run it again when the model answers, or without --heal.")
}

func (g *playing) noteHeal(format string, args ...any) {
	g.log(event.Event{Type: event.Note, Note: &event.NoteText{Level: "warning", Text: fmt.Sprintf(format, args...)}})
}

// target is the element that a call is for, with what earlier runs know of it; false when the call names none in a way
// that can be healed.
func (g *playing) target(r trail.ResolvedStep, c trail.Recorded) (identity.Target, bool) {
	t, ok := TargetOf(g.Registry, c.Call)
	if !ok {
		return t, false
	}
	for _, other := range g.all {
		if o, ok := TargetOf(g.Registry, other.Call); ok {
			t.Others = append(t.Others, o.Print)
		}
	}
	if g.Baselines == nil {
		return t, true
	}
	for _, step := range []int{r.Index, r.Index - 1} { // what is acted on first stands on the screen of the step before
		for _, s := range g.Baselines.Baselines(g.attempt.File, step, r.Index, greenRuns) {
			if len(t.Past) < greenRuns && t.In(s) != nil {
				t.Past = append(t.Past, s)
			}
		}
	}
	return t, true
}

// TargetOf is the element that a recorded call names; false when it names none by a selector and a fingerprint, or with
// tokens whose values are not known here.
func TargetOf(reg *tool.Registry, c tool.Call) (identity.Target, bool) {
	var in struct {
		NodeSelector *screen.Selector      `json:"nodeSelector"`
		Fingerprint  *identity.Fingerprint `json:"fingerprint"`
	}
	if json.Unmarshal(c.Args, &in) != nil || in.NodeSelector == nil || in.Fingerprint == nil {
		return identity.Target{}, false
	}
	said, err := json.Marshal(in)
	if err != nil || bytes.Contains(said, []byte("{{")) || bytes.Contains(said, []byte("${")) {
		return identity.Target{}, false
	}
	t := identity.Target{Selector: *in.NodeSelector, Print: *in.Fingerprint}
	if reg == nil {
		return t, true
	}
	if found, ok := reg.Get(c.Name); ok {
		t.Asserts = found.Spec().Kind == tool.Assertion
	}
	return t, true
}

// retarget gives a call another element; its other arguments keep their order and their bytes.
func retarget(args json.RawMessage, sel screen.Selector, print identity.Fingerprint) (json.RawMessage, bool) {
	fresh := map[string]any{"nodeSelector": sel, "fingerprint": print}
	fields, ok := argument.FieldsOf(args)
	if !ok {
		return nil, false
	}
	// A ref is a second chance beside the selector, for the element of then.
	fields = slices.DeleteFunc(fields, func(f argument.Field) bool { return f.Name == "ref" })
	for i, f := range fields {
		if v, ok := fresh[f.Name]; ok {
			value, err := json.Marshal(v)
			if err != nil {
				return nil, false
			}
			fields[i].Value = value
		}
	}
	return fields.JSON(), true
}

// Mend is the trail file with the calls that were carried out on another element as they were. Everything else in it
// keeps its bytes.
func Mend(t *trail.Trail, heals []event.Heal, classifier string) ([]byte, error) {
	data := t.Source
	fixed := *t
	fixed.Steps = append([]trail.Step(nil), t.Steps...)
	keys := map[string]bool{}
	for _, h := range heals {
		if h.Redone > 0 {
			continue
		}
		key, ok := mendStep(&fixed, h, classifier)
		if !ok {
			return nil, fault.New(fault.Internal, "mend trail", "line %d of %s holds no call that was healed", h.Line, t.Path)
		}
		keys[key] = true
	}
	for key := range keys {
		merged, _, err := trail.Merge(data, &fixed, key)
		if err != nil {
			return nil, fault.Wrap(err, "", "mend trail")
		}
		data = merged
	}
	return data, nil
}

// mendStep changes one call in its step, and returns the classifier of the recording that it is in.
func mendStep(t *trail.Trail, h event.Heal, classifier string) (string, bool) {
	var s *trail.Step
	switch {
	case h.Step >= 0 && h.Step < len(t.Steps):
		s = &t.Steps[h.Step]
	case t.Trailhead != nil && h.Step < 0:
		head := *t.Trailhead
		t.Trailhead, s = &head, &head
	default:
		return "", false
	}
	for key, list := range s.Recordings {
		for i := range list {
			if list[i].Pos != (trail.Pos{Line: h.Line, Col: h.Column}) {
				continue
			}
			all := map[string][]trail.Recorded{}
			for k, v := range s.Recordings {
				all[k] = append([]trail.Recorded(nil), v...)
			}
			fixed := all[key]
			fixed[i].Args = h.Now
			if key == trail.V1Classifier {
				delete(all, key)
				all[classifier], key = fixed, classifier
			}
			s.Recordings = all
			return key, true
		}
	}
	return "", false
}
