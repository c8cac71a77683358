package trail

import (
	"bytes"
	"encoding/json"
	"strings"
)

// node is a YAML value with aliases resolved, tags applied and every part's place. The tree is immutable once built;
// an anchored value is shared by all its aliases.
type node struct {
	kind    kind
	pos     Pos
	text    string // scalars: the value as a string; for plain ones the author's spelling
	number  string // JSON spelling of a number, "" when JSON has none
	quoted  bool
	flow    bool
	end     Pos // flow collections: their closing bracket
	last    int // quoted strings and block scalars: their last line
	alias   bool
	entries []entry
	items   []*node
	weight  int // bytes of the whole subtree written out, aliases expanded
	depth   int
}

type entry struct {
	key    string
	pos    Pos
	value  *node
	merged bool // came in by "<<"
}

func (n *node) get(key string) *node {
	for _, e := range n.entries {
		if e.key == key {
			return e.value
		}
	}
	return nil
}

func (n *node) scalar() bool { return n.kind != kindMapping && n.kind != kindSequence }

// describe describes a node for a message.
func (n *node) describe() string {
	switch {
	case n.kind == kindNull && n.text == "":
		return "nothing"
	case n.kind == kindString && n.text == "":
		return "an empty string"
	case n.kind == kindString && len(n.text) <= 30 && !strings.Contains(n.text, "\n"):
		return "the string " + quote(n.text)
	case n.scalar() && n.kind != kindString:
		return string(n.kind) + " (" + n.text + ")"
	}
	return string(n.kind)
}

func quote(s string) string { return string(appendString(nil, s)) }

// appendJSON writes the node as JSON, keeping key order and number spelling.
func (n *node) appendJSON(b []byte) []byte {
	switch n.kind {
	case kindMapping:
		b = append(b, '{')
		for i, e := range n.entries {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendString(b, e.key), ':')
			b = e.value.appendJSON(b)
		}
		return append(b, '}')
	case kindSequence:
		b = append(b, '[')
		for i, it := range n.items {
			if i > 0 {
				b = append(b, ',')
			}
			b = it.appendJSON(b)
		}
		return append(b, ']')
	case kindString:
		return appendString(b, n.text)
	case kindNull:
		return append(b, "null"...)
	case kindBool:
		return append(b, strings.ToLower(n.text)...)
	}
	if n.number == "" {
		return append(b, "null"...)
	}
	return append(b, n.number...)
}

// appendString quotes s as JSON without HTML escapes, which are hard to read in a trail.
func appendString(b []byte, s string) []byte {
	simple := true
	for i := range len(s) {
		if s[i] < ' ' || s[i] == '"' || s[i] == '\\' || s[i] >= 0x7f {
			simple = false
			break
		}
	}
	if simple {
		b = append(b, '"')
		b = append(b, s...)
		return append(b, '"')
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		return append(b, `""`...)
	}
	return append(b, bytes.TrimSuffix(buf.Bytes(), []byte("\n"))...)
}
