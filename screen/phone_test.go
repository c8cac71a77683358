package screen_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/screen"
)

func onAndroid(m screen.AndroidAccessibilityMatch) screen.Selector {
	return screen.Selector{AndroidAccessibility: &m}
}

func onMaestro(m screen.AndroidMaestroMatch) screen.Selector {
	return screen.Selector{AndroidMaestro: &m}
}

var phoneTexts = []struct {
	name string
	on   screen.Native
	sel  screen.Selector
	want bool
}{
	{
		"any text is not on a node without text",
		&screen.AndroidAccessibility{ClassName: new("View")},
		onAndroid(screen.AndroidAccessibilityMatch{TextRegex: new(".*")}),
		false,
	},
	{
		"any description likewise",
		&screen.AndroidAccessibility{Text: new("a")},
		onAndroid(screen.AndroidAccessibilityMatch{ContentDescriptionRegex: new(".*")}),
		false,
	},
	{"an empty text is a text", &screen.AndroidAccessibility{Text: new("")}, onAndroid(screen.AndroidAccessibilityMatch{TextRegex: new(".*")}), true},
	{
		"the empty pattern asks for an empty text",
		&screen.AndroidAccessibility{Text: new("a")},
		onAndroid(screen.AndroidAccessibilityMatch{TextRegex: new("")}),
		false,
	},
	{"and finds it", &screen.AndroidAccessibility{Text: new("")}, onAndroid(screen.AndroidAccessibilityMatch{TextRegex: new("")}), true},
	{"but not where there is none", &screen.AndroidAccessibility{}, onAndroid(screen.AndroidAccessibilityMatch{TextRegex: new("")}), false},
	{"an empty hint hides the description", &screen.AndroidAccessibility{HintText: new(""), ContentDescription: new("Pay")},
		onAndroid(screen.AndroidAccessibilityMatch{TextRegex: new("Pay")}), false},
	{"an exact field", &screen.AndroidAccessibility{}, onAndroid(screen.AndroidAccessibilityMatch{UniqueID: new("")}), false},
	{"Maestro: any text", &screen.AndroidMaestro{ClassName: new("View")}, onMaestro(screen.AndroidMaestroMatch{TextRegex: new(".*")}), false},
	{
		"Maestro: an empty text hides the hint",
		&screen.AndroidMaestro{Text: new(""), HintText: new("Pay")},
		onMaestro(screen.AndroidMaestroMatch{TextRegex: new("Pay")}),
		false,
	},
	{"Maestro: an empty text is a text", &screen.AndroidMaestro{Text: new("")}, onMaestro(screen.AndroidMaestroMatch{TextRegex: new(".*")}), true},
	{"Maestro: a dot matches a line end", &screen.AndroidMaestro{Text: new("a\nb")}, onMaestro(screen.AndroidMaestroMatch{TextRegex: new("a.b")}), true},
	{"Maestro: every line is anchored", &screen.AndroidMaestro{Text: new("a\nb")}, onMaestro(screen.AndroidMaestroMatch{TextRegex: new("^a$.^b$")}), true},
	{
		"Maestro: the case counts where it is asked for",
		&screen.AndroidMaestro{Text: new("PAY")},
		onMaestro(screen.AndroidMaestroMatch{TextRegex: new("(?-i)Pay")}),
		false,
	},
	{"iOS: any hint", &screen.IOSMaestro{Text: new("a")}, screen.Selector{IOSMaestro: &screen.IOSMaestroMatch{HintTextRegex: new(".*")}}, false},
	{"axe: any label", &screen.IOSAxe{Role: new("AXGroup")}, screen.Selector{IOSAxe: &screen.IOSAxeMatch{LabelRegex: new(".*")}}, false},
	{"axe: an action it does not have", &screen.IOSAxe{}, screen.Selector{IOSAxe: &screen.IOSAxeMatch{CustomAction: new("")}}, false},
	{
		"Compose: what is typed",
		&screen.Compose{EditableText: new("milk"), Text: new("Search")},
		screen.Selector{Compose: &screen.ComposeMatch{TextRegex: new("milk")}},
		true,
	},
	{
		"Compose: else the text",
		&screen.Compose{Text: new("Search"), ContentDescription: new("Find")},
		screen.Selector{Compose: &screen.ComposeMatch{TextRegex: new("Search")}},
		true,
	},
	{
		"Compose: else the description",
		&screen.Compose{ContentDescription: new("Find")},
		screen.Selector{Compose: &screen.ComposeMatch{TextRegex: new("Find")}},
		true,
	},
	{"Compose: nothing typed hides both", &screen.Compose{EditableText: new(""), Text: new("Search")},
		screen.Selector{Compose: &screen.ComposeMatch{TextRegex: new("Search")}}, false},
	{"Compose: enabled", &screen.Compose{Disabled: true}, screen.Selector{Compose: &screen.ComposeMatch{IsEnabled: new(false)}}, true},
}

// TestPhoneTexts: a field that a node does not have and one that is empty are two things.
func TestPhoneTexts(t *testing.T) {
	for _, tt := range phoneTexts {
		t.Run(tt.name, func(t *testing.T) {
			data, err := json.Marshal(tt.sel)
			if err != nil {
				t.Fatal(err)
			}
			var again screen.Selector
			if err := json.Unmarshal(data, &again); err != nil {
				t.Fatal(err)
			}
			for _, sel := range []screen.Selector{tt.sel, again} {
				if got := len(names(t, tree(&screen.Node{Role: "view", Name: "it", Native: tt.on}), sel)) == 1; got != tt.want {
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
			sel, mistakes, err := screen.ParseSelector([]byte(tt.in))
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
		_, _, err := screen.ParseSelector([]byte(in))
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "Go ") || strings.Contains(err.Error(), "Match") {
			t.Errorf("%s: %v, want %q", in, err, want)
		}
	}
	if _, mistakes, err := screen.ParseSelector([]byte(`{"web":{"ariaNameRegex":""}}`)); err != nil || len(mistakes) != 1 ||
		!strings.Contains(mistakes[0], "web.ariaNameRegex is empty") {
		t.Errorf("an empty name: %q (%v), want a mistake", mistakes, err)
	}
}
