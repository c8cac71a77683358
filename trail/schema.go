package trail

import (
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/tool/argument"
)

// Here a trail file is described for editors, as JSON Schema. Draft 7 is what they know best.

// SchemaDraft is the version of JSON Schema in which files are described.
const SchemaDraft = "http://json-schema.org/draft-07/schema#"

// The keys of a file. A test compares them with those that Parse knows.
type (
	fileKeys struct {
		Config    configKeys `json:"config,omitzero" jsonschema:"the head of the trail; all of it is optional"`
		Trailhead headKeys   `json:"trailhead,omitzero" jsonschema:"step 0, which brings the app to where the trail begins; it is always replayed"`
		Trail     []lineKeys `json:"trail,omitempty" jsonschema:"the steps" minItems:"1"`
	}
	configKeys struct {
		ID          string               `json:"id,omitempty" jsonschema:"name of the trail, such as shop/checkout"`
		Title       string               `json:"title,omitempty" jsonschema:"title for people"`
		Description string               `json:"description,omitempty" jsonschema:"what it is about"`
		Priority    string               `json:"priority,omitempty" jsonschema:"such as P1"`
		Target      string               `json:"target,omitempty" jsonschema:"the app under test: id of a target, app id or URL"`
		Devices     map[string]string    `json:"devices,omitempty" jsonschema:"the driver per device class, such as web: PLAYWRIGHT_NATIVE"`
		Requires    map[string]string    `json:"requires,omitempty" jsonschema:"of the device: api, width, height; a number, or one after >=, <=, > or <"`
		Actors      map[string]actorKeys `json:"actors,omitempty" jsonschema:"the devices of a trail on several; each step says on which it is"`
		Skip        map[string]string    `json:"skip,omitempty" jsonschema:"why not to run it, per device class"`
		Tags        []string             `json:"tags,omitempty" jsonschema:"for run --tags"`
		Context     string               `json:"context,omitempty" jsonschema:"what a model is told in every step"`
		Memory      map[string]string    `json:"memory,omitempty" jsonschema:"what the session remembers from the start; never a secret"`
		Args        map[string]argFields `json:"args,omitempty" jsonschema:"parameters: a type, or a mapping with type, default and description"`
		Metadata    map[string]string    `json:"metadata,omitempty" jsonschema:"yours"`
	}
	actorKeys struct {
		Device string `json:"device" jsonschema:"a platform or the id of a device: web, android, android/emulator-5554"`
	}
	argFields struct {
		Type        string `json:"type" enum:"string,integer,boolean,array,object" jsonschema:"the type that a value takes"`
		Description string `json:"description,omitempty" jsonschema:"what it is for"`
		Default     any    `json:"default,omitempty" jsonschema:"makes it optional"`
		Required    bool   `json:"required,omitempty" jsonschema:"true without a default, which is the same as to leave it out"`
	}
	headKeys struct {
		Step       string         `json:"step" jsonschema:"where it leads, in plain words"`
		Recording  map[string]any `json:"recording,omitempty" jsonschema:"one call per device class; {} is nothing to do here"`
		MaxRetries int            `json:"maxRetries,omitempty" minimum:"0" jsonschema:"how often a model may try it again"`
	}
	lineKeys struct {
		Step       string         `json:"step,omitempty" jsonschema:"what to do, in plain words"`
		Verify     string         `json:"verify,omitempty" jsonschema:"what must be true, in plain words"`
		Recording  map[string]any `json:"recording,omitempty" jsonschema:"the calls, per device class; [] is nothing to do here"`
		On         string         `json:"on,omitempty" jsonschema:"the actor whose step it is"`
		Together   bool           `json:"together,omitempty" jsonschema:"it begins with the step before it"`
		Recordable bool           `json:"recordable,omitempty" default:"true" jsonschema:"false: a model does it each time"`
		MaxRetries int            `json:"maxRetries,omitempty" minimum:"0" jsonschema:"how often a model may try it again"`
	}
)

// FileSchema describes trail files in which these tools are called. open says that there are tools beside them, so that
// a name which is not among them is no mistake.
func FileSchema(tools []*tool.Spec, open bool) (*jsonschema.Schema, error) {
	file, err := tool.SchemaFor(reflect.TypeFor[fileKeys]())
	if err != nil {
		return nil, err
	}
	AnyScalar(file)
	step, head := file.Properties["trail"].Items, file.Properties["trailhead"]
	step.AnyOf = []*jsonschema.Schema{{Required: []string{"step"}}, {Required: []string{"verify"}}}
	arg := file.Properties["config"].Properties["args"]
	arg.AdditionalProperties = &jsonschema.Schema{AnyOf: []*jsonschema.Schema{
		{Type: "string", Enum: arg.AdditionalProperties.Properties["type"].Enum}, arg.AdditionalProperties}}
	perClass(step.Properties["recording"], func() *jsonschema.Schema {
		return &jsonschema.Schema{Type: "array", Items: &jsonschema.Schema{Ref: CallRef}}
	})
	perClass(head.Properties["recording"], func() *jsonschema.Schema {
		return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{{Ref: CallRef}, {Type: "object", MaxProperties: new(int)}}}
	})
	older := &jsonschema.Schema{Type: "array", Description: "the older list format, which is read and no longer written"}
	root := &jsonschema.Schema{Schema: SchemaDraft, Title: "A Trailblaze trail", AnyOf: []*jsonschema.Schema{file, older}}
	root.Definitions, err = CallDefinitions(tools, open)
	return root, err
}

