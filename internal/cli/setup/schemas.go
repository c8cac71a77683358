package setup

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

// The kinds of files that a project has, and that schemaOf describes.
const (
	trailFiles    = "trail"
	toolFiles     = "tools"
	settingsFiles = "settings"
	policyFiles   = "policy"
)

// fileKinds lists them.
func fileKinds() []string { return []string{trailFiles, toolFiles, settingsFiles, policyFiles} }

// schemaOf is the JSON Schema of a kind of files, whose calls are of these tools. open says that a project may have
// others.
func schemaOf(kind string, tools []tool.Tool, open bool) ([]byte, error) {
	const op = "describe files"
	var s *jsonschema.Schema
	var err error
	var specs []*tool.Spec
	for _, t := range tools {
		specs = append(specs, t.Spec())
	}
	switch kind {
	case trailFiles:
		s, err = trail.FileSchema(specs, open)
	case toolFiles:
		s, err = yamltool.FileSchema(specs, open)
	case settingsFiles:
		s = config.FileSchema()
	case policyFiles:
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
