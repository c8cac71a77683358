package toolset

import (
	"encoding/json"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"weak"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/trailblaze-dev/trailblaze/tool"
)

// IntentArg and ClientArg are arguments that a transport takes off a call before the dispatcher sees it.
const (
	IntentArg = "intent"
	ClientArg = "trailblazeSessionId"
)

// unlisted are the properties that recordings need and a model does not. They are accepted when they are sent: the
// dispatcher checks a call against the whole schema, not against the listed one.
var unlisted = []string{
	"nodeSelector", "fingerprint", "toNodeSelector", "toFingerprint", "reason", "reasoning", "effect", "expectStatus",
	"expectOrigin",
}

// brief maps descriptions of parameters to their short forms in a list: the longest of those that every tool with an
// element repeats, and nothing where name, choices and the text of the tool say it all.
var brief = map[string]string{
	"where in the element, from its top left corner; default its middle": "px from the element's top left corner; " +
		"default its middle",

	`the element: a ref of the last snapshot (e5), css=<selector>, a descriptor such as button "Save", a role, ` +
		`or its text`: `ref of the snapshot (e5); or css=…, button "Save", a text`,

	"how long to wait for the element; default 10000, for a ref or text given live 1500": "ms to wait for it; default " +
		"10000, live 1500",

	"key or chord: Enter, Tab, ArrowDown, Control+a, Shift+Tab": "",
	"options to choose, by label, value or index":               "",
	"what to do":                           "",
	"mouse button":                         "",
	"a category of tools":                  "",
	"what to tell beyond the common":       "",
	"with GOTO: where to; a path as above": "",
}

var trimmed Cache[*jsonschema.Schema]

// Trim returns a tool's input schema as a model sees it: parameters for recordings alone are left out, texts that
// every tool repeats are shortened, and an action may state its intent, which groups the steps of a recording. It does
// not close the set of parameters, because those left out may be sent. Specs are immutable, so the answer is made
// once: do not change it.
func Trim(s *tool.Spec) *jsonschema.Schema { return trimmed.Of(s, trim) }

func trim(s *tool.Spec) *jsonschema.Schema {
	out := &jsonschema.Schema{Type: "object"}
	if s.Input != nil {
		c := *s.Input.Get()
		out = &c
	}
	out.Properties = maps.Clone(out.Properties)
	if out.Properties == nil {
		out.Properties = map[string]*jsonschema.Schema{}
	}
	if isBuiltIn(s) {
		for _, name := range slices.Concat(unlisted, s.Unlisted) {
			if !slices.Contains(out.Required, name) {
				delete(out.Properties, name)
			}
		}
		for name, p := range out.Properties {
			out.Properties[name] = shorter(p)
		}
		out.AdditionalProperties = nil
	}
	out.PropertyOrder = slices.DeleteFunc(slices.Clone(out.PropertyOrder),
		func(p string) bool { return out.Properties[p] == nil })
	if takesIntent(s) && out.Properties[IntentArg] == nil {
		out.Properties[IntentArg] = &jsonschema.Schema{Type: "string",
			Description: "what this step is for; recorded"}
		if len(out.PropertyOrder) > 0 {
			out.PropertyOrder = append(out.PropertyOrder, IntentArg)
		}
	}
	return out
}

var briefed Cache[*jsonschema.Schema]

// Brief is what Trim gives for a model that can look for the whole: of a tool that ships with the product the arguments
// that most calls need, by type, choices and a few words.
func Brief(s *tool.Spec) *jsonschema.Schema { return briefed.Of(s, shortest) }

