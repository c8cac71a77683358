package trail

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
	"github.com/trailblaze-dev/trailblaze/tool"
)

var (
	rootKeys      = []string{"config", "trailhead", "trail"}
	stepKeys      = []string{"step", "verify", "recording", "recordable", "maxRetries", "on", "together"}
	trailheadKeys = []string{"step", "recording", "maxRetries"}
)

// unified reads the current format.
func (d *decoder) unified(root *node) {
	for _, e := range root.entries {
		switch e.key {
		case "config":
			d.config(e.value, "config", unifiedConfigKeys)
		case "trailhead":
			d.trailhead(e)
		case "trail":
			d.steps(e)
		default:
			d.unknown(e, e.key, rootInstead(e.key), rootKeys)
		}
	}
	d.cast()
	if root.get("trail") != nil {
		return
	}
	if head := root.get("trailhead"); head != nil {
		d.errorf(head.pos, "trailhead", `Add "trail:" with at least one step.`, "a trailhead without a trail leads nowhere")
	} else if root.get("config") == nil && len(d.problems.Errors()) == 0 {
		d.errorf(root.pos, "", `Add "trail:" with a list of steps.`, "the file has neither config nor trail")
	}
}

func rootInstead(key string) string {
	switch {
	case key == "prompts" || key == "steps":
		return `Steps stand under "trail:".`
	case key == "tools":
		return `Give the calls a step: "- step: …" with "recording: {web: […]}".`
	case slices.Contains(unifiedConfigKeys, key):
		return `It belongs under "config:".`
	}
	return ""
}

func (d *decoder) steps(e entry) {
	items := d.list(e.value, "trail", "trail", "")
	if e.value.kind == kindSequence && len(items) == 0 {
		d.errorf(e.pos, "trail", "Add a step, or leave the key out of a file that has only config.", "the trail has no steps")
	}
	for i, n := range items {
		if s, ok := d.step(n, item("trail", i)); ok {
			d.trail.Steps = append(d.trail.Steps, s)
		}
	}
}

// option reads what steps of every format have.
func (d *valueReader) option(s *Step, e entry, where string) {
	if e.key == "maxRetries" {
		s.MaxRetries = d.count(e.value, where, e.key)
		return
	}
	if v, ok := d.boolean(e.value, where, e.key); ok {
		s.Recordable = v
	}
}

// step reads a step of the unified format. It is kept even when parts of it are wrong, so that indexes hold.
func (d *decoder) step(n *node, where string) (Step, bool) {
	s := Step{Kind: ActionStep, Recordable: true, Pos: n.pos}
	if n.kind != kindMapping {
		d.errorf(n.pos, where, stepHint(n), "a step must be a mapping with step or verify, not %s", n.describe())
		return s, false
	}
	d.sentence(&s, n, where)
	for _, e := range n.entries {
		w := at(where, e.key)
		switch e.key {
		case "step", "verify":
		case "recording":
			s.Recordings = d.recordings(e, w)
		case "recordable", "maxRetries":
			d.option(&s, e, w)
		case "on":
			s.On = d.text(e.value, w, e.key)
		case "together":
			s.Together, _ = d.boolean(e.value, w, e.key)
		default:
			d.unknown(e, w, stepInstead(e.key), stepKeys)
		}
	}
	d.neverRecorded(&s, n, where)
	return s, true
}

func stepHint(n *node) string {
	if n.kind == kindString {
		return `Write "- step: ` + firstWords(n.text) + `".`
	}
	return ""
}

func stepInstead(key string) string {
	switch key {
	case "tools":
		return `Calls stand under "recording:", by device class: recording: {web: [...]}.`
	case "objective", "prompt":
		return `Write "step:".`
	case "assert", "check", "assertion":
		return `Write "verify:".`
	case "web", "android", "ios":
		return `Device classes stand under "recording:"; check the indentation.`
	}
	return ""
}

func firstWords(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return s
}

// sentence reads what the step says in plain language, without which a recording cannot be mended.
func (d *valueReader) sentence(s *Step, n *node, where string) {
	step, verify := n.get("step"), n.get("verify")
	switch {
	case step != nil && verify != nil:
		d.errorf(verify.pos, where, "Make two steps of it.", "a step has either step or verify, not both")
	case step == nil && verify == nil:
		d.errorf(n.pos, where, `Say what the step does: "step: …".`, "this step has neither step nor verify")
		return
	}
	key, v := "step", step
	if step == nil {
		key, v, s.Kind = "verify", verify, VerifyStep
	}
	s.Text = d.text(v, at(where, key), key)
	if s.Text == "" && v.scalar() {
		d.errorf(v.pos, at(where, key), "Say in plain words what is to be done.", "%s is empty", key)
	}
}

