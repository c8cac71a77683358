package trail

import (
	"slices"
	"strings"
)

var (
	v1RootKeys      = []string{"config", "prompts", "tools", "trailhead"}
	v1TrailheadKeys = []string{"step", "tools", "maxRetries"}
	v1RecordingKeys = []string{"tools"}
)

// v1 reads the legacy list. It reports whether the list is a trail at all.
func (d *decoder) v1(root *node) bool {
	if isEnvelope(root) {
		d.errorf(root.pos, "", `Put the calls under a step, or give the list to --yaml.`,
			"this is a list of tool calls, not a trail")
		return false
	}
	began := false
	seen := map[string]bool{}
	for i, n := range root.items {
		where := item("", i)
		if n.kind != kindMapping || len(n.entries) == 0 {
			d.errorf(n.pos, where, "Items are "+oneOf(v1RootKeys)+".", "an item of a v1 trail must be a mapping, not %s",
				n.describe())
			continue
		}
		if len(n.entries) > 1 {
			d.errorf(n.entries[1].pos, where, `Put "- " before `+quote(n.entries[1].key)+", or indent it.",
				"an item of a v1 trail has one key; this one has %d", len(n.entries))
		}
		e := n.entries[0]
		w := at(where, e.key)
		switch e.key {
		case "config":
			if i != 0 || seen[e.key] {
				d.errorf(e.pos, w, "Move it to the top.", "config must be the first item, and only once")
			}
			d.config(e.value, w, v1ConfigKeys)
		case "trailhead":
			if seen[e.key] {
				d.errorf(e.pos, w, "Keep one.", "a trail has one trailhead")
			} else if began {
				d.errorf(e.pos, w, "Move it up.", "the trailhead must come before prompts and tools")
			}
			d.v1Trailhead(e, w)
		case "prompts":
			began = true
			d.v1Prompts(e, w)
		case "tools":
			began = true
			d.v1Tools(e, w)
		default:
			d.unknown(e, w, rootInsteadV1(e.key), v1RootKeys)
		}
		seen[e.key] = true
	}
	d.v1Complete(root)
	return true
}

func rootInsteadV1(key string) string {
	switch key {
	case "step", "verify":
		return `Steps stand under "- prompts:"; or write "trail:" above the list.`
	case "trail":
		return `A unified trail is no list: remove the "- ".`
	}
	return ""
}

// v1Complete reports a list with nothing to do in it.
func (d *decoder) v1Complete(root *node) {
	if len(d.trail.Steps) > 0 || len(d.problems.Errors()) > 0 {
		return
	}
	if d.trail.Trailhead != nil {
		d.errorf(d.trail.Trailhead.Pos, "", `Add "- prompts:" with at least one step.`,
			"a trailhead without steps leads nowhere")
	} else if !slices.ContainsFunc(root.items, func(n *node) bool { return n.get("config") != nil }) {
		d.errorf(root.pos, "", `Add "- prompts:" with at least one step.`, "the trail has no steps")
	}
}

// isEnvelope is whether a list is one of tool calls: no item has a reserved key, and at least one looks like a call.
func isEnvelope(root *node) bool {
	for _, n := range root.items {
		if n.kind != kindMapping || len(n.entries) != 1 {
			return false
		}
		key := n.entries[0].key
		v := n.entries[0].value
		if slices.Contains(v1RootKeys, key) || key == "step" || key == "verify" || key == "trail" ||
			v.kind != kindMapping && v.kind != kindNull {
			return false
		}
		if didYouMean(key, v1RootKeys) != "" {
			return false
		}
	}
	return len(root.items) > 0
}

