package identity

import (
	"encoding/json"
	"testing"

	"github.com/trailblaze-dev/trailblaze/screen"
)

// TestSelectorForPhonePlaces: what a node is in and what it holds, where its own fields do not tell it.
func TestSelectorForPhonePlaces(t *testing.T) {
	view := func(d screen.IOSMaestro, kids ...*screen.Node) *screen.Node {
		return &screen.Node{Role: "view", Native: &d, Children: kids}
	}
	empty := func(kids ...*screen.Node) *screen.Node { return view(screen.IOSMaestro{}, kids...) }
	named := func(name string, kids ...*screen.Node) *screen.Node {
		return view(screen.IOSMaestro{AccessibilityText: &name}, kids...)
	}
	s := phone(empty(
		empty(empty(named("Mug"), named("Edit")), empty(named("Cup"), named("Edit"))),
		empty(view(screen.IOSMaestro{ResourceID: new("icon"), HintText: new("Opens")}), view(screen.IOSMaestro{ResourceID: new("icon")})),
		view(screen.IOSMaestro{ResourceID: new("list")}, empty(), empty(), empty()),
		view(
			screen.IOSMaestro{ResourceID: new("both"), AccessibilityText: new("One")},
		),
		view(screen.IOSMaestro{ResourceID: new("both"), AccessibilityText: new("Two")}),
		view(screen.IOSMaestro{ResourceID: new("other"), AccessibilityText: new("One")}),
	))
	at := func(path ...int) *screen.Node {
		n := s.Root
		for _, i := range path {
			n = n.Children[i]
		}
		return n
	}
	tests := []struct {
		name string
		node *screen.Node
		want string
	}{
		{"two fields that tell only together", at(3), `{"iosMaestro":{"resourceIdRegex":"both","accessibilityTextRegex":"One"}}`},
		{"in the container that a unique child tells", at(0, 1, 1),
			`{"iosMaestro":{"accessibilityTextRegex":"Edit"},"childOf":{"containsChild":{"iosMaestro":{"accessibilityTextRegex":"Cup"}}}}`},
		{"a container by its child", at(0, 0), `{"containsChild":{"iosMaestro":{"accessibilityTextRegex":"Mug"}}}`},
		{"a container by the child of its child", at(0), `{"containsChild":{"containsChild":{"iosMaestro":{"accessibilityTextRegex":"Mug"}}}}`},
		{"a container by any field of its child", at(1), `{"containsChild":{"iosMaestro":{"hintTextRegex":"Opens"}}}`},
		{"a number inside the nearest that can be told", at(2, 1), `{"childOf":{"iosMaestro":{"resourceIdRegex":"list"}},"index":1}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			sel, err := SelectorFor(s, tt.node.ID)
			if got, _ := json.Marshal(sel); err != nil || string(got) != tt.want {
				t.Errorf("got %s (%v), want %s", got, err, tt.want)
			}
		})
	}
}
