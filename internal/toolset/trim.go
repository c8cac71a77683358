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

// unlisted are the properties that recordings need and a model does not. They are accepted when they are sent.
var unlisted = []string{"nodeSelector", "fingerprint", "reason", "reasoning", "effect", "expectStatus", "expectOrigin"}

var trimmed sync.Map // of *tool.Spec to *jsonschema.Schema

// Trim is a tool's input schema as a model sees it: what only recordings use is left out, and an action may say what it is
// for, which groups the steps of a recording. Specs are immutable, so the answer is made once.
func Trim(s *tool.Spec) *jsonschema.Schema {
	if have, ok := trimmed.Load(s); ok {
		return have.(*jsonschema.Schema) //nolint:forcetypeassert // only these are stored
	}
	out := &jsonschema.Schema{Type: "object"}
	if s.Input != nil {
		c := *s.Input
		out = &c
	}
	out.Properties = maps.Clone(out.Properties)
	if out.Properties == nil {
		out.Properties = map[string]*jsonschema.Schema{}
	}
	for _, name := range unlisted {
		if !slices.Contains(out.Required, name) {
			delete(out.Properties, name)
		}
	}
	out.PropertyOrder = slices.DeleteFunc(slices.Clone(out.PropertyOrder), func(p string) bool { return out.Properties[p] == nil })
	if s.Recordable && out.Properties[IntentArg] == nil {
		out.Properties[IntentArg] = &jsonschema.Schema{Type: "string"}
		if len(out.PropertyOrder) > 0 {
			out.PropertyOrder = append(out.PropertyOrder, IntentArg)
		}
	}
	have, _ := trimmed.LoadOrStore(s, out)
	return have.(*jsonschema.Schema) //nolint:forcetypeassert // only these are stored
}

// Size is how many bytes a tool takes in a listing, about.
func Size(s *tool.Spec) int {
	in, err := json.Marshal(Trim(s))
	if err != nil {
		return 0
	}
	return len(in) + len(s.Description) + len(s.Name) + len(s.Title) + 80
}

// Hints are what a client may know of a tool before it calls it; MCP calls them annotations.
type Hints struct {
	Title                             string
	ReadOnly, Destructive, Idempotent bool
}

// HintsOf derives the hints from a spec.
func HintsOf(s *tool.Spec) Hints {
	reads := s.Kind == tool.Query || s.Kind == tool.Assertion
	return Hints{Title: s.Title, ReadOnly: reads, Destructive: s.Destructive, Idempotent: reads}
}
