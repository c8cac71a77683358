package toolset

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/trailblaze-dev/trailblaze/tool"
)

// Listed is a tool as a model sees it. It is shared: treat it as read-only.
type Listed struct {
	Name        string
	Title       string
	Description string
	Input       *jsonschema.Schema
	Output      *jsonschema.Schema // nil when the text says it all
	Hints       Hints
	Bytes       int // about what it takes in a tools/list
}

// Hints are the standard annotations of MCP, every one decided.
type Hints struct {
	ReadOnly    bool
	Destructive bool
	Idempotent  bool
	OpenWorld   bool
}

// recordingOnly are the parameters that recordings write and models need not know. They are taken when they are sent all
// the same: the dispatcher validates against the whole schema, not against what was listed.
var recordingOnly = []string{
	"nodeSelector", "fingerprint", "toNodeSelector", "toFingerprint", "effect", "expectStatus", "expectOrigin", "reason", "reasoning",
}

// Intent is the parameter that transports add to every tool and strip before a call: what it is for. It groups the steps of
// a recording.
const Intent = "intent"

const maxOutput = 700 // bytes of an output schema worth listing

var trimmed sync.Map // *tool.Spec -> *Listed; specs are immutable and few

// Trim is the tool as a model sees it. The answer is made once per spec.
func Trim(s *tool.Spec) *Listed {
	if l, ok := trimmed.Load(s); ok {
		return l.(*Listed)
	}
	l, _ := trimmed.LoadOrStore(s, trim(s))
	return l.(*Listed)
}

func trim(s *tool.Spec) *Listed {
	l := &Listed{Name: s.Name, Title: s.Title, Description: s.Description, Hints: hintsOf(s)}
	l.Input = input(s)
	l.Output = output(s)
	l.Bytes = size(l)
	return l
}

// input is the schema without what only recordings write and with the intent. It does not close the set of parameters: what
// was left out may still be sent.
func input(s *tool.Spec) *jsonschema.Schema {
	in := &jsonschema.Schema{Type: "object"}
	if s.Input != nil {
		in = s.Input.CloneSchemas()
	}
	if ours(s) {
		for _, name := range recordingOnly {
			if !slices.Contains(in.Required, name) {
				delete(in.Properties, name)
			}
		}
	}
	in.PropertyOrder = slices.DeleteFunc(slices.Clone(in.PropertyOrder), func(n string) bool { return in.Properties[n] == nil })
	in.AdditionalProperties = nil
	if s.Kind == tool.Action && in.Properties[Intent] == nil && !slices.Contains(s.Groups, "desk") {
		if in.Properties == nil {
			in.Properties = map[string]*jsonschema.Schema{}
		}
		in.Properties[Intent] = &jsonschema.Schema{Type: "string", Description: "what this step is for; names it in the recording"}
		in.PropertyOrder = append(in.PropertyOrder, Intent)
	}
	return in
}

// output is listed when it is small and says something that the text of the result does not.
func output(s *tool.Spec) *jsonschema.Schema {
	if s.Output == nil || s.Output.Properties["text"] != nil {
		return nil
	}
	if b, err := json.Marshal(s.Output); err != nil || len(b) > maxOutput {
		return nil
	}
	return s.Output
}

// ours says whether the tool ships with the product, so that its parameters mean what the product says.
func ours(s *tool.Spec) bool {
	return named[s.Name] != nil || slices.ContainsFunc(tool.Reserved, func(p string) bool { return strings.HasPrefix(s.Name, p) })
}

func size(l *Listed) int {
	b, err := json.Marshal(map[string]any{
		"name": l.Name, "title": l.Title, "description": l.Description, "inputSchema": l.Input, "outputSchema": l.Output, "annotations": l.Hints,
	})
	if err != nil {
		return 0
	}
	return len(b)
}
