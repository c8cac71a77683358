package trail

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/memory"
)

// BindArgs returns the values of the trail's declared parameters: flags win over file, file over defaults. Values take
// the declared type (string, int64, bool, []any, map[string]any) whatever they look like. All mistakes are reported in
// one error, before any device is touched.
func (t *Trail) BindArgs(flags map[string]string, file map[string]any) (map[string]any, error) {
	out := make(map[string]any, len(t.Config.Args))
	var wrong, names, missing []string
	for _, a := range t.Config.Args {
		names = append(names, a.Name)
		v, err := a.bind(flags, file)
		switch {
		case errors.Is(err, errMissing):
			missing = append(missing, a.Name)
			wrong = append(wrong, missingText(a))
		case err != nil:
			wrong = append(wrong, fmt.Sprintf("argument %q: %v", a.Name, err))
		default:
			out[a.Name] = v
		}
	}
	for _, given := range [][]string{sortedKeys(flags), sortedKeys(file)} {
		for _, name := range given {
			if msg := unknownArg(name, names); !slices.Contains(names, name) && !slices.Contains(wrong, msg) {
				wrong = append(wrong, msg)
			}
		}
	}
	if len(wrong) == 0 {
		return out, nil
	}
	err := fault.New(fault.Invalid, "bind arguments", "%s", strings.Join(wrong, "; "))
	if len(missing) > 0 {
		err = err.WithHint("Give --arg %s=… or put it into the --args-file.", missing[0])
	}
	return nil, err
}

var errMissing = errors.New("missing")

func missingText(a Arg) string {
	if a.Description != "" {
		return fmt.Sprintf("argument %q (%s: %s) is required", a.Name, a.Type, a.Description)
	}
	return fmt.Sprintf("argument %q (%s) is required", a.Name, a.Type)
}

func unknownArg(name string, known []string) string {
	msg := fmt.Sprintf("the trail declares no argument %q", name)
	if h := didYouMean(name, known); h != "" {
		return msg + " (" + strings.ToLower(h[:1]) + h[1:] + ")"
	}
	return msg
}

func (a Arg) bind(flags map[string]string, file map[string]any) (any, error) {
	if s, ok := flags[a.Name]; ok {
		return a.fromFlag(s)
	}
	if v, ok := file[a.Name]; ok {
		if v == nil {
			return nil, errors.New("null is no value; leave it out to use the default")
		}
		return coerce(a.Type, v)
	}
	if a.Default == nil {
		return nil, errMissing
	}
	v, err := decodeJSON(a.Default)
	if err != nil {
		return nil, err
	}
	return coerce(a.Type, v)
}

// fromFlag reads a command line value; lists and objects are given as JSON or as YAML's { } and [ ].
func (a Arg) fromFlag(s string) (any, error) {
	if a.Type != "array" && a.Type != "object" {
		return coerce(a.Type, s)
	}
	d, root := open("--arg "+a.Name, []byte(s), Strict)
	if root == nil || len(d.problems.Errors()) > 0 {
		return nil, mismatch(a.Type, s)
	}
	v, err := decodeJSON(root.appendJSON(nil))
	if err != nil {
		return nil, err
	}
	return coerce(a.Type, v)
}

// coerce converts v to the declared type, or returns the reason why it cannot.
func coerce(typ string, v any) (any, error) {
	switch typ {
	case "string":
		if s, ok := encodedForm(v); ok {
			return s, nil
		}
	case "integer":
		if n, ok := readWhole(v); ok {
			return n, nil
		}
	case "boolean":
		switch v := v.(type) {
		case bool:
			return v, nil
		case string:
			if v == "true" || v == "false" {
				return v == "true", nil
			}
		}
	case "array":
		if l, ok := v.([]any); ok {
			return l, nil
		}
	case "object":
		if m, ok := v.(map[string]any); ok {
			return m, nil
		}
	}
	return nil, mismatch(typ, v)
}

func mismatch(typ string, v any) error {
	article := "a"
	if strings.ContainsAny(typ[:1], "aio") {
		article = "an"
	}
	b, err := json.Marshal(v)
	if err != nil || len(b) > 60 {
		return fmt.Errorf("the value is not %s %s", article, typ)
	}
	return fmt.Errorf("%s is not %s %s", b, article, typ)
}

func encodedForm(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case bool:
		return strconv.FormatBool(v), true
	case json.Number:
		return v.String(), true
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), true
	}
	if n, ok := readWhole(v); ok {
		return strconv.FormatInt(n, 10), true
	}
	return "", false
}

func readWhole(v any) (int64, bool) {
	switch v := v.(type) {
	case int:
		return int64(v), true
	case int64:
		return v, true
	case uint64:
		return int64(v), v <= math.MaxInt64
	case float64:
		return int64(v), v == math.Trunc(v) && math.Abs(v) < 1<<53
	case json.Number:
		n, err := v.Int64()
		return n, err == nil
	case string:
		n, err := strconv.ParseInt(v, 10, 64)
		return n, err == nil
	}
	return 0, false
}

// ParseArgs reads an arguments file, YAML or JSON: a mapping from argument to value.
func ParseArgs(path string, data []byte) (map[string]any, Problems) {
	d, root := open(path, data, Strict)
	if root == nil {
		return nil, d.sorted()
	}
	if root.kind != kindMapping {
		d.errorf(root.pos, "", "Write name: value, one a line.", "an arguments file must be a mapping, not %s",
			root.describe())
		return nil, d.sorted()
	}
	d.finite(root, "")
	v, err := decodeJSON(root.appendJSON(nil))
	if err != nil {
		d.errorf(root.pos, "", "", "not readable: %v", err)
		return nil, d.sorted()
	}
	m, _ := v.(map[string]any)
	return m, d.sorted()
}

// decodeJSON keeps numbers as they are spelled.
func decodeJSON(raw []byte) (any, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v any
	err := dec.Decode(&v)
	return plainNumbers(v), err
}

// plainNumbers makes int64 and float64 of the numbers that fit, so that callers need not know json.Number.
func plainNumbers(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			v[k] = plainNumbers(e)
		}
	case []any:
		for i, e := range v {
			v[i] = plainNumbers(e)
		}
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n
		}
		if f, err := v.Float64(); err == nil && strings.ContainsAny(v.String(), ".eE") {
			return f
		}
	}
	return v
}

// tokens warns of {{args.x}} tokens whose argument the trail does not declare: they would stay as they are and be
// typed into the app.
func (d *decoder) tokens() {
	if d.trail == nil {
		return
	}
	var declared []string
	for _, a := range d.trail.Config.Args {
		declared = append(declared, a.Name)
	}
	check := func(s *Step) {
		for _, k := range sortedKeys(s.Recordings) {
			for _, c := range s.Recordings[k] {
				d.callTokens(c, declared)
			}
		}
	}
	if d.trail.Trailhead != nil {
		check(d.trail.Trailhead)
	}
	for i := range d.trail.Steps {
		check(&d.trail.Steps[i])
	}
}

func (d *decoder) callTokens(c Recorded, declared []string) {
	for _, name := range memory.ArgsIn(c.Args) {
		if slices.Contains(declared, name) {
			continue
		}
		hint := didYouMean(name, declared)
		if hint == "" {
			hint = `Declare it under "config.args:".`
		}
		d.warnf(c.Pos, "", hint, "%s uses {{args.%s}}, which the trail does not declare", c.Name, name)
	}
}
