package memory

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/trailblaze-dev/trailblaze/memory/mask"
)

// edit is the change of a string leaf: none, another JSON value, or the end of its whole member or element.
type edit struct {
	value json.RawMessage
	drop  bool
}

var errNotJSON = errors.New("not a JSON document")

// rewrite calls leaf for every string value of a JSON document and applies what it says. Bytes that no edit touches
// stay as they are: key order, number spelling, white space.
func rewrite(raw json.RawMessage, leaf func(string) (edit, error)) (json.RawMessage, error) {
	if !json.Valid(raw) {
		return nil, errNotJSON
	}
	if !bytes.ContainsRune(raw, '"') {
		return raw, nil
	}
	w := &rewriter{in: raw, leaf: leaf}
	if drop, err := w.value(); err != nil {
		return nil, err
	} else if drop {
		return json.RawMessage("null"), nil
	}
	w.whitespace()
	if !w.changed {
		return raw, nil
	}
	return w.out, nil
}

// maskJSON masks keys, strings and numbers.
func maskJSON(k *mask.Masker, raw json.RawMessage) (json.RawMessage, error) {
	if !json.Valid(raw) {
		return nil, errNotJSON
	}
	w := &rewriter{in: raw, leaf: func(s string) (edit, error) {
		if m := k.Text(s); m != s {
			return edit{value: quoteJSON(m)}, nil
		}
		return edit{}, nil
	}}
	w.key = w.leaf
	w.number = func(lit string) (edit, error) {
		if k.Number(lit) {
			return edit{value: quoteJSON(mask.Masked)}, nil
		}
		return edit{}, nil
	}
	if _, err := w.value(); err != nil {
		return nil, err
	}
	w.whitespace()
	if !w.changed {
		return raw, nil
	}
	return w.out, nil
}

// rewriter copies a valid JSON document from in to out and lets its hooks change leaves. json.Valid bounds the depth.
type rewriter struct {
	in, out []byte
	at      int
	leaf    func(string) (edit, error)
	key     func(string) (edit, error)
	number  func(string) (edit, error)
	changed bool
}

func (w *rewriter) whitespace() {
	start := w.at
	for w.at < len(w.in) && strings.IndexByte(" \t\r\n", w.in[w.at]) >= 0 {
		w.at++
	}
	w.out = append(w.out, w.in[start:w.at]...)
}

func (w *rewriter) value() (drop bool, err error) {
	w.whitespace()
	switch c := w.in[w.at]; {
	case c == '"':
		return w.str(w.leaf)
	case c == '{':
		return false, w.list('}', w.member)
	case c == '[':
		return false, w.list(']', w.value)
	default:
		return false, w.literal()
	}
}

// list copies everything between brackets; an item that is dropped takes its comma with it.
func (w *rewriter) list(end byte, item func() (bool, error)) error {
	w.copy(1)
	for first := true; ; {
		start := len(w.out)
		w.whitespace()
		if w.in[w.at] == end {
			w.copy(1)
			return nil
		}
		if w.in[w.at] == ',' {
			w.at++
			if !first {
				w.out = append(w.out, ',')
			}
		}
		drop, err := item()
		if err != nil {
			return err
		}
		if drop {
			w.out, w.changed = w.out[:start], true
			continue
		}
		first = false
	}
}

func (w *rewriter) member() (bool, error) {
	w.whitespace()
	if _, err := w.str(w.key); err != nil {
		return false, err
	}
	w.whitespace()
	w.copy(1) // the colon
	return w.value()
}

func (w *rewriter) str(hook func(string) (edit, error)) (bool, error) {
	start := w.at
	for w.at++; w.in[w.at] != '"'; w.at++ {
		if w.in[w.at] == '\\' {
			w.at++
		}
	}
	w.at++
	lit := w.in[start:w.at]
	if hook == nil {
		w.out = append(w.out, lit...)
		return false, nil
	}
	s, err := unquoteJSON(lit)
	if err != nil {
		return false, err
	}
	return w.apply(lit, s, hook)
}

func (w *rewriter) literal() error {
	start := w.at
	for w.at < len(w.in) && strings.IndexByte(",]} \t\r\n", w.in[w.at]) < 0 {
		w.at++
	}
	lit := w.in[start:w.at]
	if w.number == nil {
		w.out = append(w.out, lit...)
		return nil
	}
	_, err := w.apply(lit, string(lit), w.number)
	return err
}

func (w *rewriter) apply(lit []byte, s string, hook func(string) (edit, error)) (bool, error) {
	e, err := hook(s)
	switch {
	case err != nil:
		return false, err
	case e.drop:
		return true, nil
	case e.value != nil:
		w.out, w.changed = append(w.out, e.value...), true
	default:
		w.out = append(w.out, lit...)
	}
	return false, nil
}

func (w *rewriter) copy(n int) {
	w.out = append(w.out, w.in[w.at:w.at+n]...)
	w.at += n
}

func unquoteJSON(lit []byte) (string, error) {
	if !bytes.ContainsRune(lit, '\\') && utf8.Valid(lit) {
		return string(lit[1 : len(lit)-1]), nil
	}
	var s string
	err := json.Unmarshal(lit, &s)
	return s, err
}

// quoteJSON quotes s without the HTML escapes of encoding/json.
func quoteJSON(s string) json.RawMessage {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		return json.RawMessage(strconv.Quote(s))
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

func encodeJSON(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// decodeJSON keeps integers integers: int64 where they fit, json.Number where not.
func decodeJSON(raw []byte) (any, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	return numbers(v), nil
}

func numbers(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			v[k] = numbers(e)
		}
	case []any:
		for i, e := range v {
			v[i] = numbers(e)
		}
	case json.Number:
		if i, err := v.Int64(); err == nil {
			return i
		}
		if f, err := v.Float64(); err == nil && strings.ContainsAny(v.String(), ".eE") {
			return f
		}
		return v
	}
	return v
}

func sortedSet(m map[string]bool) []string { return slices.Sorted(maps.Keys(m)) }
