package record

import (
	"maps"
	"slices"

	"github.com/trailblaze-dev/trailblaze/trail"
)

// Rerecord returns source, which was played in the session, with its recordings for the plan's classifier replaced by
// the calls made, and notes for a person to read before relying on that. The calls of a step are kept as they are: the
// author wrote them. A step without calls keeps its recording: a recording never makes an explicit no-op. Only the
// last playing of source counts.
func (t *Transcript) Rerecord(source *trail.Trail, p Plan) (*trail.Trail, []string) {
	last := *t
	last.Since(source.Path)
	c := last.composer(p)
	byStep := map[int][]trail.Recorded{}
	groups := slices.Clone(last.Groups)
	for i := range groups {
		groups[i].Actions = slices.Clone(groups[i].Actions)
		if all := c.conditions(groups[i]); c.blazed(all) {
			groups[i].Actions, _ = c.tidy(all)
		}
	}
	c.useFocus(groups)
	if p.Blazed != nil {
		c.replaceByTokens(groups)
	}
	for _, g := range groups {
		for _, a := range g.Actions {
			if p.Only != nil && !p.Only(a.Step) {
				continue
			}
			c.expect(&a)
			if c.blazed([]Action{a}) {
				a.Call.Args = lift(a.Call.Args, p.Lift)
			}
			byStep[a.Step] = append(byStep[a.Step], trail.Recorded{Call: a.Call, Hash: a.Hash})
			c.kept = append(c.kept, a)
		}
	}
	c.suspicions()
	out := *source
	out.Config.Metadata = maps.Clone(source.Config.Metadata)
	for _, g := range groups {
		if p.Blazed != nil {
			g.sign(&out.Config, g.Intent)
		}
	}
	out.Format = trail.Unified
	out.Steps = make([]trail.Step, 0, len(source.Steps))
	if source.Trailhead != nil {
		head := c.rerecorded(*source.Trailhead, byStep[trailheadStep])
		out.Trailhead = &head
	}
	for i, s := range source.Steps {
		out.Steps = append(out.Steps, c.rerecorded(s, byStep[i]))
	}
	return &out, c.warnings
}

// blazed reports whether a model made these calls, which are of one step.
func (c *composer) blazed(of []Action) bool {
	return c.plan.Blazed != nil && len(of) > 0 && c.plan.Blazed(of[0].Step)
}

// trailheadStep is the step index of the trailhead.
const trailheadStep = -1

// rerecorded is a step with the recording of the plan's classifier replaced. The only recording of
// a v1 file becomes that classifier's, and its steps that are nothing but tools become actions.
func (c *composer) rerecorded(s trail.Step, calls []trail.Recorded) trail.Step {
	classifier := c.plan.Classifier
	all := maps.Clone(s.Recordings)
	if all == nil {
		all = map[string][]trail.Recorded{}
	}
	if old, ok := all[trail.V1Classifier]; ok {
		delete(all, trail.V1Classifier)
		all[classifier] = old
	}
	if len(calls) > 0 && s.Recordable {
		all[classifier] = calls
	}
	s.Recordings = all
	if s.Kind == trail.ToolsStep {
		s.Kind = trail.ActionStep
		if s.Text == "" && len(all[classifier]) > 0 {
			s.Text = c.sentence(Action{Call: all[classifier][0].Call})
		}
	}
	return s
}