// v1Trailhead reads the string shorthand, a tool's name, or {step, tools, maxRetries}.
func (d *decoder) v1Trailhead(e entry, where string) {
	s := &Step{Kind: TrailheadStep, Recordable: true, Pos: e.pos}
	d.trail.Trailhead = s
	n := e.value
	if n.kind == kindString {
		s.Text = n.text
		c, ok := d.callEntry(entry{key: strings.TrimSpace(n.text), pos: n.pos, value: &node{kind: kindNull}}, where)
		if ok {
			s.Recordings = map[string][]Recorded{V1Classifier: {c}}
		}
		return
	}
	for _, e := range d.mapping(n, where, "trailhead") {
		w := at(where, e.key)
		switch e.key {
		case "step":
			s.Text = d.text(e.value, w, "step")
		case "tools":
			s.Recordings = map[string][]Recorded{V1Classifier: d.calls(e.value, w)}
		case "maxRetries":
			s.MaxRetries = d.count(e.value, w, "maxRetries")
		default:
			d.unknown(e, w, "", v1TrailheadKeys)
		}
	}
	if s.Text == "" {
		s.Text = callNames(s.Recordings[V1Classifier])
	}
}

func (d *decoder) v1Prompts(e entry, where string) {
	for i, n := range d.list(e.value, where, "prompts", "") {
		w := item(where, i)
		s := Step{Kind: ActionStep, Recordable: true, Pos: n.pos}
		if n.kind != kindMapping {
			d.errorf(n.pos, w, stepHint(n), "a step must be a mapping with step or verify, not %s", n.describe())
			continue
		}
		d.sentence(&s, n, w)
		for _, e := range n.entries {
			w := at(w, e.key)
			switch e.key {
			case "step", "verify":
			case "recordable":
				if v, ok := d.boolean(e.value, w, "recordable"); ok {
					s.Recordable = v
				}
			case "maxRetries":
				s.MaxRetries = d.count(e.value, w, "maxRetries")
			case "recording":
				s.Recordings = d.v1Recording(e, w)
			default:
				d.unknown(e, w, v1StepInstead(e.key), stepKeys)
			}
		}
		d.neverRecorded(&s, n, w)
		d.trail.Steps = append(d.trail.Steps, s)
	}
}

func v1StepInstead(key string) string {
	if key == "tools" {
		return `Calls stand under "recording:": recording: {tools: [...]}.`
	}
	return stepInstead(key)
}

func (d *decoder) v1Recording(e entry, where string) map[string][]Recorded {
	var out map[string][]Recorded
	if e.value.kind != kindMapping || e.value.get("tools") == nil {
		d.errorf(e.value.pos, where, `Write "recording: {tools: [...]}"; an empty list means "nothing to do".`,
			"a v1 recording must have tools")
		return nil
	}
	for _, r := range e.value.entries {
		if r.key != "tools" {
			d.unknown(r, at(where, r.key), "", v1RecordingKeys)
			continue
		}
		if r.value.kind == kindNull {
			d.errorf(r.pos, at(where, r.key), `Write "tools: []" for "nothing to do".`, "tools is empty")
			continue
		}
		out = map[string][]Recorded{V1Classifier: d.calls(r.value, at(where, r.key))}
	}
	return out
}

// v1Tools reads root-level calls, which always run and never ask a model.
func (d *decoder) v1Tools(e entry, where string) {
	calls := d.calls(e.value, where)
	if e.value.kind == kindSequence && len(calls) == 0 && len(e.value.items) == 0 {
		d.warnf(e.pos, where, "Remove it.", "tools is empty and does nothing")
		return
	}
	d.trail.Steps = append(d.trail.Steps, Step{
		Kind: ToolsStep, Text: callNames(calls), Recordable: true, Pos: e.pos,
		Recordings: map[string][]Recorded{V1Classifier: calls},
	})
}

// callNames is the text of a step that only lists calls.
func callNames(calls []Recorded) string {
	names := make([]string, len(calls))
	for i, c := range calls {
		names[i] = c.Name
	}
	if len(names) == 0 {
		return "Do nothing"
	}
	return "Run " + strings.Join(names, ", ")
}
