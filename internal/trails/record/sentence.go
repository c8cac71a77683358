package record

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
	"github.com/trailblaze-dev/trailblaze/screen/identity"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// sentence describes an action, for a step without a description: Click the button “Continue”. The spec may be nil.
func sentence(s *tool.Spec, a Action) string {
	args := meaning(a.Call.Args)
	target := element(a.Target, args)
	if s != nil && s.Sentence != nil {
		if text := s.Sentence(tool.Phrase{Args: args, Target: target, To: moved(a.Call.Args)}); text != "" {
			return text
		}
	}
	if a.Kind == tool.Assertion && a.Effect.Checked != "" {
		return "Check: " + tool.Phrase{Args: tool.Args{"checked": a.Effect.Checked}}.Plain("checked")
	}
	return tool.Capital(words(a.Call.Name)) + tool.Join(": ", target)
}

// moved names the element that a call moves its target to; "" for none.
func moved(args json.RawMessage) string {
	var in struct{ ToFingerprint *identity.Fingerprint }
	if json.Unmarshal(args, &in) != nil {
		return ""
	}
	return element(in.ToFingerprint, nil)
}

// roles are the words for roles that people do not use.
var roles = map[string]string{
	"textbox": "field", "searchbox": "search field", "combobox": "list", "listbox": "list", "spinbutton": "number field",
	"img":      "picture",
	"menuitem": "menu item", "radio": "option", "article": "card", "generic": "element", "listitem": "item",
	"gridcell": "cell",
}

// element names the element by role and name, without a name by its test id or its text. Where other elements have the
// same name, the title of its item follows.
func element(f *identity.Fingerprint, args map[string]any) string {
	if f == nil {
		if ref, ok := args["ref"].(string); ok && !ephemeral().MatchString(ref) {
			return tool.Quote(ref)
		}
		return ""
	}
	role, which := cmp.Or(roles[f.Role], f.Role, "element"), ""
	if f.Editor && role == "element" {
		role = "editor"
	}
	if title := f.Title(); title != "" && f.Item != "" && (f.Alike > 0 || f.Name == "") {
		which = " of " + tool.Quote(title)
	}
	switch {
	case f.Name == "" && f.TestID != "":
		return "the " + role + " " + f.TestID
	case f.Name == "" && f.Text != "":
		return "the " + role + " " + tool.Quote(f.Text)
	case f.Name == "":
		return "the " + role + which
	case role == "field" || role == "search field" || role == "number field" || role == "list" || role == "text":
		return tool.Quote(f.Name) + which
	}
	return "the " + role + " " + tool.Quote(f.Name) + which
}

var border = regex.Lazy(`([a-z0-9])([A-Z])`)

// words reads a tool's name: shop_signIn is "shop sign in".
func words(name string) string {
	name = border().ReplaceAllString(strings.ReplaceAll(name, "_", " "), "$1 $2")
	if _, err := strconv.Atoi(name); err == nil {
		return "tool " + name
	}
	return strings.ToLower(strings.TrimPrefix(name, "web "))
}
