package dispatch

import (
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/trailblaze-dev/trailblaze/tool"
)

// R121: compiled schemas do not grow with reloads, each of which makes all specs of a workspace anew.
func TestReloadsLetSchemasGo(t *testing.T) {
	d := New(Options{})
	for range 50 {
		for _, name := range []string{"shop_buy", "shop_sell"} {
			if err := d.check(&tool.Spec{Name: name, Input: tool.Fixed(&jsonschema.Schema{Type: "object"})}, map[string]any{}); err != nil {
				t.Fatal(err)
			}
		}
		d.SetRegistry(nil)
	}
	d.schemas.Range(func(spec, _ any) bool {
		t.Errorf("the schema of %s stays", spec.(*tool.Spec).Name)
		return true
	})
}
