package argument

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// MaxExact is the largest integer up to which every integer is exact as a float64. JavaScript and many JSON
// libraries silently change the digits of larger ones.
const MaxExact = 1<<53 - 1

// Inexact finds an integer beyond MaxExact in a decoded JSON value. The second result reports whether there is one.
func Inexact(v any) (number string, found bool) {
	switch v := v.(type) {
	case json.Number:
		if strings.ContainsAny(string(v), ".eE") {
			return "", false
		}
		n, ok := new(big.Int).SetString(string(v), 10)
		return string(v), ok && n.CmpAbs(big.NewInt(MaxExact)) > 0
	case float64:
		return fmt.Sprintf("%.0f", v), math.Abs(v) > MaxExact && v == math.Trunc(v)
	case []any:
		for _, e := range v {
			if number, found = Inexact(e); found {
				return number, true
			}
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if number, found = Inexact(v[key]); found {
				return number, true
			}
		}
	}
	return "", false
}

// InexactIn is Inexact for a JSON document. Other text has no such number.
func InexactIn(raw []byte) (number string, found bool) {
	if !longNumber(raw) {
		return "", false
	}
	v, err := Decode(raw)
	if err != nil {
		return "", false
	}
	return Inexact(v)
}

// longNumber reports whether there are as many digits in a row as MaxExact has: most documents need not be decoded.
func longNumber(raw []byte) bool {
	run := 0
	for _, b := range raw {
		if run++; b < '0' || b > '9' {
			run = 0
		}
		if run == 16 {
			return true
		}
	}
	return false
}

// Bounded limits unbounded integers to those that JSON carries exactly. It changes s.
func Bounded(s *jsonschema.Schema) *jsonschema.Schema {
	if s == nil {
		return nil
	}
	if s.Type == "integer" {
		s.Minimum = cmp.Or(s.Minimum, new(-float64(MaxExact)))
		s.Maximum = cmp.Or(s.Maximum, new(float64(MaxExact)))
	}
	for _, p := range s.Properties {
		Bounded(p)
	}
	Bounded(s.Items)
	for _, form := range slices.Concat(s.AnyOf, s.OneOf) {
		Bounded(form)
	}
	return s
}
