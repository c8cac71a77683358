package screen

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// ParseSelector reads a selector from JSON. The warnings name the keys it does not know, each with its path: upstream
// ignores them, and so loses a relation that is indented one level too deep without a word.
func ParseSelector(data []byte) (Selector, []string, error) {
	var sel Selector
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
	var warnings []string
	unknown(raw, reflect.TypeFor[Selector](), "", 0, &warnings)
	return sel, warnings, nil
}

func unknown(raw any, t reflect.Type, path string, depth int, out *[]string) {
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
				unknown(x, t.Elem(), fmt.Sprintf("%s[%d]", path, i), depth+1, out)
			}
		}
	case map[string]any:
		if t.Kind() != reflect.Struct {
			return
		}
		known := map[string]reflect.Type{}
		for f := range t.Fields() {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			known[name] = f.Type
		}
		var keys []string
		for k := range v {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		for _, k := range keys {
			at := strings.TrimPrefix(path+"."+k, ".")
			if ft, ok := known[k]; ok {
				unknown(v[k], ft, at, depth+1, out)
				continue
			}
			why := ""
			if _, relation := reflect.TypeFor[Selector]().FieldByNameFunc(func(n string) bool { return strings.EqualFold(n, k) }); relation && t != reflect.TypeFor[Selector]() {
				why = "; it belongs beside the driver block, one level up"
			} else if near := nearKey(k, known); near != "" {
				why = "; did you mean " + near + "?"
			}
			*out = append(*out, fmt.Sprintf("%s is not a selector key and is ignored%s", at, why))
		}
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
