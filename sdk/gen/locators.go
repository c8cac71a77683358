package main

import (
	_ "embed"
	"strings"
	"text/template"

	"google.golang.org/protobuf/compiler/protogen"
)

// finder makes a locator of one or two texts. Field is where the first goes in a selector of browser elements, Second
// where another one goes that may be left out, Tags a CSS selector that holds, too.
type finder struct{ Name, Doc, Of, Field, Second, Tags string }

var finders = []finder{
	{"get_by_role", "The elements of an ARIA role, such as button or row, and of a name when one is given.",
		"role", "ariaRole", "ariaNameRegex", ""},
	{"get_by_label", "The fields of a label, or of a name that they have otherwise.",
		"label", "ariaNameRegex", "", "input, textarea, select, [contenteditable]"},
	{"get_by_text", "The elements in which a text stands directly, and nothing else.", "text", "ownTextRegex", "", ""},
	{"get_by_test_id", "The elements of a data-testid.", "id", "dataTestId", "", ""},
	{"get_by_css", "The elements that a CSS selector matches.", "css", "cssSelector", "", ""},
}

// deed is a method of a locator: a method of WebCommands on its element.
type deed struct{ Name, Doc, Method, Request, Param, Kind, Fixed string }

var deeds = []deed{
	{"Click", "Clicks it.", "Click", "ClickRequest", "", "", ""},
	{"Fill", "Sets the field to a value, and reads it back.", "Fill", "FillRequest", "value", "str", ""},
	{"Hover", "Moves the mouse onto it.", "Hover", "WebHoverRequest", "", "", ""},
	{"Press", "Presses a key or a chord in it, such as Enter or Control+a.",
		"PressKey", "WebPressKeyRequest", "key", "str", ""},
	{"Select", "Chooses options by their label, value or index.",
		"SelectOption", "WebSelectOptionRequest", "values", "list[str]", ""},
	{"Check", "Checks it.", "SetChecked", "WebSetCheckedRequest", "", "", "true"},
	{"Uncheck", "Takes its check away.", "SetChecked", "WebSetCheckedRequest", "", "", "false"},
}

// words are how a template writes names and types.
var words = template.FuncMap{
	"camel": camel,
	"pascal": func(name string) string {
		name = camel(name)
		return strings.ToUpper(name[:1]) + strings.Replace(name[1:], "TestId", "TestID", 1)
	},
	"snake":  snake,
	"title":  func(s string) string { return strings.ToUpper(s[:1]) + s[1:] },
	"lower":  func(s string) string { return strings.ToLower(s[:1]) + s[1:] },
	"regex":  func(field string) bool { return strings.HasSuffix(field, "Regex") },
	"script": func(kind string) string { return map[string]string{"str": "string", "list[str]": "string[]"}[kind] },
	"golang": func(kind string) string { return map[string]string{"str": "string", "list[str]": "[]string"}[kind] },
}

// camel is a name as TypeScript writes it.
func camel(name string) string {
	parts := strings.Split(name, "_")
	for i, p := range parts[1:] {
		parts[i+1] = strings.ToUpper(p[:1]) + p[1:]
	}
	return strings.Join(parts, "")
}

// The templates of locators: an element by its selector, and what is expected of it.
var (
	//go:embed locators.py.tmpl
	pythonLocators string
	//go:embed locators.ts.tmpl
	scriptLocators string
	//go:embed locators.go.tmpl
	goLocators string
)

// writeLocators writes the locators of one language.
func writeLocators(g *protogen.GeneratedFile, text string) error {
	type flavor struct{ A, Async, Await string } // of Python
	t, err := template.New("").Funcs(words).Parse(text)
	if err != nil {
		return err
	}
	return t.Execute(g, struct {
		Finders []finder
		Deeds   []deed
		Flavors []flavor
	}{finders, deeds, []flavor{{"", "", ""}, {"Async", "async ", "await "}}})
}