func (d *valueReader) neverRecorded(s *Step, n *node, where string) {
	if s.Recordable {
		return
	}
	for _, calls := range s.Recordings {
		if len(calls) > 0 {
			d.errorf(n.get("recordable").pos, at(where, "recordable"), "Remove the recording, or let the step be recordable.",
				"this step has a recording and says recordable: false")
			return
		}
	}
}

// recordings reads the map from device class to calls.
func (d *decoder) recordings(e entry, where string) map[string][]Recorded {
	if e.value.kind == kindSequence {
		d.errorf(e.value.pos, where, `Name the device class: "recording:", below it "web:", below that the calls.`,
			"recording must be a mapping from device class to calls, not a list")
		return nil
	}
	if e.value.kind == kindNull {
		d.errorf(e.pos, where, "Leave the key out; a step without recording is not declared for any device.",
			"recording is empty")
		return nil
	}
	out := map[string][]Recorded{}
	for _, r := range d.mapping(e.value, where, "recording") {
		w := at(where, r.key)
		if r.key == "tools" && r.value.kind == kindSequence {
			d.errorf(r.pos, w, `Write the device class in its place: "web:".`, `"recording: {tools: …}" is the v1 form`)
			continue
		}
		if !d.classifier(r, where) {
			continue
		}
		if r.value.kind == kindNull {
			d.errorf(r.pos, w, `Write "`+r.key+`: []" for "nothing to do here", or leave the key out.`,
				"the recording for %s is empty", r.key)
			continue
		}
		out[r.key] = d.calls(r.value, w)
	}
	return out
}

// calls reads a list of tool calls. It never returns nil, for nil would be "not declared".
func (d *valueReader) calls(n *node, where string) []Recorded {
	out := []Recorded{}
	what := "a list of calls"
	if n.kind != kindSequence {
		hint := ""
		if n.kind == kindMapping && len(n.entries) > 0 {
			hint = `Put "- " before ` + quote(n.entries[0].key) + "."
		}
		d.errorf(n.pos, where, hint, "a recording must be %s (- tool: {…}), not %s", what, n.describe())
		return out
	}
	for i, it := range n.items {
		if c, ok := d.call(it, item(where, i)); ok {
			out = append(out, c)
		}
	}
	return out
}

// call reads one {tool: {arguments}}.
func (d *valueReader) call(n *node, where string) (Recorded, bool) {
	switch {
	case n.kind == kindString && toolName().MatchString(n.text):
		d.errorf(n.pos, where, `Write "- `+n.text+`: {}".`, "a call must be a mapping from tool to arguments, not %s",
			n.describe())
		return Recorded{}, false
	case n.kind != kindMapping:
		d.errorf(n.pos, where, "", "a call must be a mapping from tool to arguments, not %s", n.describe())
		return Recorded{}, false
	case len(n.entries) == 0:
		d.errorf(n.pos, where, "", "this call names no tool")
		return Recorded{}, false
	}
	entries, hash := d.withoutHash(n.entries, where)
	if len(entries) != 1 {
		d.errorf(n.entries[1].pos, where, manyKeysHint(n), "a call has one key, the tool; this one has %d", len(entries))
		return Recorded{}, false
	}
	c, ok := d.callEntry(entries[0], where)
	c.Hash = hash
	return c, ok
}

// hashKey is the key beside the tool in a call: the content of the tool when the call was recorded.
const hashKey = "toolHash"

// withoutHash takes the hash of the tool off the keys of a call.
func (d *valueReader) withoutHash(entries []entry, where string) (rest []entry, hash string) {
	i := slices.IndexFunc(entries, func(e entry) bool { return e.key == hashKey })
	if i < 0 || len(entries) == 1 {
		return entries, ""
	}
	hash = d.text(entries[i].value, at(where, hashKey), hashKey)
	return slices.Delete(slices.Clone(entries), i, i+1), hash
}

// manyKeysHint distinguishes arguments that lost their indentation from two calls that lost a dash.
func manyKeysHint(n *node) string {
	if n.entries[0].value.kind == kindNull {
		return fmt.Sprintf("Indent %q and what follows below %q.", n.entries[1].key, n.entries[0].key)
	}
	return fmt.Sprintf(`Put "- " before %q to make it a call of its own.`, n.entries[1].key)
}

var toolName = regex.Lazy(`^[A-Za-z_][A-Za-z0-9_-]*$`)

