package trail

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxSource bounds a file. The largest trails seen have about a hundred kilobytes.
const maxSource = 8 << 20

// source is a file's text as the YAML scanner gets it: no byte order mark, "\n" line ends. Lines and columns are those
// of the file itself.
type source struct {
	path  string
	text  string
	lines []string
}

// newSource normalises data, or says why it is no text.
func newSource(path string, data []byte) (*source, *Problem) {
	s := &source{path: path}
	fail := func(at Pos, hint, format string, args ...any) (*source, *Problem) {
		return s, &Problem{Path: path, Pos: at, Severity: SeverityError, Message: fmt.Sprintf(format, args...), Hint: hint}
	}
	start := Pos{Line: 1, Col: 1}
	switch {
	case len(data) > maxSource:
		return fail(start, "Split it: one trail is one flow.", "the file has %d bytes, more than the %d a trail may have",
			len(data), maxSource)
	case bytes.HasPrefix(data, []byte{0xff, 0xfe}), bytes.HasPrefix(data, []byte{0xfe, 0xff}):
		return fail(start, "Save it as UTF-8.", "the file is UTF-16, not UTF-8")
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	s.text = strings.ReplaceAll(strings.ToValidUTF8(string(data), "\ufffd"), "\r\n", "\n")
	s.text = strings.ReplaceAll(s.text, "\r", "\n")
	s.lines = strings.Split(s.text, "\n")
	if at, c, ok := firstBad(data); !ok {
		if c == utf8.RuneError {
			return fail(at, "Save it as UTF-8.", "the file is not UTF-8: byte 0x%02x", data[offsetOf(data, at)])
		}
		return fail(at, "Remove it, or write it as an escape in a double-quoted string.",
			"control character U+%04X is not allowed in YAML", c)
	}
	return s, nil
}

// firstBad finds the first byte that no YAML file may have.
func firstBad(data []byte) (Pos, rune, bool) {
	at := Pos{Line: 1, Col: 1}
	for i := 0; i < len(data); {
		c, n := utf8.DecodeRune(data[i:])
		if c == utf8.RuneError && n == 1 {
			return at, utf8.RuneError, false
		}
		if c < ' ' && c != '\t' && c != '\n' && c != '\r' || c == 0x7f {
			return at, c, false
		}
		i += n
		if c == '\n' || c == '\r' && (i >= len(data) || data[i] != '\n') {
			at = Pos{Line: at.Line + 1, Col: 1}
		} else {
			at.Col++
		}
	}
	return at, 0, true
}

func offsetOf(data []byte, want Pos) int {
	at := Pos{Line: 1, Col: 1}
	for i := 0; i < len(data); {
		if at == want {
			return i
		}
		c, n := utf8.DecodeRune(data[i:])
		i += n
		if c == '\n' || c == '\r' && (i >= len(data) || data[i] != '\n') {
			at = Pos{Line: at.Line + 1, Col: 1}
		} else {
			at.Col++
		}
	}
	return len(data) - 1
}

// clamp moves a position into the text, should the scanner have counted past it.
func (s *source) clamp(p Pos) Pos {
	if len(s.lines) == 0 {
		return Pos{Line: 1, Col: 1}
	}
	p.Line = min(max(p.Line, 1), len(s.lines))
	p.Col = min(max(p.Col, 1), utf8.RuneCountInString(s.lines[p.Line-1])+1)
	return p
}

// Excerpt shows the line of p in a trail file and a caret under its column, as the problems of Parse do; "" when
// there is no such line.
func Excerpt(data []byte, p Pos) string {
	src, bad := newSource("", data)
	if bad != nil {
		return ""
	}
	return src.excerpt(p)
}

// excerptWidth limits the part of a long line in an excerpt.
const excerptWidth = 100

// excerpt shows the line of p and a caret under its column.
func (s *source) excerpt(p Pos) string {
	if p.Line < 1 || p.Line > len(s.lines) {
		return ""
	}
	line := []rune(s.lines[p.Line-1])
	for i, c := range line {
		switch {
		case c == '\t':
			line[i] = '→'
		case !unicode.IsPrint(c):
			line[i] = '\ufffd'
		}
	}
	col := p.Col - 1
	before, after := "", ""
	if col > excerptWidth*3/4 {
		cut := col - excerptWidth/2
		line, col, before = line[cut:], col-cut+1, "…"
	}
	if len(line) > excerptWidth {
		line, after = line[:excerptWidth], "…"
	}
	gutter := fmt.Sprintf("%5d | ", p.Line)
	return gutter + before + string(line) + after + "\n" + strings.Repeat(" ", len(gutter)-2) + "| " +
		strings.Repeat(" ", max(col, 0)) + "^"
}
