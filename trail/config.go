package trail

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
)

var (
	unifiedConfigKeys = []string{"id", "title", "description", "priority", "target", "devices", "requires", "actors",
		"skip", "tags", "context", "memory", "args", "metadata"}
	v1ConfigKeys = []string{"id", "title", "description", "priority", "source", "target", "platform", "driver",
		"skip", "tags", "context", "memory", "args", "metadata"}
	argKeys  = []string{"type", "description", "default", "required"}
	argTypes = []string{"string", "integer", "boolean", "array", "object"}
)

// Bridge keys of Config.Metadata, under which v1's "source" mapping is kept.
const (
	metaSource       = "source"
	metaSourceReason = "sourceReason"
)

// config reads the head of a trail.
func (d *decoder) config(n *node, where string, known []string) {
	if n.kind == kindNull {
		return // "config:" with nothing below: all fields are optional
	}
	for _, e := range d.mapping(n, where, "config") {
		if d.olderConfig(e, at(where, e.key)) {
			continue
		}
		if !slices.Contains(known, e.key) {
			d.unknown(e, at(where, e.key), d.configInstead(e.key), known)
			continue
		}
		d.configField(e, at(where, e.key))
	}
}

// olderConfig reads the keys of files that were written for older versions. Each gets a warning.
func (d *decoder) olderConfig(e entry, where string) bool {
	switch e.key {
	case "app", "targetApp":
		d.warnf(e.pos, where, `Write "target:".`, "%q is the older name of target", e.key)
		if s := d.text(e.value, where, "config."+e.key); d.trail.Config.Target == "" {
			d.trail.Config.Target = s
		}
	case "electron":
		d.warnf(e.pos, where, "Remove it; the rest of the trail is read.",
			"the older key \"electron\" has no effect: it says how to start an Electron app")
	default:
		return false
	}
	return true
}

// configInstead knows the keys that belong to the other format.
func (d *decoder) configInstead(key string) string {
	unified := d.trail.Format == Unified
	switch {
	case unified && (key == "platform" || key == "driver"):
		return `A unified trail names its devices: "devices: {web: PLAYWRIGHT_NATIVE}".`
	case unified && key == "source":
		return `A unified trail keeps it as "metadata: {source: HANDWRITTEN}".`
	case unified && (key == "recording" || key == "steps"):
		return `Steps stand under "trail:", beside "config:".`
	case !unified && key == "devices":
		return `A v1 trail is for one device: "platform: web" and "driver: PLAYWRIGHT_NATIVE".`
	}
	return ""
}

func (d *decoder) configField(e entry, where string) {
	c, v := &d.trail.Config, e.value
	what := "config." + e.key
	texts := map[string]*string{"id": &c.ID, "title": &c.Title, "description": &c.Description, "priority": &c.Priority,
		"target": &c.Target, "context": &c.Context, "platform": &c.Platform}
	if to := texts[e.key]; to != nil {
		*to = d.text(v, where, what)
		return
	}
	switch e.key {
	case "driver":
		if s := d.text(v, where, what); s != "" {
			c.Devices = map[string]string{V1Classifier: s}
		}
	case "tags":
		c.Tags = d.strings(v, where, what)
	case "memory":
		c.Memory = d.stringMap(v, where, what, "Memory values are plain text.")
	case "metadata":
		c.Metadata = d.metadata(d.stringMap(v, where, what, ""))
	case "source":
		d.v1Source(v, where)
	case "devices":
		c.Devices = d.stringMap(v, where, what, "Write the driver's name alone: web: PLAYWRIGHT_NATIVE.")
		d.classifiers(v, where)
	case "actors":
		d.actors(v, where)
	case "requires":
		c.Requires = d.requires(v, where)
	case "skip":
		d.skip(v, where)
	case "args":
		d.args(v, where)
	}
}

func (d *decoder) metadata(m map[string]string) map[string]string {
	if d.trail.Config.Metadata == nil {
		return m
	}
	maps.Copy(d.trail.Config.Metadata, m)
	return d.trail.Config.Metadata
}

func (d *decoder) v1Source(n *node, where string) {
	if n.kind == kindString {
		d.trail.Config.Metadata = d.metadata(map[string]string{metaSource: n.text})
		return
	}
	m := map[string]string{}
	for _, e := range d.mapping(n, where, "config.source") {
		switch e.key {
		case "type":
			m[metaSource] = d.text(e.value, at(where, e.key), "config.source.type")
		case "reason":
			m[metaSourceReason] = d.text(e.value, at(where, e.key), "config.source.reason")
		default:
			d.unknown(e, at(where, e.key), "", []string{"type", "reason"})
		}
	}
	d.trail.Config.Metadata = d.metadata(m)
}

