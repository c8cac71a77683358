package trail

import (
	"strconv"
	"strings"
)

// mapping returns the entries of n, or reports that it is none. The message names its purpose.
func (d *valueReader) mapping(n *node, where, what string) []entry {
	if n.kind != kindMapping {
		d.errorf(n.pos, where, "", "%s must be a mapping (key: value), not %s", what, n.describe())
		return nil
	}
	return n.entries
}

// list returns the items of n, or reports that it is no list.
func (d *valueReader) list(n *node, where, what, hint string) []*node {
	if n.kind != kindSequence {
		d.errorf(n.pos, where, hint, "%s must be a list, not %s", what, n.describe())
		return nil
	}
	return n.items
}

// str returns a scalar as the author spelled it: title: 123 is "123".
func (d *valueReader) str(n *node, where, what string) string {
	if !n.scalar() {
		d.errorf(n.pos, where, "", "%s must be a string, not %s", what, n.describe())
		return ""
	}
	return n.text
}

// text decodes a text for people; white space around it means nothing.
func (d *valueReader) text(n *node, where, what string) string {
	return strings.TrimSpace(d.str(n, where, what))
}

func (d *valueReader) boolean(n *node, where, what string) (v, ok bool) {
	if n.kind == kindBool {
		return strings.EqualFold(n.text, "true"), true
	}
	hint := "Write true or false."
	switch strings.ToLower(n.text) {
	case "yes", "on", "y":
		hint = "Write true; YAML 1.2 has no yes and on."
	case "no", "off", "n":
		hint = "Write false; YAML 1.2 has no no and off."
	case "true", "false":
		hint = "Remove the quotes."
	}
	d.errorf(n.pos, where, hint, "%s must be true or false, not %s", what, n.describe())
	return false, false
}

func (d *valueReader) count(n *node, where, what string) *int {
	if n.kind == kindInt {
		if v, err := strconv.Atoi(n.number); err == nil && v >= 0 {
			return &v
		}
	}
	hint := ""
	if k, _ := plain(n.text); n.kind == kindString && n.quoted && k == kindInt {
		hint = "Remove the quotes."
	}
	d.errorf(n.pos, where, hint, "%s must be a whole number from 0 up, not %s", what, n.describe())
	return nil
}

// stringMap reads a mapping whose values are scalars.
func (d *valueReader) stringMap(n *node, where, what, hint string) map[string]string {
	if n.kind != kindMapping {
		d.errorf(n.pos, where, hint, "%s must be a mapping (key: value), not %s", what, n.describe())
		return nil
	}
	out := make(map[string]string, len(n.entries))
	for _, e := range n.entries {
		if !e.value.scalar() {
			d.errorf(e.value.pos, at(where, e.key), hint, "%s.%s must be a plain value, not %s", what, e.key, e.value.describe())
			continue
		}
		out[e.key] = e.value.text
	}
	return out
}

func (d *valueReader) strings(n *node, where, what string) []string {
	hint := ""
	if n.kind == kindString {
		hint = "Write [" + n.text + "]."
	}
	var out []string
	for i, it := range d.list(n, where, what, hint) {
		if s := d.text(it, item(where, i), "an item of "+what); s != "" {
			out = append(out, s)
		} else if it.scalar() {
			d.errorf(it.pos, item(where, i), "", "an item of %s is empty", what)
		}
	}
	return out
}
