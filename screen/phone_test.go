package screen

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestPhoneTexts: a field that a node does not have and one that is empty are two things.
func TestPhoneTexts(t *testing.T) {
	android := func(m AndroidAccessibilityMatch) Selector { return Selector{AndroidAccessibility: &m} }
	maestro := func(m AndroidMaestroMatch) Selector { return Selector{AndroidMaestro: &m} }
	tests := []struct {
		name string
		on   Native
		sel  Selector
		want bool
	}{
		{"any text is not on a node without text", &AndroidAccessibility{ClassName: new("View")}, android(AndroidAccessibilityMatch{TextRegex: new(".*")}), false},
		{"any description likewise", &AndroidAccessibility{Text: new("a")}, android(AndroidAccessibilityMatch{ContentDescriptionRegex: new(".*")}), false},
		{"an empty text is a text", &AndroidAccessibility{Text: new("")}, android(AndroidAccessibilityMatch{TextRegex: new(".*")}), true},
		{"the empty pattern asks for an empty text", &AndroidAccessibility{Text: new("a")}, android(AndroidAccessibilityMatch{TextRegex: new("")}), false},
		{"and finds it", &AndroidAccessibility{Text: new("")}, android(AndroidAccessibilityMatch{TextRegex: new("")}), true},
		{"but not where there is none", &AndroidAccessibility{}, android(AndroidAccessibilityMatch{TextRegex: new("")}), false},
		{"an empty hint hides the description", &AndroidAccessibility{HintText: new(""), ContentDescription: new("Pay")},
			android(AndroidAccessibilityMatch{TextRegex: new("Pay")}), false},
		{"an exact field", &AndroidAccessibility{}, android(AndroidAccessibilityMatch{UniqueID: new("")}), false},
		{"Maestro: any text", &AndroidMaestro{ClassName: new("View")}, maestro(AndroidMaestroMatch{TextRegex: new(".*")}), false},
		{"Maestro: an empty text hides the hint", &AndroidMaestro{Text: new(""), HintText: new("Pay")}, maestro(AndroidMaestroMatch{TextRegex: new("Pay")}), false},
		{"Maestro: an empty text is a text", &AndroidMaestro{Text: new("")}, maestro(AndroidMaestroMatch{TextRegex: new(".*")}), true},
		{"Maestro: a dot matches a line end", &AndroidMaestro{Text: new("a\nb")}, maestro(AndroidMaestroMatch{TextRegex: new("a.b")}), true},
		{"Maestro: every line is anchored", &AndroidMaestro{Text: new("a\nb")}, maestro(AndroidMaestroMatch{TextRegex: new("^a$.^b$")}), true},
		{"Maestro: the case counts where it is asked for", &AndroidMaestro{Text: new("PAY")}, maestro(AndroidMaestroMatch{TextRegex: new("(?-i)Pay")}), false},
		{"iOS: any hint", &IOSMaestro{Text: new("a")}, Selector{IOSMaestro: &IOSMaestroMatch{HintTextRegex: new(".*")}}, false},
		{"axe: any label", &IOSAxe{Role: new("AXGroup")}, Selector{IOSAxe: &IOSAxeMatch{LabelRegex: new(".*")}}, false},
		{"axe: an action it does not have", &IOSAxe{}, Selector{IOSAxe: &IOSAxeMatch{CustomAction: new("")}}, false},
		{"Compose: what is typed", &Compose{EditableText: new("milk"), Text: new("Search")}, Selector{Compose: &ComposeMatch{TextRegex: new("milk")}}, true},
		{"Compose: else the text", &Compose{Text: new("Search"), ContentDescription: new("Find")}, Selector{Compose: &ComposeMatch{TextRegex: new("Search")}}, true},
		{"Compose: else the description", &Compose{ContentDescription: new("Find")}, Selector{Compose: &ComposeMatch{TextRegex: new("Find")}}, true},
		{"Compose: nothing typed hides both", &Compose{EditableText: new(""), Text: new("Search")},
			Selector{Compose: &ComposeMatch{TextRegex: new("Search")}}, false},
		{"Compose: enabled", &Compose{Disabled: true}, Selector{Compose: &ComposeMatch{IsEnabled: new(false)}}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			data, err := json.Marshal(tt.sel)
			if err != nil {
				t.Fatal(err)
			}
			var again Selector
			if err := json.Unmarshal(data, &again); err != nil {
				t.Fatal(err)
			}
			for _, sel := range []Selector{tt.sel, again} {
				if got := len(names(t, tree(&Node{Role: "view", Name: "it", Native: tt.on}), sel)) == 1; got != tt.want {
					t.Errorf("found %v, want %v", got, tt.want)
				}
			}
		})
	}
}

