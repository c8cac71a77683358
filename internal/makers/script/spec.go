package script

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/tool/argument"
)

// maxTimeout is the longest time that a tool may take for itself.
const maxTimeout = 10 * time.Minute

// described is a tool as its file describes it: its spec, and the contents of its types and comment.
type described struct {
	Name   string             `json:"name"`
	Export string             `json:"export"`
	Spec   json.RawMessage    `json:"spec"`
	Line   int                `json:"line,omitempty"`
	Doc    string             `json:"doc,omitempty"`
	Input  *jsonschema.Schema `json:"input,omitempty"`
	Output *jsonschema.Schema `json:"output,omitempty"`
}

// declared is the first argument of trailblaze.tool.
type declared struct {
	Title              string
	Description        string
	InputSchema        json.RawMessage
	OutputSchema       json.RawMessage
	Kind               tool.Kind
	SupportedPlatforms []driver.Platform
	SupportedDrivers   []string
	Toolset            string
	Groups             []string
	SurfaceToLlm       *bool
	IsRecordable       *bool
	IsDelegating       bool
	IsVerification     bool
	NeedsModel         bool
	Destructive        bool
	Idempotent         bool
	Timeout            float64 // ms
	Runtime            string
	SecretArguments    []string // masked, and of a tool in a process the only ones that a secret gets into
	Effect             string   // external, of a tool in a process
	Effects            struct {
		Opens, Reads, Writes []string // arguments that hold URLs and names of files
	}
	Hosts   []string // that fetch may reach
	Files   struct{ Read, Write []string }
	Secrets []string // names of those that it gets from memory
}

// subprocess is the runtime of a tool that runs in a process of its own, external the effect of one there that acts on
// something of its own.
const subprocess, external = "subprocess", "external"

// specOf makes the Spec of a tool. process reports whether its file runs in a process.
func specOf(d described, where string, process bool) (*tool.Spec, *declared, error) {
	in := &declared{}
	if len(d.Spec) > 0 {
		if err := json.Unmarshal(d.Spec, in); err != nil {
			return nil, nil, fmt.Errorf("the spec of %s: %w", d.Name, plainly(err))
		}
		if err := misspelt(d); err != nil {
			return nil, nil, err
		}
	}
	if err := in.runs(d.Name, process); err != nil {
		return nil, nil, err
	}
	s := &tool.Spec{
		Name: d.Name, Title: in.Title, Description: strings.TrimSpace(in.Description), Kind: in.Kind,
		Platforms: in.SupportedPlatforms, Drivers: in.SupportedDrivers, Groups: in.Groups,
		ExposedToLLM: in.SurfaceToLlm == nil || *in.SurfaceToLlm,
		Recordable:   in.IsRecordable == nil || *in.IsRecordable,
		Delegating:   in.IsDelegating, NeedsModel: in.NeedsModel, Destructive: in.Destructive,
		Origin: where, Timeout: min(time.Duration(in.Timeout*float64(time.Millisecond)), maxTimeout),
	}
	if s.Description == "" {
		s.Description = d.Doc
	}
	if s.Kind == "" {
		if s.Kind = tool.Action; in.IsVerification {
			s.Kind = tool.Assertion
		}
	}
	if in.Toolset != "" {
		s.Groups = append(slices.Clip(s.Groups), in.Toolset)
	}
	s.Idempotent, s.Categories = in.Idempotent, []string{"CUSTOM"}
	s.Effects, s.Secrets = effects(in), in.SecretArguments
	input, err := schema(in.InputSchema, d.Input)
	if err != nil {
		return nil, nil, fmt.Errorf("inputSchema of %s: %w", d.Name, err)
	}
	s.Input = tool.Fixed(cmp.Or(input, &jsonschema.Schema{Type: "object"}))
	output, err := schema(in.OutputSchema, d.Output)
	if err != nil {
		return nil, nil, fmt.Errorf("outputSchema of %s: %w", d.Name, err)
	}
	s.Output = tool.Fixed(output)
	if lost := s.LostSecrets(); len(lost) > 0 {
		return nil, nil, fmt.Errorf("secretArguments of %s: it has no argument %s", d.Name, strings.Join(lost, ", "))
	}
	return s, in, nil
}

