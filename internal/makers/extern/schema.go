package extern

import (
	"encoding/json"
	"fmt"
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

// mentionsContext reports whether a schema declares the argument in which context is handed over.
func mentionsContext(raw any) bool {
	m, _ := raw.(map[string]any)
	props, _ := m["properties"].(map[string]any)
	return props[legacyKey] != nil
}

// schemaOf reads the JSON schema of a tool, as pydantic and zod write them too: the dialect they name is left out,
// because what they use of it means the same in the one that is known here.
func schemaOf(raw any, within *bound) (*jsonschema.Schema, error) {
	m, ok := raw.(map[string]any)
	if raw == nil {
		return nil, nil
	}
	if !ok {
		return nil, fault.New(fault.Invalid, "", "it is not an object")
	}
	own := inlineSchema(m, within)
	if within.over != "" {
		return nil, &tooLarge{within.over}
	}
	data, err := json.Marshal(own)
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

// inlineSchema returns a schema without the name of its dialect and without the arguments that hold context. Parts that
// it refers to are put where they are used, unless they hold themselves: so mistakes are reported in plain words.
// Patterns that this program's regular expressions cannot read are left to the server.
func inlineSchema(m map[string]any, within *bound) map[string]any {
	in := inliner{defs: map[string]any{}, left: maxInlined, bound: within}
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
	out, _ := in.walk(rest, nil, 0).(map[string]any)
	if in.kept && within.over == "" {
		for _, key := range []string{"$defs", "definitions"} {
			if defs, ok := m[key].(map[string]any); ok {
				out[key] = withoutPatterns(defs, within)
			}
		}
	}
	hideContext(out)
	return out
}

// The bounds of the schemas of a tool, and of all tools of a server, with the parts that they refer to in place.
const (
	maxInlined       = 500 // parts that are put where they are used
	maxDepth         = 64
	maxNodes         = 20_000
	maxSchema        = 1 << 20 // bytes
	maxServerSchemas = 16 << 20
)

// bound counts the remaining limits. over names the one that was exceeded.
type bound struct {
	nodes, size int
	server      *int // bytes that are left for all tools of the server
	over        string
}

func newBound(server *int) *bound { return &bound{nodes: maxNodes, size: maxSchema, server: server} }

// take reports whether a part of a schema is within the bounds.
func (b *bound) take(size, depth int) bool {
	b.nodes--
	b.size -= size
	*b.server -= size
	switch {
	case b.over != "":
	case depth > maxDepth:
		b.over = fmt.Sprintf("it is more than %d levels deep", maxDepth)
	case b.nodes < 0:
		b.over = fmt.Sprintf("it has more than %d parts", maxNodes)
	case b.size < 0:
		b.over = fmt.Sprintf("it has more than %d KiB", maxSchema>>10)
	case *b.server < 0:
		b.over = fmt.Sprintf("the schemas of this server have more than %d MiB", maxServerSchemas>>20)
	}
	return b.over == ""
}

// tooLarge is the reason for leaving a tool out whatever its schema says.
type tooLarge struct{ why string }

// Error names the bound that was exceeded.
func (e *tooLarge) Error() string {
	return e.why + ", with the parts that it refers to where it uses them"
}

// inliner puts the parts of a schema where they are used.
type inliner struct {
	defs map[string]any
	left int
	kept bool // a reference is left
	*bound
}

func (in *inliner) walk(v any, within []string, depth int) any {
	if text, ok := v.(string); !in.take(len(text)+8, depth) || ok {
		return v
	}
	switch v := v.(type) {
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = in.walk(e, within, depth+1)
		}
		return out
	case map[string]any:
		ref, _ := v["$ref"].(string)
		if part, ok := in.defs[ref].(map[string]any); ok && !slices.Contains(within, ref) && in.left > 0 {
			in.left--
			whole := maps.Clone(part)
			maps.Copy(whole, v)
			delete(whole, "$ref")
			return in.walk(whole, append(slices.Clone(within), ref), depth+1)
		}
		in.kept = in.kept || ref != ""
		out := make(map[string]any, len(v))
		for k, e := range v {
			if !in.take(len(k), depth) {
				break
			}
			out[k] = in.walk(e, within, depth+1)
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
func withoutPatterns(defs map[string]any, within *bound) map[string]any {
	none := inliner{bound: within}
	out, _ := none.walk(defs, nil, 0).(map[string]any)
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
