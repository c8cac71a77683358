package trail

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// Encode writes t in the unified format. Defaults are left out. A v1 trail is converted first; its config.platform
// names the device class of its recordings.
func Encode(t *Trail) ([]byte, error) {
	if t.Format == V1 || t.Format == Draft {
		var err error
		if t, _, err = Convert(t, strings.ToLower(t.Config.Platform)); err != nil {
			return nil, err
		}
	}
	return encode(t, nil)
}

func encode(t *Trail, comments map[int][]string) ([]byte, error) {
	e := &emitter{comments: comments}
	e.above(0, 0)
	if cfg, err := configNode(&t.Config); err != nil {
		return nil, err
	} else if len(cfg.entries) > 0 {
		e.entry(0, "", "config", cfg)
	}
	if t.Trailhead != nil {
		e.gap()
		if err := e.trailhead(t.Trailhead); err != nil {
			return nil, err
		}
	}
	if len(t.Steps) > 0 {
		e.gap()
		e.line(0, "trail:")
		for i := range t.Steps {
			if err := e.step(2, &t.Steps[i]); err != nil {
				return nil, fault.New(fault.Invalid, "encode trail", "step %d: %w", i+1, err)
			}
		}
	}
	for _, line := range sortedLines(comments) { // what found no place
		e.above(0, line)
	}
	if len(e.lines) == 0 {
		return nil, fault.New(fault.Invalid, "encode trail", "the trail is empty")
	}
	return e.bytes(), nil
}

func sortedLines(m map[int][]string) []int { return slices.Sorted(maps.Keys(m)) }

func (e *emitter) gap() {
	if len(e.lines) > 0 {
		e.lines = append(e.lines, "")
	}
}

// step writes one step with its dash at indent.
func (e *emitter) step(indent int, s *Step) error {
	if strings.TrimSpace(s.Text) == "" {
		return fault.New(fault.Invalid, "", "it has no text")
	}
	e.above(indent, s.Pos.Line)
	key := "step"
	if s.Kind == VerifyStep {
		key = "verify"
	}
	e.entry(indent+2, "- ", key, strNode(strings.TrimSpace(s.Text)))
	if s.On != "" {
		e.line(indent+2, "on: "+scalarText(s.On)) // plain, as people write it; it is no boolean where a key stands
	}
	if s.Together {
		e.line(indent+2, "together: true")
	}
	keys := sortedKeys(s.Recordings)
	if len(keys) > 0 {
		e.line(indent+2, "recording:")
	}
	for _, k := range keys {
		if err := e.class(indent+4, indent+6, k, s.Recordings[k]); err != nil {
			return err
		}
	}
	if !s.Recordable {
		e.line(indent+2, "recordable: false")
	}
	e.retries(indent+2, s)
	return nil
}

func (e *emitter) retries(indent int, s *Step) {
	if s.MaxRetries != nil {
		e.line(indent, "maxRetries: "+strconv.Itoa(*s.MaxRetries))
	}
}

// class writes "web:" and the calls below it, their dashes at dash.
func (e *emitter) class(indent, dash int, classifier string, calls []Recorded) error {
	if !classifierName().MatchString(classifier) {
		return fault.New(fault.Invalid, "", "the recording is for no device class (%q)", classifier).
			WithHint("Convert the trail for a device class first.")
	}
	if len(calls) == 0 {
		e.line(indent, scalarText(classifier)+": []")
		return nil
	}
	e.line(indent, scalarText(classifier)+":")
	for _, c := range calls {
		if err := e.call(dash, c); err != nil {
			return err
		}
	}
	return nil
}

func (e *emitter) call(dash int, c Recorded) error {
	args, err := callArgs(c)
	if err != nil {
		return err
	}
	e.above(dash, c.Pos.Line)
	e.entry(dash+2, "- ", c.Name, args)
	e.hash(dash+2, c)
	return nil
}

func callArgs(c Recorded) (*node, error) {
	if !toolName().MatchString(c.Name) {
		return nil, fault.New(fault.Invalid, "", "%q cannot name a tool", c.Name)
	}
	args, err := jsonNode(c.Args)
	if err != nil {
		return nil, fault.New(fault.Invalid, "", "the arguments of %s are no JSON: %w", c.Name, err)
	}
	switch args.kind {
	case kindMapping:
		return args, nil
	case kindNull:
		return &node{kind: kindMapping}, nil
	}
	return nil, fault.New(fault.Invalid, "", "the arguments of %s are no object", c.Name)
}

