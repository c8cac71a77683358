package drive

import (
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

// A union names its forms, each once.
func TestTypeOfAUnion(t *testing.T) {
	text, number := &jsonschema.Schema{Type: "string"}, &jsonschema.Schema{Type: "number"}
	u := &jsonschema.Schema{AnyOf: []*jsonschema.Schema{text, {Type: "array", Items: text}}, OneOf: []*jsonschema.Schema{number, number}}
	if got, want := typeOf(u), "string|list of string|number"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
