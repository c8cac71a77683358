package trail

import (
	"fmt"
	"slices"
)

// Document is a YAML file that belongs to trails, such as the definition of a tool, read with the places of
// everything and within the same bounds. Its problems are collected like those of a trail.
type Document struct {
	Root Value // the zero Value when the file could not be read
	d    *decoder
}

// ReadDocument reads a file. Messages call it path.
func ReadDocument(path string, data []byte) *Document {
	d := &decoder{valueReader: valueReader{path: path}, mode: Strict}
	src, bad := newSource(path, data)
	d.src = src
	if bad != nil {
		d.add(*bad)
		return &Document{d: d}
	}
	root := readYAML(src, d.add)
	if len(d.problems.Errors()) == 0 && (root == nil || root.kind == kindNull) {
		d.errorf(Pos{Line: 1, Col: 1}, "", "", "the file is empty")
		root = nil
	}
	return &Document{Root: Value{root}, d: d}
}

// Errorf adds an error at a place. field is where in the document that is; the hint may be empty.
func (d *Document) Errorf(at Pos, field, hint, format string, args ...any) {
	d.d.errorf(at, field, hint, format, args...)
}

// Warnf is Errorf for mistakes that leave the file usable.
func (d *Document) Warnf(at Pos, field, hint, format string, args ...any) {
	d.d.warnf(at, field, hint, format, args...)
}

// Unknown reports a key that means nothing here, with the known one that is nearest.
func (d *Document) Unknown(e Entry, where, instead string, known []string) {
	d.d.unknown(entry{key: e.Key, pos: e.Pos}, at(where, e.Key), instead, known)
}

// Text reads a text for people, true or false for a boolean, and the entries of a mapping or the items of a list.
// Other values are reported.
func (d *Document) Text(v Value, field string) string { return d.d.text(v.n, field, field) }

// Bool reads true or false.
func (d *Document) Bool(v Value, field string) (value, ok bool) {
	return d.d.boolean(v.n, field, field)
}

// Entries reads a mapping.
func (d *Document) Entries(v Value, field string) []Entry {
	return entriesOf(d.d.mapping(v.n, field, field))
}

// List reads a list.
func (d *Document) List(v Value, field, hint string) []Value {
	return valuesOf(d.d.list(v.n, field, field, hint))
}

// Texts reads a list of texts.
func (d *Document) Texts(v Value, field string) []string { return d.d.strings(v.n, field, field) }

// Calls reads a list of calls as the steps of trails hold them, each with its arguments as they are in the file.
func (d *Document) Calls(v Value, field string) []DocumentCall {
	if v.n.kind != kindSequence {
		d.d.calls(v.n, field) // which says what is wrong
		return nil
	}
	var out []DocumentCall
	for i, it := range v.n.items {
		if c, ok := d.d.call(it, item(field, i)); ok {
			out = append(out, DocumentCall{Recorded: c, Field: at(item(field, i), c.Name), Args: Value{it.entries[0].value}})
		}
	}
	return out
}

// DocumentCall is a call in a document.
type DocumentCall struct {
	Recorded
	Field string // where in the document
	Args  Value
}

// Problems are all that is wrong with the document so far, in file order.
func (d *Document) Problems() Problems { return slices.Clone(d.d.sorted()) }

// Near is a hint that names the word which was probably meant, "" when none is near.
func Near(got string, words []string) string { return didYouMean(got, words) }

// Value is a part of a document. It is immutable.
type Value struct{ n *node }

// Entry is a key of a mapping and its value.
type Entry struct {
	Key   string
	Pos   Pos
	Value Value
}

// Zero reports whether there is no such part.
func (v Value) Zero() bool { return v.n == nil }

// Pos returns the position at which the value begins.
func (v Value) Pos() Pos { return v.n.pos }

// IsMapping and the like say what the value is.
func (v Value) IsMapping() bool { return v.n.kind == kindMapping }

// IsNull reports whether the value is missing or null.
func (v Value) IsNull() bool { return v.n.kind == kindNull }

// Text is the text of a string; ok is false for everything else.
func (v Value) Text() (text string, ok bool) { return v.n.text, v.n.kind == kindString }

// Describe describes the value for a message: "the string …", "a list".
func (v Value) Describe() string { return v.n.describe() }

// JSON is the value as JSON, keys in file order.
func (v Value) JSON() []byte { return v.n.appendJSON(nil) }

// Entries are those of a mapping, none of anything else.
func (v Value) Entries() []Entry {
	if v.n == nil {
		return nil
	}
	return entriesOf(v.n.entries)
}

// Items are those of a list, none of anything else.
func (v Value) Items() []Value {
	if v.n == nil {
		return nil
	}
	return valuesOf(v.n.items)
}

// Get is the value of a key of a mapping; the zero Value when there is none.
func (v Value) Get(key string) Value {
	if v.n == nil {
		return v
	}
	return Value{v.n.get(key)}
}

// At follows a path of keys and indexes as far as it leads.
func (v Value) At(path ...string) Value {
	for _, p := range path {
		next := v.Get(p)
		for i, it := range v.n.items {
			if fmt.Sprint(i) == p {
				next = Value{it}
			}
		}
		if next.Zero() {
			return v
		}
		v = next
	}
	return v
}

func entriesOf(list []entry) []Entry {
	var out []Entry
	for _, e := range list {
		out = append(out, Entry{e.key, e.pos, Value{e.value}})
	}
	return out
}

func valuesOf(list []*node) []Value {
	var out []Value
	for _, n := range list {
		out = append(out, Value{n})
	}
	return out
}