func (d *valueReader) callEntry(e entry, where string) (Recorded, bool) {
	where = at(where, e.key)
	if !toolName().MatchString(e.key) {
		hint := "Tool names have letters, digits and underscores."
		if fixed := strings.NewReplacer(".", "_", " ", "_").Replace(e.key); toolName().MatchString(fixed) {
			hint = fmt.Sprintf("Did you mean %q?", fixed)
		}
		d.errorf(e.pos, where, hint, "%q cannot name a tool", e.key)
		return Recorded{}, false
	}
	args := json.RawMessage("{}")
	switch e.value.kind {
	case kindMapping:
		d.finite(e.value, where)
		args = e.value.appendJSON(nil)
	case kindNull:
	default:
		d.errorf(e.value.pos, where, "Name the argument: "+e.key+": {name: value}.",
			"the arguments of %s must be a mapping, not %s", e.key, e.value.describe())
		return Recorded{}, false
	}
	return Recorded{Call: tool.Call{Name: e.key, Args: args}, Pos: e.pos}, true
}

// finite reports numbers that JSON, and so a tool, cannot have.
func (d *valueReader) finite(n *node, where string) {
	if n.kind == kindFloat && n.number == "" {
		d.errorf(n.pos, where, "Quote it if it is text.", "a tool cannot take %s", n.text)
	}
	for _, e := range n.entries {
		d.finite(e.value, at(where, e.key))
	}
	for i, it := range n.items {
		d.finite(it, item(where, i))
	}
}

// trailhead reads the deterministic step 0: per device class one call, not a list.
func (d *decoder) trailhead(e entry) {
	n := e.value
	s := &Step{Kind: TrailheadStep, Recordable: true, Pos: e.pos}
	if n.kind != kindMapping {
		hint := ""
		if n.kind == kindString {
			hint = "Write a mapping: step: …, recording: {web: {" + n.text + ": {}}}."
		}
		d.errorf(n.pos, "trailhead", hint, "trailhead must be a mapping with step and recording, not %s", n.describe())
		return
	}
	if v := n.get("step"); v != nil {
		s.Text = d.text(v, "trailhead.step", "step")
	}
	if s.Text == "" {
		d.errorf(e.pos, "trailhead", `Say in plain words where it leads: "step: …".`, "the trailhead has no step")
	}
	for _, e := range n.entries {
		w := at("trailhead", e.key)
		switch e.key {
		case "step":
		case "recording":
			s.Recordings = d.headRecordings(e, w)
		case "maxRetries":
			s.MaxRetries = d.count(e.value, w, "maxRetries")
		case "verify":
			d.errorf(e.pos, w, "Make it the first step of the trail.", "a trailhead cannot verify")
		case "recordable":
			d.errorf(e.pos, w, "Remove it.", "a trailhead is always replayed; recordable has no meaning")
		default:
			d.unknown(e, w, stepInstead(e.key), trailheadKeys)
		}
	}
	d.trail.Trailhead = s
}

func (d *decoder) headRecordings(e entry, where string) map[string][]Recorded {
	if e.value.kind != kindMapping {
		d.errorf(e.value.pos, where, "", "recording must be a mapping from device class to one call, not %s",
			e.value.describe())
		return nil
	}
	out := map[string][]Recorded{}
	for _, r := range e.value.entries {
		w := at(where, r.key)
		if !d.classifier(r, where) {
			continue
		}
		switch {
		case r.value.kind == kindSequence:
			d.errorf(r.value.pos, w, `Remove the "- ": a trailhead has one call.`,
				"the trailhead's recording for %s must be a mapping, not a list", r.key)
		case r.value.kind == kindNull:
			d.errorf(r.pos, w, `Write "`+r.key+`: {}" for "nothing to do here", or leave the key out.`,
				"the recording for %s is empty", r.key)
		case r.value.kind != kindMapping:
			d.errorf(r.value.pos, w, "", "the trailhead's recording for %s must be a mapping, not %s", r.key, r.value.describe())
		case len(r.value.entries) == 0:
			out[r.key] = []Recorded{}
		default:
			entries, hash := d.withoutHash(r.value.entries, w)
			if len(entries) > 1 {
				d.errorf(entries[1].pos, w, "Make one tool of them, or move the others into the first steps.",
					"a trailhead has one call per device class; %s has %d", r.key, len(entries))
			} else if c, ok := d.callEntry(entries[0], w); ok {
				c.Hash = hash
				out[r.key] = []Recorded{c}
			}
		}
	}
	return out
}