func shortest(s *tool.Spec) *jsonschema.Schema {
	whole := Trim(s)
	if !isBuiltIn(s) {
		return whole
	}
	out := &jsonschema.Schema{Type: "object", Required: whole.Required, Properties: map[string]*jsonschema.Schema{}}
	for name, p := range whole.Properties {
		usual := s.Usual == nil || slices.Contains(s.Usual, name) || slices.Contains(whole.Required, name)
		if !usual || name == IntentArg || strings.HasSuffix(name, "Ms") {
			continue
		}
		out.Properties[name] = &jsonschema.Schema{Type: p.Type, Enum: p.Enum, Items: p.Items, Properties: p.Properties}
		if name != "ref" {
			out.Properties[name].Description = p.Description
		}
	}
	return out
}

// FirstSentence is what the description of a tool says first.
func FirstSentence(s *tool.Spec) string {
	text, _, _ := strings.Cut(s.Description, "\n")
	first, _, more := strings.Cut(text, ". ")
	if more {
		first += "."
	}
	return first
}

// shorter is a parameter as it is listed: in few words, and a place without an explanation of its coordinates.
func shorter(p *jsonschema.Schema) *jsonschema.Schema {
	text, long := brief[p.Description]
	place := p.Type == "object" && len(p.Properties) == 2 && p.Properties["x"] != nil && p.Properties["y"] != nil
	floor := p.Minimum != nil && *p.Minimum == 0
	if !long && !place && !floor {
		return p
	}
	c := *p
	if floor {
		c.Minimum = nil // that nothing is negative goes without saying
	}
	if long {
		c.Description = text
	}
	if place {
		number := &jsonschema.Schema{Type: "number"}
		c.Properties, c.AdditionalProperties = map[string]*jsonschema.Schema{"x": number, "y": number}, nil
	}
	return &c
}

// isBuiltIn reports whether the tool ships with the product, so that its parameters mean what the product says they
// mean.
func isBuiltIn(s *tool.Spec) bool { return reserved(s.Name) || tool.ValidCustomName(s.Name) != nil }

func takesIntent(s *tool.Spec) bool {
	return s.Recordable && s.Kind != tool.Query && !slices.Contains(s.Groups, ManageGroup)
}

const maxOutput = 400 // bytes of an output schema that a list can bear

// Output is the schema of a tool's data as it is listed: nil when there is none, when it is long, or when the data only
// repeats the text of the result, which would then be sent twice.
func Output(s *tool.Spec) *jsonschema.Schema {
	if s.Output == nil || s.Output.Get().Type != "object" || s.Output.Get().Properties["text"] != nil {
		return nil
	}
	if b, err := json.Marshal(s.Output()); err != nil || len(b) > maxOutput {
		return nil
	}
	return s.Output.Get()
}

var sizes Cache[int]

// Size estimates the bytes of a tool in a listing.
func Size(s *tool.Spec) int { return sizes.Of(s, size) }

func size(s *tool.Spec) int {
	listed := map[string]any{
		"name": s.Name, "title": s.Title, "description": s.Description, "inputSchema": Trim(s),
		"annotations": map[string]any{"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true,
			"openWorldHint": true},
	}
	if out := Output(s); out != nil {
		listed["outputSchema"] = out
	}
	b, err := json.Marshal(listed)
	if err != nil {
		return 0
	}
	return len(b)
}

// Cache keeps values made of a spec for as long as the spec is in use: the specs of a workspace go when its tools are
// replaced. A value must not refer to the spec. A Cache is safe for concurrent use; the zero value is ready.
type Cache[T any] struct {
	made sync.Map // of weak.Pointer[tool.Spec] to func() T
}

// Of returns the value that build makes of a spec, which it does once: concurrent callers wait for it.
func (c *Cache[T]) Of(s *tool.Spec, build func(*tool.Spec) T) T {
	key := weak.Make(s)
	have, ok := c.made.Load(key)
	if !ok {
		if have, ok = c.made.LoadOrStore(key, sync.OnceValue(func() T { return build(s) })); !ok {
			runtime.AddCleanup(s, func(key weak.Pointer[tool.Spec]) { c.made.Delete(key) }, key)
		}
	}
	return have.(func() T)() //nolint:forcetypeassert // only these are stored
}
