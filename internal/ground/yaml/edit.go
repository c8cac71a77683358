package yaml

import (
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// Edit changes one key of a mapping below a top key of a text: it sets the value, written as YAML, or takes the key out
// where value is nil. All else stays, comments and layout too. Places come from the tree, and text is cut there; a
// layout that cannot be cut so, such as a flow mapping over several lines, gives false. The caller reads the outcome
// back.
func Edit(text, top, key string, value *string) (string, bool) {
	e := editor{end: "\n"}
	if strings.Contains(text, "\r\n") {
		e.end, text = "\r\n", strings.ReplaceAll(text, "\r\n", "\n")
	}
	file, err := Parse(text)
	if err == nil {
		e.tokens, err = Tokens(text)
	}
	if err != nil {
		return "", false
	}
	if text = strings.TrimSuffix(text, "\n"); text != "" {
		e.lines = strings.Split(text, "\n")
	}
	var root []Entry
	if len(file.Docs) > 0 {
		root, _ = Entries(file.Docs[0].Body)
	}
	at := slices.IndexFunc(root, func(r Entry) bool { return r.Key == top })
	switch {
	case at >= 0:
		if !e.edit(root[at], key, value) {
			return "", false
		}
	case value != nil:
		e.lines = append(e.lines, top+":", "  "+key+": "+*value)
	}
	return strings.Join(e.lines, e.end) + e.end, true
}

// editor changes the lines of a text.
type editor struct {
	tokens token.Tokens
	lines  []string
	end    string // of a line
}

// edit changes a key of the mapping that an entry holds.
func (e *editor) edit(r Entry, key string, value *string) bool {
	line := r.Colon.Line
	head, rest := e.cut(r.Colon)
	if Null(r.Value) {
		if value != nil {
			e.lines[line-1] = head + rest
			e.lines = slices.Insert(e.lines, line, "  "+key+": "+*value)
		}
		return true
	}
	entries, ok := Entries(r.Value)
	if !ok {
		return false
	}
	at := slices.IndexFunc(entries, func(k Entry) bool { return k.Key == key })
	if m, is := r.Value.(*ast.MappingNode); is && m.IsFlowStyle {
		return e.flow(r, m, entries, at, key, value)
	}
	switch {
	case at < 0 && value == nil:
		return true
	case at < 0:
		indent := strings.Repeat(" ", entries[0].Pos.Col-1)
		e.lines = slices.Insert(e.lines, e.last(line), indent+key+": "+*value)
	case value != nil:
		k := entries[at]
		if _, plain := Scalar(k.Value); !plain && !Null(k.Value) {
			return false
		}
		head, rest := e.cut(k.Colon)
		e.lines[k.Colon.Line-1] = head + " " + *value + rest
	default:
		if len(entries) == 1 {
			e.lines[line-1] = head + " {}" + rest
		}
		e.lines = slices.Delete(e.lines, entries[at].Pos.Line-1, entries[at].Pos.Line)
	}
	return true
}

// flow changes a key of a mapping such as { a: 1, b: 2 } on the line of its own key.
func (e *editor) flow(r Entry, m *ast.MappingNode, entries []Entry, at int, key string, value *string) bool {
	line, end := r.Colon.Line, PosOf(m.End)
	if m.End == nil || end.Line != line || PosOf(m.Start).Line != line {
		return false
	}
	runes := []rune(e.lines[line-1])
	var items []string
	for i, k := range entries {
		to := end.Col
		if i+1 < len(entries) {
			to = entries[i+1].Pos.Col
		}
		if to > len(runes)+1 || k.Pos.Col > to {
			return false
		}
		items = append(items, strings.TrimRight(string(runes[k.Pos.Col-1:to-1]), ", "))
	}
	switch {
	case value != nil && at >= 0:
		items[at] = key + ": " + *value
	case value != nil:
		items = append(items, key+": "+*value)
	case at >= 0:
		items = slices.Delete(items, at, at+1)
	}
	text := "{}"
	if len(items) > 0 {
		text = "{ " + strings.Join(items, ", ") + " }"
	}
	head, rest := e.cut(r.Colon)
	e.lines[line-1] = head + " " + text + rest
	return true
}

// cut returns a line up to and with a colon, and after the value that follows: a comment, with the blanks before it.
func (e *editor) cut(colon Pos) (head, rest string) {
	line := []rune(e.lines[colon.Line-1])
	colon.Col = min(colon.Col, len(line))
	end := len(line)
	for _, t := range e.tokens {
		if t.Type == token.CommentType && t.Position.Line == colon.Line {
			end = min(max(t.Position.Column-1, colon.Col), end)
		}
	}
	text := string(line[colon.Col:end])
	return string(line[:colon.Col]), text[len(strings.TrimRight(text, " \t")):] + string(line[end:])
}

// last returns the last line of the block mapping whose own key stands on a line; blank lines and comments at its end
// are not of it.
func (e *editor) last(line int) int {
	last := line
	for i, text := range e.lines[line:] {
		switch trimmed := strings.TrimSpace(text); {
		case trimmed == "" || trimmed[0] == '#':
			continue
		case text[0] != ' ':
			return last
		}
		last = line + i + 1
	}
	return last
}