// perClass describes a mapping from device class to a value.
func perClass(s *jsonschema.Schema, value func() *jsonschema.Schema) {
	s.PropertyNames = &jsonschema.Schema{Pattern: `^[A-Za-z0-9_.]+(-[A-Za-z0-9_.]+)*$`}
	s.AdditionalProperties, s.Properties = value(), map[string]*jsonschema.Schema{}
	for _, name := range []string{"web", "android", "ios"} {
		s.Properties[name] = value()
	}
}

// AnyScalar lets numbers and truth values stand where a text is read as its author spelled it.
func AnyScalar(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if s.Type == "string" && len(s.Enum) == 0 {
		s.Type, s.Types = "", []string{"string", "number", "boolean"}
	}
	for _, p := range s.Properties {
		AnyScalar(p)
	}
	AnyScalar(s.Items)
	if s.AdditionalProperties != nil && s.AdditionalProperties.Not == nil {
		AnyScalar(s.AdditionalProperties)
	}
}

const definitions = "#/definitions/"

// CallRef refers to the definition of a call, one of those that CallDefinitions makes.
const CallRef = definitions + "call"

// CallDefinitions are the definitions of a call as files hold it: a mapping with one key, the tool.
func CallDefinitions(tools []*tool.Spec, open bool) (map[string]*jsonschema.Schema, error) {
	two, one := 2, 1
	call := &jsonschema.Schema{Type: "object", MinProperties: &one, MaxProperties: &two,
		Description: "a call: the tool, and below it its arguments",
		Properties: map[string]*jsonschema.Schema{hashKey: {Type: "string",
			Description: "content of the tool when the call was recorded"}},
		AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}}}
	if open {
		call.AdditionalProperties = &jsonschema.Schema{Types: []string{"object", "null"},
			Description: "a tool of the workspace"}
		call.PropertyNames = &jsonschema.Schema{Pattern: `^[A-Za-z_][A-Za-z0-9_-]*$`}
	}
	selector, err := selectorSchema()
	if err != nil {
		return nil, err
	}
	out := definer{"call": call, "selector": selector}
	for _, s := range tools {
		args := &jsonschema.Schema{}
		if in := s.Input.Get(); in != nil {
			args = argument.Written(in)
		}
		out.share(args, s)
		args.Type, args.Types, args.Description = "", []string{"object", "null"}, s.Description
		if len(args.Required) > 0 {
			args.Type, args.Types = "object", nil
		}
		out["tool_"+s.Name] = args
		call.Properties[s.Name] = &jsonschema.Schema{Ref: definitions + "tool_" + s.Name}
	}
	return out, nil
}

// definer collects the definitions that others refer to.
type definer map[string]*jsonschema.Schema

// share puts references in place of what the arguments of many tools hold: selectors, fingerprints, calls.
func (d definer) share(args *jsonschema.Schema, s *tool.Spec) {
	for name, p := range args.Properties {
		object := p.Type == "object" && len(p.Properties) == 0 && p.AdditionalProperties == nil
		switch list := listOf(p); {
		case object && strings.HasSuffix(strings.ToLower(name), "selector"):
			args.Properties[name] = &jsonschema.Schema{Ref: definitions + "selector"}
		case list != nil && s.Verbatim && s.Calls != nil && list.Items.Type == "object" && len(list.Items.Properties) == 0:
			args.Properties[name] = &jsonschema.Schema{Type: "array", Description: p.Description,
				Items: &jsonschema.Schema{Ref: CallRef}}
		case p.Type == "object" && len(p.Properties) > 3:
			bare := *p
			bare.Description = ""
			had, err := json.Marshal(d[name])
			if now, bad := json.Marshal(&bare); d[name] == nil || err == nil && bad == nil && string(had) == string(now) {
				d[name] = &bare
				args.Properties[name] = &jsonschema.Schema{Ref: definitions + name}
			}
		}
	}
}

// listOf returns the schema of a list, or of one for which a token may stand.
func listOf(s *jsonschema.Schema) *jsonschema.Schema {
	if len(s.AnyOf) > 0 {
		s = s.AnyOf[0]
	}
	if s.Type != "array" || s.Items == nil {
		return nil
	}
	return s
}

// selectorSchema describes a selector, which refers to others.
func selectorSchema() (*jsonschema.Schema, error) {
	out := &jsonschema.Schema{Type: "object", Description: "durable selector of an element; all that is given must hold",
		Properties:           map[string]*jsonschema.Schema{},
		AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}}}
	another := reflect.TypeFor[*screen.Selector]()
	for f := range reflect.TypeFor[screen.Selector]().Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		ref := &jsonschema.Schema{Ref: definitions + "selector"}
		switch {
		case f.Type == another:
		case f.Type == reflect.TypeFor[[]screen.Selector]():
			ref = &jsonschema.Schema{Type: "array", Items: ref}
		default:
			block, err := tool.SchemaFor(f.Type)
			if err != nil {
				return nil, err
			}
			AnyScalar(block)
			ref = argument.Written(block)
		}
		out.Properties[name] = ref
	}
	return out, nil
}

// SchemaFolder is the folder of a workspace in which its schemas are, as <kind>.schema.json.
const SchemaFolder = ".trailblaze"

// Modeline is the first line of a new file of a workspace, which tells an editor where the schema of its kind is. Where
// the workspace has none it is empty. name is below root, with slashes.
func Modeline(root *os.Root, name, kind string) string {
	schema := path.Join(SchemaFolder, kind+".schema.json")
	if _, err := root.Stat(filepath.FromSlash(schema)); err != nil {
		return ""
	}
	return "# yaml-language-server: $schema=" + strings.Repeat("../", strings.Count(path.Clean(name), "/")) + schema + "\n"
}
