package trail

import (
	"errors"
	"strings"

	"github.com/trailblaze-dev/trailblaze/internal/ground/yaml"
)

// syntax reports where the YAML itself is broken. The library stops at the first such place.
func (r *reader) syntax(err error) {
	at, message, located := yaml.Locate(err)
	if !located {
		r.errorf(at, "", "not readable as YAML: %v", err)
		return
	}
	p := r.clamp(at)
	if over := (*yaml.Error)(nil); errors.As(err, &over) {
		r.errorf(p, "Simplify the file, or split it.", "%s", over.GetMessage())
		return
	}
	if next, ok := r.overIndented(p, message); ok {
		r.errorf(next, "Keys of one mapping start in the same column; a value may go on below only without \": \".",
			"this line is indented deeper than the one above it, which already has a value")
		return
	}
	msg, hint := explain(message, r.lines[p.Line-1])
	r.errorf(p, hint, "%s", msg)
}

// overIndented finds the line that the library, having read it as part of the value above, does not name.
func (r *reader) overIndented(p Pos, msg string) (Pos, bool) {
	line := []rune(r.lines[p.Line-1])
	if !strings.Contains(msg, "mapping value is not allowed") ||
		strings.Contains(string(line[min(p.Col-1, len(line)):])+" ", ": ") {
		return p, false
	}
	for i := p.Line; i < len(r.lines); i++ {
		if trimmed := strings.TrimLeft(r.lines[i], " "); trimmed != "" {
			return Pos{Line: i + 1, Col: len(r.lines[i]) - len(trimmed) + 1}, true
		}
	}
	return p, false
}

// explain puts the library's terse words into ones that say what to do.
func explain(msg, line string) (text, hint string) {
	for _, x := range explanations {
		if strings.Contains(msg, x.has) {
			if x.hint == "" || !strings.Contains(line, "{{") {
				return x.text, x.hint
			}
			return x.text, `A value that starts with "{{" must be quoted: "{{name}}".`
		}
	}
	if strings.Contains(line, ": {{") || strings.Contains(line, "- {{") {
		return "broken YAML: " + msg, `A value that starts with "{{" must be quoted: "{{name}}".`
	}
	return "broken YAML: " + msg, ""
}

var explanations = []struct{ has, text, hint string }{
	{"mapping value is not allowed in this context", `a ": " where none can be`,
		`Quote a text that contains ": ", or mend the indentation of the next line.`},
	{"double-quoted text", `this double-quoted string never ends`, `Add the closing ", or write \" for a quote inside.`},
	{"single-quoted text", `this single-quoted string never ends`, `Add the closing ', or write '' for a quote inside.`},
	{"unknown escape character", `unknown escape in a double-quoted string`,
		`Write \\ for a backslash, or use single quotes.`},
	{"flow mapping end token", `this "{" is never closed`, `Add the missing "}".`},
	{"flow map content", `"{" begins a mapping here, and what follows is none`, `Quote a text that starts with "{".`},
	{"',' or ']' must be specified", `a list in [ ] needs "," between its items and "]" at its end`,
		`Add the missing "]" or ",".`},
	{"sequence end token", `this "[" is never closed`, `Add the missing "]".`},
	{"is a reserved character", `a plain text may not start with @ or a backquote`, `Quote it.`},
	{"corresponding to ']'", `this "]" closes nothing`, `Remove it, or quote the text.`},
	{"corresponding to '}'", `this "}" closes nothing`, `Remove it, or quote the text.`},
	{"block sequence entries are not allowed", `a list item cannot start on this line`,
		`Put "- " on a line of its own, indented.`},
	{"map key-value is pre-defined", `a stray value: this place already has one`,
		`Check the indentation, and quotes that end early.`},
	{"non-map value is specified", `this line does not fit the mapping it is indented under`,
		`Write "key: value", or mend the indentation.`},
	{"value is not allowed in this context", `this line does not fit the one above it`,
		`Items of one list and keys of one mapping start in the same column.`},
	{"found an invalid key", `this cannot be a key`, `Quote it.`},
}