// TestSelectorScalars: a value may be written as another scalar than its field takes, as YAML does not quote numbers.
func TestSelectorScalars(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"a number for a text", `{"web":{"ariaNameRegex":5}}`, `{"web":{"ariaNameRegex":"5"}}`},
		{"as it is spelled", `{"androidAccessibility":{"textRegex":1.50}}`, `{"androidAccessibility":{"textRegex":"1.50"}}`},
		{"true for a text", `{"iosMaestro":{"textRegex":true}}`, `{"iosMaestro":{"textRegex":"true"}}`},
		{"a text for true", `{"compose":{"isEnabled":"false"}}`, `{"compose":{"isEnabled":false}}`},
		{"a text for a number", `{"index":"2","childOf":{"web":{"headingLevel":"1"}}}`, `{"childOf":{"web":{"headingLevel":1}},"index":2}`},
		{"null is left out", `{"androidAccessibility":{"textRegex":null,"hintTextRegex":""}}`, `{"androidAccessibility":{"hintTextRegex":""}}`},
		{"in lists", `{"containsDescendants":[{"web":{"ariaNameRegex":7}}]}`, `{"containsDescendants":[{"web":{"ariaNameRegex":"7"}}]}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			sel, mistakes, err := ParseSelector([]byte(tt.in))
			if got, _ := json.Marshal(sel); err != nil || len(mistakes) > 0 || string(got) != tt.want {
				t.Errorf("read %s (%v, %v), want %s", got, mistakes, err, tt.want)
			}
		})
	}
	for in, want := range map[string]string{
		`{"web":{"ariaNameRegex":{}}}`:           "web.ariaNameRegex must be a text",
		`{"web":{"headingLevel":"one"}}`:         "web.headingLevel must be a number",
		`{"web":{"headingLevel":1.5}}`:           "web.headingLevel must be a number",
		`{"compose":{"isEnabled":"maybe"}}`:      "compose.isEnabled must be true or false",
		`{"childOf":3}`:                          "childOf must be an object",
		`{"containsDescendants":{"web":{}}}`:     "containsDescendants must be a list",
		`{"containsDescendants":[{"index":[]}]}`: "containsDescendants[0].index must be a number",
		`5`:                                      "it must be an object",
	} {
		_, _, err := ParseSelector([]byte(in))
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "Go ") || strings.Contains(err.Error(), "Match") {
			t.Errorf("%s: %v, want %q", in, err, want)
		}
	}
	if _, mistakes, err := ParseSelector([]byte(`{"web":{"ariaNameRegex":""}}`)); err != nil || len(mistakes) != 1 ||
		!strings.Contains(mistakes[0], "web.ariaNameRegex is empty") {
		t.Errorf("an empty name: %q (%v), want a mistake", mistakes, err)
	}
}

// TestSelectorForPhonePlaces: what a node is in and what it holds, where its own fields do not tell it.
func TestSelectorForPhonePlaces(t *testing.T) {
	view := func(d IOSMaestro, kids ...*Node) *Node { return &Node{Role: "view", Native: &d, Children: kids} }
	empty := func(kids ...*Node) *Node { return view(IOSMaestro{}, kids...) }
	named := func(name string, kids ...*Node) *Node { return view(IOSMaestro{AccessibilityText: &name}, kids...) }
	s := phone(empty(
		empty(empty(named("Mug"), named("Edit")), empty(named("Cup"), named("Edit"))),
		empty(view(IOSMaestro{ResourceID: new("icon"), HintText: new("Opens")}), view(IOSMaestro{ResourceID: new("icon")})),
		view(IOSMaestro{ResourceID: new("list")}, empty(), empty(), empty()),
		view(IOSMaestro{ResourceID: new("both"), AccessibilityText: new("One")}), view(IOSMaestro{ResourceID: new("both"), AccessibilityText: new("Two")}),
		view(IOSMaestro{ResourceID: new("other"), AccessibilityText: new("One")}),
	))
	at := func(path ...int) *Node {
		n := s.Root
		for _, i := range path {
			n = n.Children[i]
		}
		return n
	}
	tests := []struct {
		name string
		node *Node
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
			sel, err := s.SelectorFor(tt.node.ID)
			if got, _ := json.Marshal(sel); err != nil || string(got) != tt.want {
				t.Errorf("got %s (%v), want %s", got, err, tt.want)
			}
		})
	}
}
