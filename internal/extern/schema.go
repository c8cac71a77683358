package extern

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/tool/argument"
)

// The arguments in which context is handed over. No model sees them.
const (
	legacyKey = "_trailblazeContext"
	oldestKey = "_trailblaze"
)

// mentionsContext says whether a schema declares the argument in which context is handed over.
func mentionsContext(raw any) bool {
	m, _ := raw.(map[string]any)
	props, _ := m["properties"].(map[string]any)
	return props[legacyKey] != nil
}

// schemaOf reads the JSON schema of a tool, as pydantic and zod write them too: the dialect they name is left out,
// because what they use of it means the same in the one that is known here.
func schemaOf(raw any) (*jsonschema.Schema, error) {
	m, ok := raw.(map[string]any)
	if raw == nil {
		return nil, nil
	}
	if !ok {
		return nil, fault.New(fault.Invalid, "", "it is not an object")
	}
	data, err := json.Marshal(ours(m))
	if err != nil {
		return nil, err
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, err
	}
	if err := (&argument.Checker{Schema: &s}).Check(); err != nil {
		return nil, err
	}
	return &s, nil
}

// ours is a schema without the name of its dialect and without the arguments that hold context. Parts that it refers to
// stand where they are used, unless they hold themselves: so mistakes are told in plain words. Patterns that this
// program's regular expressions cannot read are left to the server.
func ours(m map[string]any) map[string]any {
	in := inliner{defs: map[string]any{}, left: maxInlined}
	for _, key := range []string{"$defs", "definitions"} {
		defs, _ := m[key].(map[string]any)
		for name, d := range defs {
			in.defs["#/"+key+"/"+name] = d
		}
	}
	rest := map[string]any{}
	for k, v := range m {
		if k != "$schema" && k != "$id" && k != "$defs" && k != "definitions" {
			rest[k] = v
		}
	}
	out, _ := in.walk(rest, nil).(map[string]any)
	if in.kept {
		for _, key := range []string{"$defs", "definitions"} {
			if defs, ok := m[key].(map[string]any); ok {
				out[key] = withoutPatterns(defs)
			}
		}
	}
	hideContext(out)
	return out
}

// maxInlined bounds how many parts of a schema are put where they are used.
const maxInlined = 500

// inliner puts the parts of a schema where they are used.
type inliner struct {
	defs map[string]any
	left int
	kept bool // a reference is left
}

func (in *inliner) walk(v any, within []string) any {
	switch v := v.(type) {
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = in.walk(e, within)
		}
		return out
	case map[string]any:
		ref, _ := v["$ref"].(string)
		if part, ok := in.defs[ref].(map[string]any); ok && !slices.Contains(within, ref) && in.left > 0 {
			in.left--
			whole := maps.Clone(part)
			maps.Copy(whole, v)
			delete(whole, "$ref")
			return in.walk(whole, append(slices.Clone(within), ref))
		}
		in.kept = in.kept || ref != ""
		out := make(map[string]any, len(v))
		for k, e := range v {
			out[k] = in.walk(e, within)
		}
		return withoutPattern(out)
	}
	return v
}

func withoutPattern(m map[string]any) map[string]any {
	if p, ok := m["pattern"].(string); ok {
		if _, err := regexp.Compile(p); err != nil {
			delete(m, "pattern")
		}
	}
	return m
}

// withoutPatterns is the parts of a schema that cannot be put where they are used.
func withoutPatterns(defs map[string]any) map[string]any {
	none := inliner{}
	out, _ := none.walk(defs, nil).(map[string]any)
	return out
}

// hideContext takes the arguments that hold context out of a schema.
func hideContext(m map[string]any) {
	if props, ok := m["properties"].(map[string]any); ok {
		delete(props, legacyKey)
		delete(props, oldestKey)
	}
	if req, ok := m["required"].([]any); ok {
		m["required"] = slices.DeleteFunc(req, func(v any) bool { return v == legacyKey || v == oldestKey })
	}
}
