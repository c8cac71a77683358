package memory

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// token is one place in a string that names a value.
type token struct {
	from, to int    // bytes of the string, delimiters included
	name     string // without "memory."; with "args." or "params."
	optional bool   // {{?name}}
	memory   bool   // spelled "memory.", so that no parameter shadows it
	literal  string // of an escape token: what it stands for
	sum      *sum   // {{count + 1}}: what it computes; it has no name then
	bad      string // why what follows "args." is no path
}

func (t token) escape() bool { return t.literal != "" }

// The escape tokens give back the characters that would otherwise begin a token.
const (
	braceEscape  = "{{{}}" // stands for {
	dollarEscape = "{{$}}" // stands for $
)

// Escape returns s spelled so that expanding it gives s back: no token in it is seen, nor one that its ends would
// make with the text around it. Data that goes into arguments which are still to be expanded is escaped first.
func Escape(s string) string {
	if !strings.ContainsAny(s, "{$") {
		return s
	}
	var b strings.Builder
	for i := range len(s) {
		switch {
		case s[i] == '{':
			b.WriteString(braceEscape)
		case s[i] == '$' && (i+1 == len(s) || s[i+1] == '{'):
			b.WriteString(dollarEscape)
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// maxToken bounds a token, so that a text full of opening braces costs no more than its length.
const maxToken = 512

// reads are the tokens of the names that a token stands for: itself, or those that it computes with.
func (t token) reads() []token {
	switch {
	case t.sum != nil:
		return t.sum.names()
	case t.escape(), t.bad != "":
		return nil
	}
	return []token{t}
}

// tokens finds the tokens of s from left to right. Text that merely looks like one ("{{ a | upper }}", "${x.y()}")
// stays text, except after "args.", where a model might otherwise hope for an expression.
func tokens(s string) []token {
	var out []token
	for i := 0; i+1 < len(s); {
		switch {
		case s[i] == '{' && s[i+1] == '{':
			end := strings.Index(s[i+2:min(len(s), i+2+maxToken)], "}}")
			if end < 0 {
				i++
				continue
			}
			t, ok := braced(s[i+2 : i+2+end])
			if !ok {
				i++
				continue
			}
			t.from, t.to = i, i+2+end+2
			out, i = append(out, t), t.to
		case s[i] == '$' && s[i+1] == '{':
			end := strings.IndexByte(s[i+2:min(len(s), i+2+maxToken)], '}')
			if end < 0 || !simpleName(s[i+2:i+2+end]) {
				i++
				continue
			}
			t := token{from: i, to: i + 2 + end + 1, name: s[i+2 : i+2+end]}
			out, i = append(out, t), t.to
		default:
			i++
		}
	}
	return out
}

func braced(inner string) (token, bool) {
	switch inner {
	case "{":
		return token{literal: "{"}, true
	case "$":
		return token{literal: "$"}, true
	}
	t := token{name: strings.TrimSpace(inner)}
	if rest, ok := strings.CutPrefix(t.name, "?"); ok {
		t.optional, t.name = true, strings.TrimSpace(rest)
	}
	if s, ok := sumOf(t.name); ok {
		return token{sum: s, optional: t.optional}, true
	}
	if rest, ok := strings.CutPrefix(t.name, "args."); ok && !path(rest) {
		t.bad = fmt.Sprintf("%q is not a path of names joined by dots", t.name)
		return t, true
	}
	t.name, t.memory = strings.CutPrefix(t.name, "memory.")
	return t, path(t.name)
}

// path is names joined by dots; a name after the first may be a list index.
func path(s string) bool {
	for i, part := range strings.Split(s, ".") {
		if !simpleName(part) && (i == 0 || !digits(part)) {
			return false
		}
	}
	return true
}

func simpleName(s string) bool {
	for i := range len(s) {
		c := s[i]
		letter := c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z'
		if !letter && (i == 0 || c != '-' && (c < '0' || c > '9')) {
			return false
		}
	}
	return s != ""
}

func digits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// ArgsIn returns the names of the trail arguments that the tokens of a JSON document read, sorted.
func ArgsIn(raw json.RawMessage) []string {
	if !bytes.Contains(raw, []byte("args.")) {
		return nil
	}
	names := map[string]bool{}
	_, _ = rewrite(raw, func(s string) (edit, error) {
		for _, t := range tokens(s) {
			for _, one := range t.reads() {
				if rest, ok := strings.CutPrefix(one.name, "args."); ok {
					name, _, _ := strings.Cut(rest, ".")
					names[name] = true
				}
			}
		}
		return edit{}, nil
	})
	return sortedSet(names)
}
