package report

import (
	"encoding/json"
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/screen"
)

//go:generate go test -run ^TestSchemaIsCurrent$ . -update

// JSONSchema describes the JSON form of a report, for programs that read it.
func JSONSchema() ([]byte, error) {
	const op = "describe report"
	s, err := jsonschema.For[Report](&jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[json.RawMessage](): {},               // any value: what a tool was given or gave
		reflect.TypeFor[screen.Selector](): {Type: "object"}, // as in a trail file
	}})
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, op)
	}
	s.ID, s.Title = Schema, "A Trailblaze report"
	s.Schema = "https://json-schema.org/draft/2020-12/schema"
	open(s)
	data, err := json.MarshalIndent(s, "", "  ")
	return append(data, '\n'), fault.Wrap(err, fault.Internal, op)
}

// open lets objects have further fields: a reader of this version must bear those of a later one.
func open(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	s.AdditionalProperties = withoutFalse(s.AdditionalProperties)
	for _, p := range s.Properties {
		open(p)
	}
	open(s.Items)
}

func withoutFalse(s *jsonschema.Schema) *jsonschema.Schema {
	if s != nil && s.Not != nil {
		return nil
	}
	open(s)
	return s
}
