package screen

import (
	"slices"
	"testing"
)

// Tools and heal name an element by its id on every platform: pages have two kinds, phones put the package before it.
func TestIDs(t *testing.T) {
	id, tag := "io.app:id/save", "row"
	for name, c := range map[string]struct {
		native Native
		want   []string
	}{
		"page":  {&Web{TestID: "save", HTMLID: "s1"}, []string{"save", "s1"}},
		"phone": {&AndroidAccessibility{ResourceID: &id, ComposeTestTag: &tag}, []string{"io.app:id/save", "save", "row"}},
		"none":  {&AndroidAccessibility{}, nil},
	} {
		if got := (&Node{Native: c.native}).IDs(); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
