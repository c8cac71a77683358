package toolset

import (
	"encoding/json"
	"maps"
	"slices"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/trailblaze-dev/trailblaze/tool"
)

// IntentArg and HandleArg are arguments that a transport takes off a call before the dispatcher sees it.
const (
	IntentArg = "intent"
	HandleArg = "trailblazeSessionId"
)

// unlisted are the properties that recordings need and a model does not. They are accepted when they are sent: the
// dispatcher checks a call against the whole schema, not against what was listed.
var unlisted = []string{
	"nodeSelector", "fingerprint", "toNodeSelector", "toFingerprint", "reason", "reasoning", "effect", "expectStatus", "expectOrigin",
}

// brief are descriptions that every tool with an element repeats, in the few words that a list needs.
var brief = map[string]string{
	"ref":       `ref of the last snapshot (e5); or css=<selector>, button "Save", a role, a text`,
	"timeoutMs": "wait for the element; default 10000",
}

var trimmed sync.Map // of *tool.Spec to *jsonschema.Schema

// Trim is a tool's input schema as a model sees it: what only recordings use is left out, what every tool repeats is said in
// short, and an action may say what it is for, which groups the steps of a recording. It does not close the set of
// parameters, because what is left out may be sent. Specs are immutable, so the answer is made once: do not change it.
func Trim(s *tool.Spec) *jsonschema.Schema {
	if have, ok := trimmed.Load(s); ok {
		return have.(*jsonschema.Schema) //nolint:forcetypeassert // only these are stored
	}
	have, _ := trimmed.LoadOrStore(s, trim(s))
	return have.(*jsonschema.Schema) //nolint:forcetypeassert // only these are stored
}

func trim(s *tool.Spec) *jsonschema.Schema {
	out := &jsonschema.Schema{Type: "object"}
	if s.Input != nil {
		c := *s.Input
		out = &c
	}
	out.Properties = maps.Clone(out.Properties)
	if out.Properties == nil {
		out.Properties = map[string]*jsonschema.Schema{}
	}
	if ours(s) {
		for _, name := range unlisted {
			if !slices.Contains(out.Required, name) {
				delete(out.Properties, name)
			}
		}
		for name, text := range brief {
			if p := out.Properties[name]; p != nil && len(p.Description) > len(text) {
				c := *p
				c.Description = text
				out.Properties[name] = &c
			}
		}
		out.AdditionalProperties = nil
	}
	out.PropertyOrder = slices.DeleteFunc(slices.Clone(out.PropertyOrder), func(p string) bool { return out.Properties[p] == nil })
	if takesIntent(s) && out.Properties[IntentArg] == nil {
		out.Properties[IntentArg] = &jsonschema.Schema{Type: "string", Description: "what this step is for; names it in the recording"}
		if len(out.PropertyOrder) > 0 {
			out.PropertyOrder = append(out.PropertyOrder, IntentArg)
		}
	}
	return out
}

// ours says whether the tool ships with the product, so that its parameters mean what the product says they mean.
func ours(s *tool.Spec) bool {
	return placed[s.Name] != nil || twins[s.Name] != "" || reserved(s.Name) || len(s.Groups) > 0 && !slices.Contains(Of(s), Custom)
}

func takesIntent(s *tool.Spec) bool {
	return s.Recordable && s.Kind != tool.Query && !slices.Contains(s.Groups, DeskGroup)
}

// Size is how many bytes a tool takes in a listing, about.
func Size(s *tool.Spec) int {
	b, err := json.Marshal(map[string]any{
		"name": s.Name, "title": s.Title, "description": s.Description, "inputSchema": Trim(s),
		"annotations": map[string]any{"readOnlyHint": true, "idempotentHint": true, "openWorldHint": true},
	})
	if err != nil {
		return 0
	}
	return len(b)
}
