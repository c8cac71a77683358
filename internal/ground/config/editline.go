package config

import (
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
)

// The text of a settings file is changed line by line, because a YAML writer would lose comments and layout. edit
// proves the outcome, so it refuses a file that is not understood here.

// entry is "  key: value # comment".
var entry = regex.Lazy(`^(\s*)(?:([\w-]+)|"([\w-]+)"|'([\w-]+)')(\s*:)(?:([ \t]+)(.*))?$`)

type line struct {
	indent   int
	key      string
	head     string // up to and with the colon
	value    string // without its comment
	comment  string // with the space before it
	isEntry  bool
	nothing  bool // blank, or only a comment
	original string
}

func parseLine(s string) line {
	l := line{original: s, indent: len(s) - len(strings.TrimLeft(s, " "))}
	trimmed := strings.TrimSpace(s)
	l.nothing = trimmed == "" || strings.HasPrefix(trimmed, "#")
	m := entry().FindStringSubmatch(s)
	if m == nil || l.nothing {
		return l
	}
	l.isEntry = true
	l.key = m[2] + m[3] + m[4]
	l.head = s[:len(s)-len(m[6])-len(m[7])]
	l.value, l.comment = splitComment(m[6] + m[7])
	return l
}

// splitComment parts a value from the comment behind it.
func splitComment(s string) (value, comment string) {
	var quote byte
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quote == '"' && c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case (c == '"' || c == '\'') && (strings.TrimSpace(s[:i]) == "" || strings.Contains(s[:i], "{")):
			quote = c
		case c == '#' && (i == 0 || s[i-1] == ' ' || s[i-1] == '\t'):
			value = strings.TrimRight(s[:i], " \t")
			return strings.TrimSpace(value), s[len(value):]
		}
	}
	return strings.TrimSpace(s), ""
}

func splitLines(text string) (lines []string, end string) {
	end = "\n"
	if strings.Contains(text, "\r\n") {
		end = "\r\n"
	}
	text = strings.TrimSuffix(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	if text == "" {
		return nil, end
	}
	return strings.Split(text, "\n"), end
}

// block finds "defaults:" and the lines below that belong to it: lines[at] and lines[at+1:to].
func block(lines []string) (at, to int) {
	at = slices.IndexFunc(lines, func(s string) bool {
		l := parseLine(s)
		return l.isEntry && l.indent == 0 && l.key == "defaults"
	})
	if at < 0 {
		return -1, -1
	}
	to = at + 1
	for i := at + 1; i < len(lines); i++ {
		l := parseLine(lines[i])
		if l.nothing {
			continue
		}
		if l.indent == 0 {
			break
		}
		to = i + 1
	}
	return at, to
}

// assign sets a key's value in the text of a file.
func assign(text, key, value string) string {
	lines, end := splitLines(text)
	at, to := block(lines)
	if at < 0 {
		return strings.Join(append(lines, "defaults:", "  "+key+": "+value), end) + end
	}
	top := parseLine(lines[at])
	if flow, ok := flowOf(top.value); ok {
		lines[at] = top.head + " " + flow.set(key, value).String() + top.comment
		return strings.Join(lines, end) + end
	}
	indent := 0
	for i := at + 1; i < to; i++ {
		l := parseLine(lines[i])
		if l.nothing {
			continue
		}
		if indent == 0 {
			indent = l.indent
		}
		if l.isEntry && l.indent == indent && l.key == key {
			lines[i] = l.head + " " + value + l.comment
			return strings.Join(lines, end) + end
		}
	}
	if indent == 0 {
		indent = 2
		if slices.Contains([]string{"null", "~"}, top.value) {
			lines[at] = top.head + top.comment // "defaults: null" becomes a mapping
		}
	}
	return strings.Join(slices.Insert(lines, to, strings.Repeat(" ", indent)+key+": "+value), end) + end
}

// remove takes a key out of the text of a file.
func remove(text, key string) string {
	lines, end := splitLines(text)
	at, to := block(lines)
	if at < 0 {
		return text
	}
	top := parseLine(lines[at])
	if flow, ok := flowOf(top.value); ok {
		lines[at] = top.head + " " + flow.unset(key).String() + top.comment
		return strings.Join(lines, end) + end
	}
	others, found := 0, -1
	for i := at + 1; i < to; i++ {
		switch l := parseLine(lines[i]); {
		case l.isEntry && l.key == key && found < 0:
			found = i
		case !l.nothing:
			others++
		}
	}
	if found < 0 {
		return text
	}
	lines = slices.Delete(lines, found, found+1)
	if others == 0 {
		lines[at] = top.head + " {}" + top.comment
	}
	return strings.Join(lines, end) + end
}

// flow is "{ a: 1, b: 2 }" on one line, with simple values.
type flow []string

var simpleFlow = regex.Lazy(`^\{\s*((?:[\w-]+\s*:\s*(?:"(?:[^"\\]|\\.)*"|[^,{}\[\]"']+)\s*,?\s*)*)\}$`)

var flowItem = regex.Lazy(`[\w-]+\s*:\s*(?:"(?:[^"\\]|\\.)*"|[^,{}\[\]"']+)`)

func flowOf(s string) (flow, bool) {
	m := simpleFlow().FindStringSubmatch(s)
	if m == nil {
		return nil, false
	}
	var f flow
	for _, item := range flowItem().FindAllString(m[1], -1) {
		f = append(f, strings.TrimSpace(item))
	}
	return f, true
}

func (f flow) index(key string) int {
	return slices.IndexFunc(f, func(item string) bool {
		k, _, _ := strings.Cut(item, ":")
		return strings.TrimSpace(k) == key
	})
}

func (f flow) set(key, value string) flow {
	item := key + ": " + value
	if i := f.index(key); i >= 0 {
		f[i] = item
		return f
	}
	return append(f, item)
}

func (f flow) unset(key string) flow {
	if i := f.index(key); i >= 0 {
		return slices.Delete(f, i, i+1)
	}
	return f
}

func (f flow) String() string {
	if len(f) == 0 {
		return "{}"
	}
	return "{ " + strings.Join(f, ", ") + " }"
}
