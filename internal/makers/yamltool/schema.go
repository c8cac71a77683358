package yamltool

import (
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// The keys of a file, for editors. A test compares them with those that Parse knows.
type (
	fileKeys struct {
		ID           string      `json:"id" jsonschema:"name of the tool: <namespace>_<action>, such as shop_login"`
		Description  string      `json:"description,omitempty" jsonschema:"what a model chooses the tool by"`
		Parameters   []paramKeys `json:"parameters,omitempty" jsonschema:"what it takes; [] for nothing"`
		Class        string      `json:"class,omitempty" jsonschema:"instead of tools: the registered tool that it names anew"`
		Tools        []any       `json:"tools,omitempty" minItems:"1" jsonschema:"the calls that it makes, with {{parameters}} in them"`
		Script       scriptKeys  `json:"script,omitzero" jsonschema:"instead of tools: a script"`
		Category     string      `json:"category,omitempty" jsonschema:"with which tools it is listed; default CUSTOM"`
		Platforms    []string    `json:"platforms,omitempty" enum:"web,android,ios" jsonschema:"where it works; default: where the tools work that it calls"`
		SurfaceToLLM bool        `json:"surface_to_llm,omitempty" jsonschema:"whether models see it"`
		IsRecordable bool        `json:"is_recordable,omitempty" jsonschema:"whether a call of it is recorded"`
		RequiresHost bool        `json:"requires_host,omitempty" jsonschema:"upstream's; without a meaning here"`
		Verifies     bool        `json:"is_verification,omitempty" jsonschema:"it checks something"`
		Shortcut     any         `json:"shortcut,omitempty" jsonschema:"upstream's; without a meaning here"`
		Trailhead    any         `json:"trailhead,omitempty" jsonschema:"upstream's; without a meaning here"`
	}
	paramKeys struct {
		Name        string `json:"name" pattern:"^[A-Za-z_][A-Za-z0-9_-]*$" jsonschema:"its name, written {{name}} in the calls"`
		Type        string `json:"type,omitempty" enum:"string,integer,boolean,number" default:"string" jsonschema:"the type of its value"`
		Required    bool   `json:"required,omitempty" jsonschema:"default: it is, unless it has a default"`
		Default     any    `json:"default,omitempty" jsonschema:"its value where none is given"`
		Description string `json:"description,omitempty" jsonschema:"what it is, for models"`
		Secret      bool   `json:"secret,omitempty" jsonschema:"what is given is masked"`
	}
	scriptKeys struct {
		Source string `json:"source" jsonschema:"TypeScript"`
	}
)

// FileSchema describes the files of tools, which call these. open says that there are tools beside them.
func FileSchema(tools []*tool.Spec, open bool) (*jsonschema.Schema, error) {
	root, err := tool.SchemaFor(reflect.TypeFor[fileKeys]())
	if err != nil {
		return nil, err
	}
	trail.AnyScalar(root)
	root.Properties["tools"].Items = &jsonschema.Schema{Ref: trail.CallRef}
	for _, body := range []string{"tools", "class", "script"} {
		root.OneOf = append(root.OneOf, &jsonschema.Schema{Required: []string{body}})
	}
	root.Schema, root.Title = trail.SchemaDraft, "A Trailblaze tool in YAML"
	root.Definitions, err = trail.CallDefinitions(tools, open)
	return root, err
}
