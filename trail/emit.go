package trail

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
)

// emitter writes YAML in upstream's style: two spaces a level, block scalars for texts of several lines, plain scalars
// unless they could be read as something else.
type emitter struct {
	lines    []string
	comments map[int][]string // whole-line comments by the source line they stand above, to be carried over
}

func (e *emitter) line(indent int, text string) {
	e.lines = append(e.lines, strings.Repeat(" ", indent)+text)
}

// above writes the comments that stood above a source line.
func (e *emitter) above(indent, line int) {
	for _, c := range e.comments[line] {
		e.line(indent, c)
	}
	delete(e.comments, line)
}

func (e *emitter) bytes() []byte {
	return []byte(strings.Join(e.lines, "\n") + "\n")
}

// entry writes "prefix key: value", with the rest of a long value on the lines below it, indented from indent. prefix
// is "" or "- ", in which case indent is the column of the key behind it.
func (e *emitter) entry(indent int, prefix, key string, v *node) {
	e.value(indent, prefix+scalarText(key)+":", len(prefix), v)
}

// value writes head and v behind or below it; head starts back columns left of indent.
func (e *emitter) value(indent int, head string, back int, v *node) {
	at := indent - back
	switch {
	case v.kind == kindMapping && len(v.entries) > 0:
		e.line(at, head)
		for _, c := range v.entries {
			e.entry(indent+2, "", c.key, c.value)
		}
	case v.kind == kindSequence && len(v.items) > 0:
		e.line(at, head)
		for _, it := range v.items {
			e.item(indent+2, it)
		}
	case v.kind == kindString && blockable(v.text):
		mark := "|-"
		if strings.HasSuffix(v.text, "\n") {
			mark = "|"
		}
		e.line(at, head+" "+mark)
		for l := range strings.SplitSeq(strings.TrimSuffix(v.text, "\n"), "\n") {
			if l == "" {
				e.lines = append(e.lines, "")
			} else {
				e.line(indent+2, l)
			}
		}
	default:
		e.line(at, head+" "+inline(v))
	}
}

// item writes one list item with its dash at indent.
func (e *emitter) item(indent int, v *node) {
	switch {
	case v.kind == kindMapping && len(v.entries) > 0:
		prefix := "- "
		for _, c := range v.entries {
			e.entry(indent+2, prefix, c.key, c.value)
			prefix = ""
		}
	case v.kind == kindSequence && len(v.items) > 0:
		e.line(indent, "-")
		for _, it := range v.items {
			e.item(indent+2, it)
		}
	default:
		e.value(indent, "-", 0, v)
	}
}

// inline writes a value that fits behind its key.
func inline(v *node) string {
	switch v.kind {
	case kindMapping:
		return "{}"
	case kindSequence:
		return "[]"
	case kindNull:
		return "null"
	case kindBool:
		return strings.ToLower(v.text)
	case kindInt, kindFloat:
		return v.number
	}
	return scalarText(v.text)
}

// blockable reports whether a text of several lines survives as a block scalar, even in editors that trim lines.
func blockable(s string) bool {
	if !strings.Contains(strings.TrimSuffix(s, "\n"), "\n") || strings.HasSuffix(s, "\n\n") || !printable(s, true) {
		return false
	}
	for i, l := range strings.Split(s, "\n") {
		if l != strings.TrimRight(l, " \t") || i == 0 && (l == "" || l[0] == ' ') || l != "" && l[0] == '\t' {
			return false
		}
	}
	return true
}

func printable(s string, lines bool) bool {
	for _, c := range s {
		switch {
		case c == '\n' && lines, c == '\t' && lines:
		case !unicode.IsPrint(c), c == unicode.ReplacementChar:
			return false
		}
	}
	return true
}

// ambiguous are texts that some YAML version reads as no string: words of 1.1, numbers with underscores, times, dates.
var ambiguous = regex.Lazy(`(?i)^(y|n|yes|no|on|off|null|true|false|=|.*<<|` +
	`[-+.]?[0-9][0-9_,.:eExXobTZ+ -]*|[-+]?\.(inf|nan).*|0[xob].*|[-+]?[0-9.]+e[-+0-9]+|~)$`)

// scalarText spells a string that stands on one line.
func scalarText(s string) string {
	switch {
	case !printable(s, false):
		return doubleQuoted(s)
	case plainSafe(s):
		return s
	case strings.ContainsAny(s, `\"`) && !strings.Contains(s, "'"):
		return "'" + s + "'"
	}
	return doubleQuoted(s)
}

func plainSafe(s string) bool {
	if s == "" || strings.TrimSpace(s) != s || strings.ContainsRune("-?:,[]{}#&*!|>'\"%@`=~", rune(s[0])) {
		return false
	}
	if k, _ := plain(s); k != kindString || ambiguous().MatchString(s) {
		return false
	}
	return !strings.Contains(s, ": ") && !strings.Contains(s, " #") && !strings.HasSuffix(s, ":") &&
		!strings.HasPrefix(s, "---") && !strings.HasPrefix(s, "...")
}

func doubleQuoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range s {
		switch {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteRune(c)
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\t':
			b.WriteString(`\t`)
		case c == '\r':
			b.WriteString(`\r`)
		case unicode.IsPrint(c):
			b.WriteRune(c)
		case c < 0x100:
			fmt.Fprintf(&b, `\x%02x`, c)
		case c < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, c)
		default:
			fmt.Fprintf(&b, `\U%08x`, c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// jsonNode reads a JSON value as a node, keeping key order and number spelling.
func jsonNode(raw []byte) (*node, error) {
	if len(raw) == 0 {
		return &node{kind: kindMapping}, nil
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	n, err := jsonValue(dec)
	if err == nil && dec.More() {
		err = fmt.Errorf("more than one JSON value")
	}
	return n, err
}

func jsonValue(dec *json.Decoder) (*node, error) {
	tok, err := dec.Token()
	if err != nil {
		return nil, err
	}
	switch v := tok.(type) {
	case json.Delim:
		if v == '[' {
			return jsonList(dec)
		}
		return jsonObject(dec)
	case string:
		return strNode(v), nil
	case json.Number:
		k := kindInt
		if strings.ContainsAny(v.String(), ".eE") {
			k = kindFloat
		}
		return &node{kind: k, number: v.String(), text: v.String()}, nil
	case bool:
		return &node{kind: kindBool, text: fmt.Sprint(v)}, nil
	}
	return &node{kind: kindNull, text: "null"}, nil
}

func jsonList(dec *json.Decoder) (*node, error) {
	n := &node{kind: kindSequence}
	for dec.More() {
		it, err := jsonValue(dec)
		if err != nil {
			return nil, err
		}
		n.items = append(n.items, it)
	}
	_, err := dec.Token()
	return n, err
}

func jsonObject(dec *json.Decoder) (*node, error) {
	n := &node{kind: kindMapping}
	for dec.More() {
		tok, err := dec.Token()
		if err != nil {
			return nil, err
		}
		v, err := jsonValue(dec)
		if err != nil {
			return nil, err
		}
		key, _ := tok.(string)
		// The last value of a repeated key counts, as everywhere in JSON; YAML would refuse both.
		if i := slices.IndexFunc(n.entries, func(e entry) bool { return e.key == key }); i >= 0 {
			n.entries[i].value = v
			continue
		}
		n.entries = append(n.entries, entry{key: key, value: v})
	}
	_, err := dec.Token()
	return n, err
}

func strNode(s string) *node { return &node{kind: kindString, text: s, quoted: true} }
