package trail

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSchemaHasEveryKey proves that an editor is told of the keys that Parse knows, and of no others.
func TestSchemaHasEveryKey(t *testing.T) {
	for _, c := range []struct {
		of   any
		want []string
	}{{fileKeys{}, rootKeys}, {configKeys{}, unifiedConfigKeys}, {headKeys{}, trailheadKeys}, {lineKeys{}, stepKeys}, {argFields{}, argKeys}} {
		var got []string
		for f := range reflect.TypeOf(c.of).Fields() {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			got = append(got, name)
		}
		if d := cmp.Diff(slices.Sorted(slices.Values(c.want)), slices.Sorted(slices.Values(got))); d != "" {
			t.Errorf("%T (-Parse +schema):\n%s", c.of, d)
		}
	}
}
