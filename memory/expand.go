package memory

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// Expand replaces the tokens in all string values of a JSON document. A value that is a single token takes the JSON
// type of the token's value; inside a longer text its printed form is spliced in. Replacements are not expanded
// again. A token without a value stays as it is and gives a warning, once per session.
func (s *Store) Expand(raw json.RawMessage) (json.RawMessage, []string, error) {
	return s.ExpandWith(Params{}, raw)
}

// ExpandString is Expand for one text.
func (s *Store) ExpandString(text string) (string, []string, error) {
	e := &expander{lookup: s.lookup, store: s}
	s.mu.Lock()
	defer s.mu.Unlock()
	out, err := e.splice(text, tokens(text))
	return out, e.warnings, err
}

// ExpandWith is Expand with parameters, which shadow what the store knows under the same name. See Params.
func (s *Store) ExpandWith(p Params, raw json.RawMessage) (json.RawMessage, []string, error) {
	if len(raw) == 0 {
		return raw, nil, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	e := &expander{lookup: s.lookup, params: p, store: s}
	out, err := rewrite(raw, e.leaf)
	if err != nil {
		return nil, nil, fault.Wrap(err, fault.Invalid, "expand tokens")
	}
	return out, e.warnings, nil
}

// lookup finds what a token's name stands for.
func (s *Store) lookup(name string) (any, bool) {
	if rest, ok := strings.CutPrefix(name, "args."); ok {
		return walk(s.args, rest)
	}
	if v, ok := s.values[s.key(name)]; ok {
		return v, true
	}
	first, rest, dotted := strings.Cut(name, ".")
	if dotted && s.owners[first] {
		of := first
		first, rest, dotted = strings.Cut(rest, ".")
		first = of + "." + first
	}
	v, ok := s.values[s.key(first)]
	if !dotted || !ok {
		return nil, false
	}
	return walk(v, rest)
}

// walk follows a dotted path through maps and lists.
func walk(at any, dotted string) (any, bool) {
	for part := range strings.SplitSeq(dotted, ".") {
		switch v := at.(type) {
		case map[string]any:
			next, ok := v[part]
			if !ok {
				return nil, false
			}
			at = next
		case []any:
			i, err := strconv.Atoi(part)
			if err != nil || i < 0 || i >= len(v) {
				return nil, false
			}
			at = v[i]
		default:
			return nil, false
		}
	}
	return at, true
}

// expander expands one document.
type expander struct {
	lookup   func(string) (any, bool)
	params   Params
	store    *Store // nil: only parameters are expanded, and all else is left for later
	warnings []string
	grown    int // bytes that were put in
}

// maxExpanded limits the replacements of the tokens of a call, measured as JSON.
const maxExpanded = 16 << 20

// grow counts a value before it is put in: a few tokens can stand for more than there is memory.
func (e *expander) grow(v any) error {
	e.grown += e.cost(v, maxExpanded-e.grown)
	if e.grown <= maxExpanded {
		return nil
	}
	return fault.New(fault.Invalid, "", "the tokens of one call stand for more than %d MiB", maxExpanded>>20).
		WithHint("Use fewer tokens, or remember shorter values.")
}

// cost returns the number of bytes of a value; beyond left it is not counted to its end.
func (e *expander) cost(v any, left int) int {
	n := 2
	switch v := v.(type) {
	case string:
		return n + e.textCost(v, left)
	case map[string]any:
		for k, x := range v {
			if n += e.cost(k, left-n) + e.cost(x, left-n) + 2; n > left {
				break
			}
		}
	case []any:
		for _, x := range v {
			if n += e.cost(x, left-n) + 1; n > left {
				break
			}
		}
	default:
		n += 30
	}
	return n
}

func (e *expander) textCost(v string, left int) int {
	n := len(v)
	for i := 0; i < len(v) && n <= left; i++ {
		switch c := v[i]; {
		case c < ' ' || c == '"' || c == '\\' || c >= 0x80:
			n += 5
		case e.store == nil && (c == '{' || c == '$'):
			n += len(braceEscape)
		}
	}
	return n
}

func (e *expander) leaf(s string) (edit, error) {
	toks := tokens(s)
	if len(toks) == 0 {
		return edit{}, nil
	}
	if t := toks[0]; len(toks) == 1 && t.from == 0 && t.to == len(s) && !t.escape() {
		return e.expandToken(s, t)
	}
	out, err := e.splice(s, toks)
	if err != nil || out == s {
		return edit{}, err
	}
	return edit{value: quoteJSON(out)}, nil
}

func (e *expander) expandToken(s string, t token) (edit, error) {
	v, what, err := e.find(t)
	if err != nil {
		return edit{}, err
	}
	switch what {
	case found:
		if err := e.grow(v); err != nil {
			return edit{}, err
		}
		raw, err := encodeJSON(e.insert(v))
		if err != nil {
			return edit{}, fmt.Errorf("token %s: %w", s, err)
		}
		return edit{value: raw}, nil
	case later:
		if spelled, partly := v.(string); partly {
			return edit{value: quoteJSON(spelled)}, nil
		}
	case omitted:
		if t.optional {
			return edit{drop: true}, nil
		}
		return edit{value: json.RawMessage("null")}, nil
	case unknown:
		if t.optional {
			return edit{drop: true}, nil
		}
		e.warn(s)
		if e.store.blank {
			return edit{value: json.RawMessage(`""`)}, nil
		}
	}
	return edit{}, nil
}

func (e *expander) splice(s string, toks []token) (string, error) {
	var b strings.Builder
	done := 0
	for _, t := range toks {
		b.WriteString(s[done:t.from])
		done = t.to
		spelled := s[t.from:t.to]
		if t.escape() {
			if e.store == nil {
				b.WriteString(spelled)
			} else {
				b.WriteString(t.literal)
			}
			continue
		}
		v, what, err := e.find(t)
		if err != nil {
			return "", err
		}
		switch what {
		case found:
			if !scalar(v) {
				e.warnText("token " + spelled + " names a list or an object, which a text cannot hold; it is left as it is")
				b.WriteString(spelled)
				continue
			}
			if err := e.grow(v); err != nil {
				return "", err
			}
			b.WriteString(text(e.insert(v)))
		case omitted:
		case unknown:
			if t.optional {
				continue
			}
			e.warn(spelled)
			if !e.store.blank {
				b.WriteString(spelled)
			}
		case later:
			if partly, ok := v.(string); ok {
				spelled = partly
			}
			b.WriteString(spelled)
		}
	}
	b.WriteString(s[done:])
	return b.String(), nil
}

// outcome is the result of looking a token up.
type outcome int

const (
	found   outcome = iota
	omitted         // a declared parameter that was not given
	unknown
	later // not ours to expand
)

func (e *expander) find(t token) (any, outcome, error) {
	if t.bad != "" {
		return nil, 0, fault.New(fault.Invalid, "", "token {{%s}}: %s", t.name, t.bad).
			WithHint("Only {{args.name}}, {{args.name.field}} and sums such as {{args.name + 1}} are read; nothing else is " +
				"evaluated.")
	}
	if t.sum != nil {
		return e.compute(t)
	}
	if !t.memory {
		if v, what, err := e.params.find(t.name); err != nil || what != unknown {
			return v, what, err
		}
	}
	if e.store == nil {
		return nil, later, nil
	}
	if v, ok := e.lookup(t.name); ok {
		return v, found, nil
	}
	return nil, unknown, nil
}

// insert is the value as it is put in. When the result will be expanded again its tokens are escaped: they are data.
func (e *expander) insert(v any) any {
	if e.store != nil {
		return v
	}
	return escapeAll(v)
}

func escapeAll(v any) any {
	switch v := v.(type) {
	case string:
		return Escape(v)
	case map[string]any:
		c := make(map[string]any, len(v))
		for k, x := range v {
			c[k] = escapeAll(x)
		}
		return c
	case []any:
		c := make([]any, len(v))
		for i, x := range v {
			c[i] = escapeAll(x)
		}
		return c
	}
	return v
}

func (e *expander) warn(spelled string) {
	if e.store.blank {
		e.warnText("token " + spelled + " names nothing that is remembered; it is replaced by nothing")
		return
	}
	e.warnText("token " + spelled + " names nothing that is remembered; it is left as it is")
}

// maxWarned bounds the warnings that are remembered: a client can make up tokens without end.
const maxWarned = 500

func (e *expander) warnText(msg string) {
	if e.store == nil || e.store.warned[msg] {
		return
	}
	if len(e.store.warned) >= maxWarned {
		clear(e.store.warned) // some are told again
	}
	e.store.warned[msg] = true
	e.warnings = append(e.warnings, msg)
}

func scalar(v any) bool {
	switch v.(type) {
	case map[string]any, []any:
		return false
	}
	return true
}

// text prints a scalar as part of a text; null is nothing.
func text(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	}
	raw, err := encodeJSON(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(raw)
}