func (e *emitter) trailhead(s *Step) error {
	e.above(0, s.Pos.Line)
	e.line(0, "trailhead:")
	text := strings.TrimSpace(s.Text)
	if text == "" {
		return fault.New(fault.Invalid, "encode trail", "the trailhead has no text")
	}
	e.entry(2, "", "step", strNode(text))
	keys := sortedKeys(s.Recordings)
	if len(keys) > 0 {
		e.line(2, "recording:")
	}
	for _, k := range keys {
		if err := e.headClass(4, k, s.Recordings[k]); err != nil {
			return fault.New(fault.Invalid, "encode trail", "trailhead: %w", err)
		}
	}
	e.retries(2, s)
	return nil
}

// headClass writes a trailhead's "web:" and its one call below it.
func (e *emitter) headClass(indent int, classifier string, calls []Recorded) error {
	switch {
	case !classifierName().MatchString(classifier):
		return fault.New(fault.Invalid, "", "the recording is for no device class (%q)", classifier)
	case len(calls) > 1:
		return fault.New(fault.Invalid, "", "%d calls for %s; a trailhead has one", len(calls), classifier)
	case len(calls) == 0:
		e.line(indent, scalarText(classifier)+": {}")
		return nil
	}
	args, err := callArgs(calls[0])
	if err != nil {
		return err
	}
	e.line(indent, scalarText(classifier)+":")
	e.above(indent+2, calls[0].Pos.Line)
	e.entry(indent+2, "", calls[0].Name, args)
	e.hash(indent+2, calls[0])
	return nil
}

// hash writes which content of the tool the call was recorded with, beside the call.
func (e *emitter) hash(indent int, c Recorded) {
	if c.Hash != "" {
		e.entry(indent, "", hashKey, strNode(c.Hash))
	}
}

// configNode makes the config mapping in its canonical order.
func configNode(c *Config) (*node, error) {
	n := &node{kind: kindMapping}
	text := func(key, v string) {
		if v != "" {
			n.entries = append(n.entries, entry{key: key, value: strNode(v)})
		}
	}
	table := func(key string, m map[string]string) {
		if len(m) == 0 {
			return
		}
		t := &node{kind: kindMapping}
		for _, k := range sortedKeys(m) {
			t.entries = append(t.entries, entry{key: k, value: strNode(m[k])})
		}
		n.entries = append(n.entries, entry{key: key, value: t})
	}
	text("id", c.ID)
	text("title", c.Title)
	text("description", c.Description)
	text("priority", c.Priority)
	text("target", c.Target)
	table("devices", c.Devices)
	if len(c.Actors) > 0 {
		t := &node{kind: kindMapping}
		for _, a := range c.Actors {
			device := []entry{{key: "device", value: strNode(a.Device)}}
			t.entries = append(t.entries, entry{key: a.Name, value: &node{kind: kindMapping, entries: device}})
		}
		n.entries = append(n.entries, entry{key: "actors", value: t})
	}
	table("requires", c.Requires)
	table("skip", c.Skip)
	if len(c.Tags) > 0 {
		t := &node{kind: kindSequence}
		for _, tag := range c.Tags {
			t.items = append(t.items, strNode(tag))
		}
		n.entries = append(n.entries, entry{key: "tags", value: t})
	}
	text("context", c.Context)
	table("memory", c.Memory)
	if len(c.Args) > 0 {
		t := &node{kind: kindMapping}
		for _, a := range c.Args {
			v, err := argNode(a)
			if err != nil {
				return nil, err
			}
			t.entries = append(t.entries, entry{key: a.Name, value: v})
		}
		n.entries = append(n.entries, entry{key: "args", value: t})
	}
	table("metadata", c.Metadata)
	return n, nil
}

func argNode(a Arg) (*node, error) {
	if a.Description == "" && a.Default == nil {
		return strNode(a.Type), nil
	}
	n := &node{kind: kindMapping, entries: []entry{{key: "type", value: strNode(a.Type)}}}
	if a.Default != nil {
		v, err := jsonNode(a.Default)
		if err != nil {
			return nil, fault.New(fault.Invalid, "encode trail", "the default of argument %q is no JSON: %w", a.Name, err)
		}
		n.entries = append(n.entries, entry{key: "default", value: v})
	}
	if a.Description != "" {
		n.entries = append(n.entries, entry{key: "description", value: strNode(a.Description)})
	}
	return n, nil
}