func (d *decoder) skip(n *node, where string) {
	if d.trail.Format == Unified {
		hint := ""
		if n.kind == kindString {
			hint = `Name the device class: skip: {web: ` + quote(n.text) + `}.`
		}
		d.trail.Config.Skip = d.stringMap(n, where, "config.skip", hint)
		d.classifiers(n, where)
		return
	}
	if n.kind == kindMapping {
		d.errorf(n.pos, where, `A v1 trail is for one device: skip: "the reason".`,
			"config.skip must be a string in a v1 trail")
		return
	}
	if s := d.text(n, where, "config.skip"); s != "" {
		d.trail.Config.Skip = map[string]string{V1Classifier: s}
	}
}

// classifiers reports keys that can name no device class.
func (d *valueReader) classifiers(n *node, where string) {
	for _, e := range n.entries {
		d.classifier(e, where)
	}
}

var classifierName = regex.Lazy(`^[A-Za-z0-9_.]+(-[A-Za-z0-9_.]+)*$`)

func (d *valueReader) classifier(e entry, where string) bool {
	if classifierName().MatchString(e.key) {
		return true
	}
	d.errorf(e.pos, at(where, e.key), "A device class is one word or words joined by hyphens: web, android-phone.",
		"%q is no device class", e.key)
	return false
}

var argName = regex.Lazy(`^[A-Za-z_][A-Za-z0-9_]*$`)

func (d *decoder) args(n *node, where string) {
	for _, e := range d.mapping(n, where, "config.args") {
		w := at(where, e.key)
		if !argName().MatchString(e.key) {
			d.errorf(e.pos, w, "Names have letters, digits and _, and do not start with a digit.",
				"%q cannot name an argument", e.key)
			continue
		}
		a := Arg{Name: e.key, Pos: e.pos}
		switch e.value.kind {
		case kindMapping:
			d.argFields(&a, e.value, w)
		case kindString:
			a.Type = e.value.text
			d.argType(&a, e.value, w)
		default:
			d.errorf(e.value.pos, w, `Write "`+e.key+`: string", or a mapping with type, default and description.`,
				"argument %q must be a type or a mapping, not %s", e.key, e.value.describe())
			continue
		}
		d.trail.Config.Args = append(d.trail.Config.Args, a)
	}
}

func (d *valueReader) argType(a *Arg, n *node, where string) bool {
	if slices.Contains(argTypes, a.Type) {
		return true
	}
	hint := didYouMean(a.Type, argTypes)
	switch a.Type {
	case "int", "number", "long":
		hint = `Did you mean "integer"?`
	case "list":
		hint = `Did you mean "array"?`
	case "map":
		hint = `Did you mean "object"?`
	}
	if hint == "" {
		hint = "Types are " + oneOf(argTypes) + "."
	}
	d.errorf(n.pos, where, hint, "argument %q has the unknown type %q", a.Name, a.Type)
	a.Type = "string"
	return false
}

func (d *decoder) argFields(a *Arg, n *node, where string) {
	typed := true
	if t := n.get("type"); t == nil {
		d.errorf(n.pos, where, "Types are "+oneOf(argTypes)+".", "argument %q has no type", a.Name)
		a.Type, typed = "string", false
	} else if a.Type = d.text(t, at(where, "type"), "the type of argument "+quote(a.Name)); t.scalar() {
		typed = d.argType(a, t, where)
	}
	for _, e := range n.entries {
		w := at(where, e.key)
		switch e.key {
		case "type":
		case "description":
			a.Description = d.text(e.value, w, "the description of argument "+quote(a.Name))
		case "required":
			d.argRequired(a, e, n.get("default") != nil, w)
		case "default":
			if typed {
				d.argDefault(a, e.value, w)
			}
		default:
			d.unknown(e, w, "", argKeys)
		}
	}
}

func (d *valueReader) argRequired(a *Arg, e entry, hasDefault bool, where string) {
	required, ok := d.boolean(e.value, where, "required of argument "+quote(a.Name))
	switch {
	case !ok:
	case required && hasDefault:
		d.errorf(e.pos, where, "Remove one of them: an argument without a default is required.",
			"argument %q is required and has a default", a.Name)
	case !required && !hasDefault:
		d.errorf(e.pos, where, "Give it a default; that alone makes it optional.",
			"argument %q is not required and has no default", a.Name)
	}
}

func (d *valueReader) argDefault(a *Arg, n *node, where string) {
	if n.kind == kindNull {
		d.errorf(n.pos, where, `Remove "default:" to make it required.`, "the default of argument %q is null", a.Name)
		return
	}
	if a.Type == "string" && n.scalar() {
		a.Default = appendString(nil, n.text) // as spelled: 1.0 stays "1.0"
		return
	}
	v, err := decodeJSON(n.appendJSON(nil))
	if err == nil {
		v, err = coerce(a.Type, v)
	}
	if err != nil {
		d.errorf(n.pos, where, "", "the default of argument %q: %s", a.Name, strings.TrimSpace(err.Error()))
		return
	}
	if a.Type == "array" || a.Type == "object" {
		a.Default = json.RawMessage(n.appendJSON(nil)) // key order and number spelling are the author's
		return
	}
	a.Default, _ = json.Marshal(v)
}
