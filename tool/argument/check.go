// Package argument reads the arguments of a call by the schema of its tool: it makes them from words of a command line
// (Coerce), brings them into the form that tools expect (Normalize), and finds every mistake in them (Checker, Lint).
//
// It knows schemas, not tools: tool.Define builds on it, the dispatcher checks a call with it, and `check` a trail. A
// Checker is safe for concurrent use; everything else keeps no state.
package argument

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/screen"
)

// NotBlank is the pattern of a text with at least one visible character.
const NotBlank = `\S`

// violation is one mistake in arguments.
type violation struct {
	at    []string // where: property names and indexes
	value any      // what stands there
	text  string   // the sentence about it
	ways  [][]violation
}

// Checker finds every mistake in an instance of a schema. The keywords that tools use are checked here, because a
// model that learns of one mistake per turn needs as many turns as it made mistakes; whether an instance with other
// keywords (references, conditions, formats) is valid is decided by the jsonschema library, which stops at the
// first.
type Checker struct {
	Schema *jsonschema.Schema

	once     sync.Once
	resolved *jsonschema.Resolved // nil when every keyword is one of ours
	err      error
	patterns sync.Map // of the schema's patterns to *regexp.Regexp: they go with it
}

// Mistakes are the sentences about a decoded object, each once, in a stable order. An error is one of the schema.
func (c *Checker) Mistakes(obj map[string]any) ([]string, error) {
	list, err := c.check(obj)
	return sentences(list), err
}

// MistakesIn is Mistakes for any decoded value, such as the result of a tool.
func (c *Checker) MistakesIn(v any) ([]string, error) {
	list, err := c.check(v)
	out := sentences(list)
	for i, text := range out {
		out[i] = strings.TrimPrefix(strings.TrimPrefix(text, "parameter "), ": ")
	}
	return out, err
}

// Check returns the mistake in the schema itself.
func (c *Checker) Check() error {
	c.once.Do(func() {
		if !plain(c.Schema) {
			c.resolved, c.err = c.Schema.CloneSchemas().Resolve(nil)
		}
	})
	return c.err
}

func (c *Checker) check(obj any) ([]violation, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	w := walk{root: c.Schema, patterns: &c.patterns}
	w.value(c.Schema, nil, obj)
	if len(w.found) == 0 && c.resolved != nil {
		if err := c.resolved.Validate(plainNumbers(obj)); err != nil {
			w.found = append(w.found, violation{value: obj, text: err.Error()})
		}
	}
	return w.found, nil
}

