package screen

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/screen/words"
)

// ParseSelector reads a selector from JSON. The mistakes are those of SelectorMistakes.
func ParseSelector(data []byte) (sel Selector, mistakes []string, err error) {
	raw, err := decodeSelector(data)
	if err != nil {
		return Selector{}, nil, err
	}
	if err := sel.fill(raw); err != nil {
		return Selector{}, nil, err
	}
	return sel, SelectorMistakes(raw), nil
}

// UnmarshalJSON reads a selector. A scalar of another type is read as the one that its field takes: YAML writes the
// name "5" as a number.
func (sel *Selector) UnmarshalJSON(data []byte) error {
	raw, err := decodeSelector(data)
	if err != nil {
		return err
	}
	*sel = Selector{}
	return sel.fill(raw)
}

func decodeSelector(data []byte) (raw any, err error) {
	if len(data) > 1<<20 {
		return nil, fault.New(fault.Invalid, "read selector", "it has %d bytes, more than any selector needs", len(data))
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(&raw); err != nil {
		return nil, fault.New(fault.Invalid, "read selector", "%w", err)
	}
	return raw, nil
}

func (sel *Selector) fill(raw any) error {
	var r reader
	r.read(raw, reflect.ValueOf(sel).Elem(), "", 0)
	if len(r.wrong) > 0 {
		return fault.New(fault.Invalid, "read selector", "%s", strings.Join(r.wrong, "; "))
	}
	return nil
}

// SelectorMistakes returns the parts of a decoded JSON value that make no sense as a selector, each with its path:
// fields that do not exist, with the nearest one that does, and values of the wrong type. A selector whose misspelt
// field counted for nothing would match more than its author meant. A text that holds a token may stand for any value.
func SelectorMistakes(raw any) []string {
	if empty(raw) {
		return []string{"it names nothing: every element would match"}
	}
	r := reader{tokens: true}
	r.read(raw, reflect.ValueOf(&Selector{}).Elem(), "", 0)
	return append(r.unknown, r.wrong...)
}

// empty reports whether a value holds nothing but empty objects.
func empty(raw any) bool {
	m, ok := raw.(map[string]any)
	if !ok {
		return false
	}
	for _, v := range m {
		if !empty(v) {
			return false
		}
	}
	return true
}

// reader fills a selector from a decoded JSON value.
type reader struct {
	tokens  bool     // a text with a token may stand for any value
	wrong   []string // values that their field cannot take
	unknown []string // fields that do not exist, or ask for nothing
}

func (r *reader) read(raw any, into reflect.Value, path string, depth int) {
	if raw == nil {
		return
	}
	if depth > 3*MaxNesting {
		r.wrong = append(r.wrong, fmt.Sprintf("it nests more than %d levels deep", MaxNesting))
		return
	}
	if into.Kind() == reflect.Pointer {
		into.Set(reflect.New(into.Type().Elem()))
		r.read(raw, into.Elem(), path, depth)
		return
	}
	switch v := raw.(type) {
	case []any:
		if into.Kind() == reflect.Slice {
			into.Set(reflect.MakeSlice(into.Type(), len(v), len(v)))
			for i, x := range v {
				r.read(x, into.Index(i), fmt.Sprintf("%s[%d]", path, i), depth+1)
			}
			return
		}
	case map[string]any:
		if into.Kind() == reflect.Struct {
			r.fields(v, into, path, depth)
			return
		}
	default:
		if r.scalar(fmt.Sprint(v), into) {
			return
		}
	}
	want := map[reflect.Kind]string{reflect.String: "a text", reflect.Bool: "true or false", reflect.Int: "a number",
		reflect.Slice: "a list", reflect.Struct: "an object"}[into.Kind()]
	r.wrong = append(r.wrong, fmt.Sprintf("%s must be %s", cmp.Or(path, "it"), want))
}

// scalar reads a text, a number or a truth value as the type of the field.
func (r *reader) scalar(text string, into reflect.Value) bool {
	switch into.Kind() {
	case reflect.String:
		into.SetString(text)
		return true
	case reflect.Bool:
		into.SetBool(text == "true")
		if text == "true" || text == "false" {
			return true
		}
	case reflect.Int:
		n, err := strconv.Atoi(text)
		into.SetInt(int64(n))
		if err == nil {
			return true
		}
	default:
	}
	return r.tokens && (strings.Contains(text, "{{") || strings.Contains(text, "${"))
}

// fields reads the keys of an object, and their values.
func (r *reader) fields(v map[string]any, into reflect.Value, path string, depth int) {
	t := into.Type()
	known := map[string]int{}
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		known[name] = f.Index[0]
	}
	for _, k := range slices.Sorted(maps.Keys(v)) {
		at := strings.TrimPrefix(path+"."+k, ".")
		if place, ok := known[k]; ok {
			r.read(v[k], into.Field(place), at, depth+1)
			if v[k] == "" && t == reflect.TypeFor[WebMatch]() {
				r.unknown = append(r.unknown, at+" is empty and asks for nothing: leave it out")
			}
			continue
		}
		why := ""
		if _, relation := reflect.TypeFor[Selector]().
			FieldByNameFunc(func(n string) bool { return strings.EqualFold(n, k) }); relation &&
			t != reflect.TypeFor[Selector]() {
			why = "; it belongs beside the driver block, one level up"
		} else if near := nearKey(k, known); near != "" {
			why = "; did you mean " + near + "?"
		} else if _, web := reflect.TypeFor[WebMatch]().
			FieldByNameFunc(func(n string) bool { return strings.EqualFold(n, k) }); web && t == reflect.TypeFor[Selector]() {
			why = "; it belongs below web"
		} else if len(known) <= 16 {
			why = "; there are " + strings.Join(slices.Sorted(maps.Keys(known)), ", ")
		}
		r.unknown = append(r.unknown, fmt.Sprintf("%s is not a selector field%s", at, why))
	}
}

// nearKey returns the known key that was probably meant: one that begins with the given one, or differs in a few
// letters.
func nearKey(key string, known map[string]int) string {
	best, at := "", max(1, len(key)/3)+1
	for _, name := range slices.Sorted(maps.Keys(known)) {
		d := words.Distance(strings.ToLower(key), strings.ToLower(name), words.MaxDistance)
		if len(key) > 2 && strings.HasPrefix(strings.ToLower(name), strings.ToLower(key)) {
			d = 1
		}
		if d < at {
			best, at = name, d
		}
	}
	return best
}
