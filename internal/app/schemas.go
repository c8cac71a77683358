package app

import (
	"encoding/json"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/policy"
	"github.com/trailblaze-dev/trailblaze/internal/ground/config"
	"github.com/trailblaze-dev/trailblaze/internal/makers/yamltool"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// The kinds of files that a project has, and that SchemaOf describes.
const (
	TrailFiles    = "trail"
	ToolFiles     = "tools"
	SettingsFiles = "settings"
	PolicyFiles   = "policy"
)

// FileKinds lists them.
func FileKinds() []string { return []string{TrailFiles, ToolFiles, SettingsFiles, PolicyFiles} }

// SchemaOf is the JSON Schema of a kind of files, whose calls are of these tools. open says that a project may have
// others.
func SchemaOf(kind string, tools []tool.Tool, open bool) ([]byte, error) {
	const op = "describe files"
	var s *jsonschema.Schema
	var err error
	var specs []*tool.Spec
	for _, t := range tools {
		specs = append(specs, t.Spec())
	}
	switch kind {
	case TrailFiles:
		s, err = trail.FileSchema(specs, open)
	case ToolFiles:
		s, err = yamltool.FileSchema(specs, open)
	case SettingsFiles:
		s = config.FileSchema()
	case PolicyFiles:
		s = policy.FileSchema()
	default:
		return nil, fault.New(fault.Invalid, op, "there are no files of the kind %q", kind)
	}
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, op)
	}
	data, err := json.MarshalIndent(s, "", " ")
	return append(data, '\n'), fault.Wrap(err, fault.Internal, op)
}

// BuiltInTools are the tools that every trail can call.
func BuiltInTools() []tool.Tool { return builtIn("", nil, nil, nil) }
