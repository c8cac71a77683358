package action

import (
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/trailblaze-dev/trailblaze/tool"
)

// Output is the schema of the data that a tool returns in a Result it makes itself. A type that has none gives nil,
// which the test over all built-in tools refuses.
func Output[T any]() *jsonschema.Schema {
	s, err := tool.SchemaFor(reflect.TypeFor[T]())
	if err != nil {
		return nil
	}
	return s
}
