package mcpproxy

import (
	"bytes"
	"encoding/json"
)

// surface is the top level of a JSON-RPC line.
type surface struct {
	id      json.RawMessage // nil for a notification
	written json.RawMessage // the id as written, null too
	method  string          // "" for an answer
	params  json.RawMessage
	failed  bool // an answer that is an error
}

// read reads the top level of an object without decoding the values. With early it stops as soon as
// it has the id of an answer, whose body may be megabytes of picture. ok is false for a line that
// is no JSON-RPC message.
func read(line []byte, early bool) (m surface, ok bool) {
	s := scanner{b: line}
	if !s.take('{') {
		return m, false
	}
	body := false
	for {
		key, more := s.key()
		if !more {
			return m, !s.bad && (m.method != "" || body && m.id != nil)
		}
		if key == "result" || key == "error" {
			body, m.failed = true, m.failed || key == "error"
			if early && m.id != nil {
				return m, true
			}
		}
		if value := s.value(); value == nil || !m.set(key, value) {
			return m, false
		}
	}
}

// set keeps the value of a key that matters; false says that it cannot be one.
func (m *surface) set(key string, value json.RawMessage) bool {
	switch key {
	case "id":
		if m.written = value; !bytes.Equal(value, []byte("null")) {
			m.id = value
		}
	case "method":
		return json.Unmarshal(value, &m.method) == nil
	case "params":
		m.params = value
	}
	return true
}

// scanner walks over JSON whose validity is checked elsewhere.
type scanner struct {
	b   []byte
	i   int
	bad bool
}

func (s *scanner) space() {
	for s.i < len(s.b) && (s.b[s.i] == ' ' || s.b[s.i] == '\t' || s.b[s.i] == '\r' || s.b[s.i] == '\n') {
		s.i++
	}
}

func (s *scanner) take(c byte) bool {
	s.space()
	if s.i < len(s.b) && s.b[s.i] == c {
		s.i++
		return true
	}
	return false
}

// key reads the next key of an object and its colon; false at the object's end.
func (s *scanner) key() (string, bool) {
	if s.take('}') {
		s.space()
		s.bad = s.bad || s.i != len(s.b)
		return "", false
	}
	s.take(',')
	s.space()
	raw := s.text()
	if raw == nil || !s.take(':') {
		s.bad = true
		return "", false
	}
	return string(raw[1 : len(raw)-1]), true
}

// text reads a string with its quotes.
func (s *scanner) text() []byte {
	if s.i >= len(s.b) || s.b[s.i] != '"' {
		return nil
	}
	from := s.i
	for s.i++; s.i < len(s.b); s.i++ {
		j := bytes.IndexByte(s.b[s.i:], '"')
		if j < 0 {
			break
		}
		if k := bytes.IndexByte(s.b[s.i:s.i+j], '\\'); k >= 0 {
			s.i += k + 1 // at the escaped character
			continue
		}
		s.i += j + 1
		return s.b[from:s.i]
	}
	s.bad = true
	return nil
}

// value reads one value of any kind.
func (s *scanner) value() []byte {
	s.space()
	from, depth := s.i, 0
	for s.i < len(s.b) {
		switch s.b[s.i] {
		case '"':
			if s.text() == nil {
				return nil
			}
			if depth == 0 {
				return s.b[from:s.i]
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return s.word(from)
			}
			if depth--; depth == 0 {
				s.i++
				return s.b[from:s.i]
			}
		case ',', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return s.word(from)
			}
		}
		s.i++
	}
	s.bad = true
	return nil
}

// word is a number, true, false or null that began at from.
func (s *scanner) word(from int) []byte {
	if s.i == from {
		s.bad = true
		return nil
	}
	return s.b[from:s.i]
}