// foreign are keys of a spec that upstream writes and that change nothing here.
var foreign = []string{"_meta", "name", "requiresContext", "requiresHost", "shortcut", "trailhead"}

// misspelt reports a key that is almost one of a spec. Others are the author's own.
func misspelt(d described) error {
	known := slices.Clone(foreign)
	for _, f := range reflect.VisibleFields(reflect.TypeFor[declared]()) {
		known = append(known, strings.ToLower(f.Name[:1])+f.Name[1:])
	}
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(d.Spec, &keys); err != nil {
		return fmt.Errorf("the spec of %s: %w", d.Name, err)
	}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if near := argument.Near(key, known, 1); len(near) > 0 && !slices.Contains(known, key) {
			return fmt.Errorf("the spec of %s has the key %s, which there is not: did you mean %s?", d.Name, key,
				near[0])
		}
	}
	return nil
}

// runs checks that the tool runs where its spec demands. process reports whether its file runs in a process.
func (d *declared) runs(name string, process bool) error {
	switch d.Runtime {
	case "", "inProcess":
		if d.Effect != "" {
			return fmt.Errorf("%s has the effect %s, which is for runtime: %q: what a script does in process is seen",
				name, d.Effect, subprocess)
		}
		return nil
	case subprocess:
		if d.Effect != "" && d.Effect != external {
			return fmt.Errorf("%s has the effect %q, and there is %s", name, d.Effect, external)
		}
		if process {
			return nil
		}
		return fmt.Errorf("%s has the runtime %s, which is read before the file is run: write it as runtime: %q",
			name, subprocess, subprocess)
	}
	return fmt.Errorf("%s has the runtime %q, and there are inProcess and %s", name, d.Runtime, subprocess)
}

// effects returns the effects of a tool. It runs in a machine without access to anything, so that the calls decide,
// and the files and hosts that it declares.
func effects(d *declared) *tool.Effects {
	e := &tool.Effects{Script: true, CallsTools: true, Fetches: d.Hosts, Opens: d.Effects.Opens, Reads: d.Effects.Reads,
		Writes: d.Effects.Writes, External: d.Effect == external}
	if len(d.Files.Read)+len(d.Files.Write) > 0 {
		e.Files = func(tool.Args) (reads, writes []string) { return d.Files.Read, d.Files.Write }
	}
	return e
}

// schema reads a written schema, which wins over one from types. Beside JSON Schema it may be a map from a property
// to its schema, each required unless it says "required": false.
func schema(raw json.RawMessage, fromTypes *jsonschema.Schema) (*jsonschema.Schema, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return fromTypes, nil
	}
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(raw, &keys); err != nil {
		return nil, errors.New("it is not an object")
	}
	kind, isSchema := keys["type"]
	isSchema = isSchema && bytes.HasPrefix(bytes.TrimSpace(kind), []byte(`"`))
	if isSchema || keys["properties"] != nil || keys["$ref"] != nil {
		s := &jsonschema.Schema{}
		if err := json.Unmarshal(raw, s); err != nil {
			return nil, err
		}
		_, err := s.Resolve(nil)
		return s, err
	}
	return flat(keys)
}

func flat(keys map[string]json.RawMessage) (*jsonschema.Schema, error) {
	out := &jsonschema.Schema{
		Type: "object", Properties: map[string]*jsonschema.Schema{},
		AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}},
	}
	for name, raw := range keys {
		var one map[string]any
		if err := json.Unmarshal(raw, &one); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if required, said := one["required"].(bool); !said || required {
			out.Required = append(out.Required, name)
		}
		delete(one, "required")
		rest, err := json.Marshal(one)
		if err != nil {
			return nil, err
		}
		p := &jsonschema.Schema{}
		if err := json.Unmarshal(rest, p); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		out.Properties[name] = p
	}
	slices.Sort(out.Required)
	return out, nil
}

// plainly is an error of encoding/json without the names of our Go types.
func plainly(err error) error {
	if typ, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Errorf("%s cannot be a %s", strings.ToLower(typ.Field), typ.Value)
	}
	return err
}
