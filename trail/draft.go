package trail

import (
	"slices"
)

// draftIdentity are the config fields that the v2 draft kept in its trailhead.
var draftIdentity = []string{"id", "title", "priority", "target", "platform", "context", "memory", "metadata",
	"description", "tags"}

// isDraft recognises the v2 draft: a trailhead with identity fields or setup, or steps with objective or tools.
func isDraft(root *node) bool {
	if h := root.get("trailhead"); h != nil {
		for _, e := range h.entries {
			if e.key == "setup" || slices.Contains(draftIdentity, e.key) {
				return true
			}
		}
	}
	found := false
	if t := root.get("trail"); t != nil {
		for _, n := range t.items {
			if n.get("recording") != nil || n.get("verify") != nil {
				return false // a unified file with a slip in it
			}
			found = found || n.get("objective") != nil || n.get("tools") != nil
		}
	}
	return found
}

// draft imports a file of the v2 draft, which was decided but never shipped.
func (d *decoder) draft(root *node) {
	d.notef(root.pos, "Recording it again writes the unified format.",
		"this file is in the v2 draft format; it is read, never written")
	for _, e := range root.entries {
		switch e.key {
		case "config":
			d.config(e.value, "config", v1ConfigKeys)
		case "trailhead":
			d.draftHead(e)
		case "trail":
			for i, n := range d.list(e.value, "trail", "trail", "") {
				d.draftStep(n, item("trail", i))
			}
		default:
			d.unknown(e, e.key, "", rootKeys)
		}
	}
	if len(d.trail.Steps) == 0 {
		d.errorf(root.pos, "trail", `Add "trail:" with at least one step.`, "the trail has no steps")
	}
}

func (d *decoder) draftHead(e entry) {
	s := &Step{Kind: TrailheadStep, Recordable: true, Pos: e.pos}
	var calls []Recorded
	for _, f := range d.mapping(e.value, "trailhead", "trailhead") {
		w := at("trailhead", f.key)
		switch {
		case slices.Contains(draftIdentity, f.key):
			d.configField(f, w)
		case f.key == "step":
			s.Text = d.text(f.value, w, "step")
		case f.key == "setup" || f.key == "tools":
			calls = append(calls, d.calls(f.value, w)...)
		case f.key == "maxRetries":
			s.MaxRetries = d.count(f.value, w, "maxRetries")
		default:
			d.unknown(f, w, "", append([]string{"setup", "step", "tools"}, draftIdentity...))
		}
	}
	switch {
	case len(calls) > 0:
		s.Recordings = map[string][]Recorded{V1Classifier: calls[:1]}
		if s.Text == "" {
			s.Text = callNames(calls[:1])
		}
		d.trail.Trailhead = s
		for _, c := range calls[1:] {
			one := []Recorded{c}
			d.trail.Steps = append(d.trail.Steps, Step{
				Kind: ActionStep, Text: callNames(one), Recordable: true, Pos: c.Pos,
				Recordings: map[string][]Recorded{V1Classifier: one},
			})
		}
	case s.Text != "":
		d.trail.Trailhead = s
	}
}

func (d *decoder) draftStep(n *node, where string) {
	s := Step{Kind: ActionStep, Recordable: true, Pos: n.pos}
	for _, e := range d.mapping(n, where, "a step") {
		w := at(where, e.key)
		switch e.key {
		case "objective", "step":
			s.Text = d.text(e.value, w, e.key)
		case "tools":
			s.Recordings = map[string][]Recorded{V1Classifier: d.calls(e.value, w)}
		case "recordable", "maxRetries":
			d.option(&s, e, w)
		default:
			d.unknown(e, w, "", []string{"objective", "tools", "recordable", "maxRetries"})
		}
	}
	if s.Text == "" && n.kind == kindMapping {
		d.errorf(n.pos, where, `Say what the step does: "objective: …".`, "this step has no objective")
	}
	d.neverRecorded(&s, n, where)
	d.trail.Steps = append(d.trail.Steps, s)
}