// sentences are the texts of violations, sorted, each once.
func sentences(list []violation) []string {
	var out []string
	for _, v := range list {
		out = append(out, v.text)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// walk collects violations on the way through an instance.
type walk struct {
	root     *jsonschema.Schema
	patterns *sync.Map
	found    []violation
}

func (w *walk) add(at []string, value any, format string, args ...any) {
	w.found = append(w.found, violation{at: slices.Clone(at), value: value, text: fmt.Sprintf(format, args...)})
}

func (w *walk) value(s *jsonschema.Schema, at []string, v any) {
	if s == nil {
		return
	}
	if isFalse(s) {
		w.add(at, v, "parameter %s is not allowed", path(at))
		return
	}
	if want := typesOf(s); len(want) > 0 && !slices.ContainsFunc(want, func(t string) bool { return hasType(v, t) }) {
		w.add(at, v, "parameter %s: want %s, got %s", path(at), strings.Join(want, " or "), typeName(v))
		return
	}
	if s.Enum != nil && !slices.ContainsFunc(s.Enum, func(e any) bool { return equal(e, v) }) {
		w.add(at, v, "%s", enumText(path(at), v, s.Enum))
	}
	if s.Const != nil && !equal(*s.Const, v) {
		w.add(at, v, "parameter %s: want %v", path(at), quoted(*s.Const))
	}
	switch x := v.(type) {
	case map[string]any:
		w.object(s, at, x)
	case []any:
		w.array(s, at, x)
	case string:
		w.text(s, at, x)
	default:
		w.number(s, at, v)
	}
	for _, sub := range s.AllOf {
		w.value(sub, at, v)
	}
	w.choice(s.AnyOf, at, v)
	w.choice(s.OneOf, at, v)
}

func (w *walk) object(s *jsonschema.Schema, at []string, obj map[string]any) {
	for _, name := range s.Required {
		if _, ok := obj[name]; !ok {
			w.add(at, obj, "parameter %s is missing", join(path(at), name))
		}
	}
	keys := make([]string, 0, len(obj))
	for k := range obj {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		inner := append(slices.Clone(at), k)
		switch p := s.Properties[k]; {
		case p != nil:
			w.value(p, inner, obj[k])
			if selects(k, p) {
				for _, m := range screen.SelectorMistakes(obj[k]) {
					w.add(inner, nil, "%s: %s", path(inner), m)
				}
			}
		case s.AdditionalProperties == nil:
		case isFalse(s.AdditionalProperties):
			msg := Unknown(k, propertyNames(s))
			if len(at) > 0 {
				msg += " (in " + path(at) + ")"
			}
			w.add(inner, nil, "%s", msg) // whatever stands there, also a token
		default:
			w.value(s.AdditionalProperties, inner, obj[k])
		}
	}
}

// selects reports whether a parameter takes a selector. Its schema says no more than that it is an object: written
// out, the fields of selectors would be most of a tool's text for a model.
func selects(name string, s *jsonschema.Schema) bool {
	return s.Type == "object" && s.Properties == nil && s.AdditionalProperties == nil &&
		(name == "selector" || strings.HasSuffix(strings.ToLower(name), "nodeselector"))
}

func (w *walk) array(s *jsonschema.Schema, at []string, list []any) {
	if s.MinItems != nil && len(list) < *s.MinItems {
		w.add(at, list, "parameter %s: minItems: got %d, want %d", path(at), len(list), *s.MinItems)
	}
	if s.MaxItems != nil && len(list) > *s.MaxItems {
		w.add(at, list, "parameter %s: maxItems: got %d, want %d", path(at), len(list), *s.MaxItems)
	}
	if s.UniqueItems {
		for i := range list {
			if slices.ContainsFunc(list[:i], func(e any) bool { return equal(e, list[i]) }) {
				w.add(at, list, "parameter %s: item %d is there twice", path(at), i)
			}
		}
	}
	for i, v := range list {
		w.value(s.Items, append(slices.Clone(at), strconv.Itoa(i)), v)
	}
}

func (w *walk) text(s *jsonschema.Schema, at []string, v string) {
	n := utf8.RuneCountInString(v)
	if s.MinLength != nil && n < *s.MinLength {
		w.add(at, v, "parameter %s: minLength: got %d, want %d", path(at), n, *s.MinLength)
	}
	if s.MaxLength != nil && n > *s.MaxLength {
		w.add(at, v, "parameter %s: maxLength: got %d, want %d", path(at), n, *s.MaxLength)
	}
	if s.Pattern == "" {
		return
	}
	if re, err := w.pattern(s.Pattern); err == nil && !re.MatchString(v) {
		if s.Pattern == NotBlank {
			w.add(at, v, "parameter %s is blank", path(at))
			return
		}
		w.add(at, v, "parameter %s: %s does not match pattern %s", path(at), strconv.Quote(v), s.Pattern)
	}
}

func (w *walk) number(s *jsonschema.Schema, at []string, v any) {
	n, ok := rational(v)
	if !ok {
		return
	}
	bound := func(limit *float64, word string, bad func(cmp int) bool) {
		if limit == nil {
			return
		}
		// 0.01 is the number that is written so, and not the float nearest to it.
		l, ok := new(big.Rat).SetString(strconv.FormatFloat(*limit, 'g', -1, 64))
		if ok && bad(n.Cmp(l)) {
			w.add(at, v, "parameter %s: %s: got %v, want %v", path(at), word, v, *limit)
		}
	}
	bound(s.Minimum, "minimum", func(c int) bool { return c < 0 })
	bound(s.Maximum, "maximum", func(c int) bool { return c > 0 })
	bound(s.ExclusiveMinimum, "exclusiveMinimum", func(c int) bool { return c <= 0 })
	bound(s.ExclusiveMaximum, "exclusiveMaximum", func(c int) bool { return c >= 0 })
}

// choice checks a value that has several forms. It reports the mistakes in each, since the intended one is unknown.
func (w *walk) choice(forms []*jsonschema.Schema, at []string, v any) {
	if len(forms) == 0 {
		return
	}
	var ways [][]violation
	var texts []string
	for _, f := range forms {
		one := walk{root: w.root, patterns: w.patterns}
		one.value(f, at, v)
		if len(one.found) == 0 {
			return
		}
		ways = append(ways, one.found)
		texts = append(texts, strings.Join(sentences(one.found), " and "))
	}
	w.add(at, v, "parameter %s fits none of its forms: %s", path(at), strings.Join(texts, ", or "))
	w.found[len(w.found)-1].ways = ways
}

func (w *walk) pattern(p string) (*regexp.Regexp, error) {
	if re, ok := w.patterns.Load(p); ok {
		return re.(*regexp.Regexp), nil //nolint:forcetypeassert // only these are stored
	}
	re, err := regexp.Compile(p)
	if err == nil {
		w.patterns.Store(p, re)
	}
	return re, err
}

func isFalse(s *jsonschema.Schema) bool {
	return s.Not != nil && reflect.DeepEqual(s.Not, &jsonschema.Schema{})
}

func typesOf(s *jsonschema.Schema) []string {
	if s.Type != "" {
		return []string{s.Type}
	}
	return s.Types
}

func hasType(v any, t string) bool {
	switch name := typeName(v); t {
	case "number":
		return name == "number" || name == "integer"
	case "integer":
		n, ok := rational(v)
		return ok && n.IsInt()
	default:
		return name == t
	}
}

// typeName is the JSON name of a decoded value's type.
func typeName(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	default:
		return "number"
	}
}

func rational(v any) (*big.Rat, bool) {
	switch n := v.(type) {
	case json.Number:
		if len(n) < 40 && !strings.ContainsAny(string(n), "eE") {
			return new(big.Rat).SetString(string(n))
		}
		f, err := n.Float64() // 1e999999999 must not be computed in full
		if err != nil {
			f = math.Copysign(math.MaxFloat64, f)
		}
		r := new(big.Rat).SetFloat64(f)
		return r, r != nil
	case float64:
		r := new(big.Rat).SetFloat64(n)
		return r, r != nil
	case int:
		return new(big.Rat).SetInt64(int64(n)), true
	case int64:
		return new(big.Rat).SetInt64(n), true
	}
	return nil, false
}

// equal compares two JSON values; numbers by their value.
func equal(a, b any) bool {
	x, ok := rational(a)
	y, also := rational(b)
	if ok && also {
		return x.Cmp(y) == 0
	}
	return reflect.DeepEqual(a, b)
}

func enumText(at string, got any, want []any) string {
	var allowed []string
	for _, w := range want {
		allowed = append(allowed, fmt.Sprint(w))
	}
	msg := fmt.Sprintf("parameter %s: %v is not one of %s", at, quoted(got), strings.Join(allowed, ", "))
	if s, ok := got.(string); ok {
		if near := Near(s, allowed, 1); len(near) > 0 {
			msg += "; did you mean " + near[0] + "?"
		}
	}
	return msg
}

func quoted(v any) any {
	if s, ok := v.(string); ok {
		return strconv.Quote(s)
	}
	return v
}

// path spells an instance location as people write it: steps[2].button.
func path(loc []string) string {
	var b strings.Builder
	for _, part := range loc {
		switch _, err := strconv.Atoi(part); {
		case err == nil && b.Len() > 0:
			b.WriteString("[" + part + "]")
		case b.Len() > 0:
			b.WriteString("." + part)
		default:
			b.WriteString(part)
		}
	}
	return b.String()
}

func join(at, name string) string {
	if at == "" {
		return name
	}
	return at + "." + name
}

func propertyNames(s *jsonschema.Schema) []string {
	out := make([]string, 0, len(s.Properties))
	for name := range s.Properties {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// Lint returns every mistake in the written arguments of a tool, for checking trail files. It passes over values that
// hold a token, because their value is not known before the call.
func Lint(tool string, s *jsonschema.Schema, args json.RawMessage) ([]string, error) {
	decoded, err := Decode(args)
	if err != nil {
		return nil, fault.Wrap(err, fault.Invalid, "check arguments")
	}
	obj, ok := decoded.(map[string]any)
	if !ok && decoded != nil {
		return []string{"the arguments are not an object"}, nil
	}
	if obj == nil {
		obj = map[string]any{}
	}
	NormalizeObject(s, obj)
	list, err := (&Checker{Schema: s}).check(obj)
	return sentences(withoutTokens(list)), fault.Wrap(err, fault.Internal, "read input schema of "+tool)
}

// withoutTokens drops the violations of values that hold tokens. A value of several forms is not judged when one of
// them may fit once the tokens are replaced.
func withoutTokens(list []violation) []violation {
	return slices.DeleteFunc(list, func(v violation) bool {
		if text, ok := v.value.(string); ok && (strings.Contains(text, "{{") || strings.Contains(text, "${")) {
			return true
		}
		return slices.ContainsFunc(v.ways, func(way []violation) bool { return len(withoutTokens(way)) == 0 })
	})
}
