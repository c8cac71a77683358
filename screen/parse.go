package screen

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// ParseSelector reads a selector from JSON. The mistakes are those of SelectorMistakes.
func ParseSelector(data []byte) (sel Selector, mistakes []string, err error) {
	if len(data) > 1<<20 {
		return sel, nil, fault.New(fault.Invalid, "read selector", "it has %d bytes, more than any selector needs", len(data))
	}
	d := json.NewDecoder(bytes.NewReader(data))
	if err := d.Decode(&sel); err != nil {
		return Selector{}, nil, fault.New(fault.Invalid, "read selector", "%w", err)
	}
	var raw any
	if err := json.Unmarshal(data, &raw); err != nil {
		return Selector{}, nil, fault.New(fault.Invalid, "read selector", "%w", err)
	}
	return sel, SelectorMistakes(raw), nil
}

// SelectorMistakes says what in a decoded JSON value makes no sense as a selector, each with its path: fields that do not
// exist, with the nearest one that does, and values of the wrong type. A selector whose misspelt field counted for nothing
// would match more than its author meant. A text that holds a token may stand for any value.
func SelectorMistakes(raw any) []string {
	if empty(raw) {
		return []string{"it names nothing: every element would match"}
	}
	var out []string
	mistakes(raw, reflect.TypeFor[Selector](), "", 0, &out)
	return out
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

func mistakes(raw any, t reflect.Type, path string, depth int, out *[]string) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if depth > 2*maxNesting {
		return
	}
	switch v := raw.(type) {
	case []any:
		if t.Kind() == reflect.Slice {
			for i, x := range v {
				mistakes(x, t.Elem(), fmt.Sprintf("%s[%d]", path, i), depth+1, out)
			}
			return
		}
	case map[string]any:
		if t.Kind() == reflect.Struct {
			fields(v, t, path, depth, out)
			return
		}
	case string:
		if t.Kind() == reflect.String || strings.Contains(v, "{{") || strings.Contains(v, "${") {
			return
		}
	case bool:
		if t.Kind() == reflect.Bool {
			return
		}
	case nil:
		return
	default: // a number, however it was decoded
		if t.Kind() == reflect.Int {
			return
		}
	}
	want := map[reflect.Kind]string{reflect.String: "a text", reflect.Bool: "true or false", reflect.Int: "a number", reflect.Slice: "a list", reflect.Struct: "an object"}[t.Kind()]
	*out = append(*out, fmt.Sprintf("%s must be %s", cmp.Or(path, "it"), want))
}

// fields looks at the keys of an object, and at what stands under them.
func fields(v map[string]any, t reflect.Type, path string, depth int, out *[]string) {
	known := map[string]reflect.Type{}
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		known[name] = f.Type
	}
	for _, k := range slices.Sorted(maps.Keys(v)) {
		at := strings.TrimPrefix(path+"."+k, ".")
		if ft, ok := known[k]; ok {
			mistakes(v[k], ft, at, depth+1, out)
			continue
		}
		why := ""
		if _, relation := reflect.TypeFor[Selector]().FieldByNameFunc(func(n string) bool { return strings.EqualFold(n, k) }); relation && t != reflect.TypeFor[Selector]() {
			why = "; it belongs beside the driver block, one level up"
		} else if near := nearKey(k, known); near != "" {
			why = "; did you mean " + near + "?"
		} else if _, web := reflect.TypeFor[WebMatch]().FieldByNameFunc(func(n string) bool { return strings.EqualFold(n, k) }); web && t == reflect.TypeFor[Selector]() {
			why = "; it belongs below web"
		} else if len(known) <= 16 {
			why = "; there are " + strings.Join(slices.Sorted(maps.Keys(known)), ", ")
		}
		*out = append(*out, fmt.Sprintf("%s is not a selector field%s", at, why))
	}
}

// nearKey is the known key that was probably meant: one that begins with what is there, or differs in a few letters.
func nearKey(key string, known map[string]reflect.Type) string {
	best, at := "", max(1, len(key)/3)+1
	for _, name := range slices.Sorted(maps.Keys(known)) {
		d := editDistance(strings.ToLower(key), strings.ToLower(name), maxDistance)
		if len(key) > 2 && strings.HasPrefix(strings.ToLower(name), strings.ToLower(key)) {
			d = 1
		}
		if d < at {
			best, at = name, d
		}
	}
	return best
}
