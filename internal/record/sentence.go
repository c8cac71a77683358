package record

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// sentence says what an action does, for a step that nobody described: Click the button “Continue”.
func sentence(a Action) string {
	args := meaning(a.Call.Args)
	s := speaker{args, whom(a.Target, args)}
	if form, ok := forms[a.Call.Name]; ok {
		if text := form(s); text != "" {
			return text
		}
	}
	if a.Kind == tool.Assertion && a.Effect.Checked != "" {
		return "Check: " + clip(a.Effect.Checked)
	}
	text := capital(words(a.Call.Name))
	if s.target != "" {
		text += ": " + s.target
	}
	return text
}

// speaker is what a sentence is made of.
type speaker struct {
	args   map[string]any
	target string // the button “Continue”, "" when there is none
}

// str is an argument in quotes, "" when it is not there.
func (s speaker) str(name string) string {
	switch v := s.args[name].(type) {
	case string:
		return quoted(v)
	case []any:
		var out []string
		for _, e := range v {
			out = append(out, quoted(fmt.Sprint(e)))
		}
		return strings.Join(out, ", ")
	}
	return ""
}

func (s speaker) plain(name string) string {
	if v, ok := s.args[name]; ok {
		return clip(fmt.Sprint(v))
	}
	return ""
}

// on is a verb and the target, or what stands for it.
func (s speaker) on(verb string, otherwise ...string) string {
	what := s.target
	for _, o := range otherwise {
		what = cmp.Or(what, o)
	}
	if what == "" {
		return ""
	}
	return verb + " " + what
}

// forms are the sentences of the built-in tools.
var forms = map[string]func(speaker) string{
	"web_navigate": navigating, "navigate": navigating, "openUrl": navigating,
	"web_click": tapping, "click": tapping, "tap": tapping, "tapOn": tapping, "tapOnElementBySelector": tapping, "tapOnElementWithText": tapping,
	"tapOnElementWithAccessibilityText": tapping,
	"tapOnPoint":                        func(s speaker) string { return fmt.Sprintf("Tap the point %s, %s", s.plain("x"), s.plain("y")) },
	"longPress":                         func(s speaker) string { return s.on("Press and hold", s.str("text")) },
	"longPressOnElementWithText":        func(s speaker) string { return s.on("Press and hold", s.str("text")) },
	"web_hover":                         func(s speaker) string { return s.on("Point at") },
	"web_drag":                          func(s speaker) string { return s.on("Drag") },
	"dragTo":                            func(s speaker) string { return s.on("Drag") },
	"web_type":                          func(s speaker) string { return typed(s, "text") },
	"inputText":                         func(s speaker) string { return typed(s, "text") },
	"fill":                              func(s speaker) string { return typed(s, "value") },
	"web_fillSecret":                    func(s speaker) string { return typed(s, "value") },
	"web_clear":                         func(s speaker) string { return s.on("Clear", "the field") },
	"clearText":                         func(s speaker) string { return s.on("Clear", "the field") },
	"eraseText":                         func(s speaker) string { return s.on("Erase text in", "the field") },
	"web_pressKey":                      func(s speaker) string { return "Press " + s.plain("key") + in(" in ", s.target) },
	"pressKey":                          func(s speaker) string { return "Press " + s.plain("keyCode") },
	"pressBack":                         func(speaker) string { return "Go back" },
	"web_selectOption":                  func(s speaker) string { return "Choose " + s.str("values") + in(" in ", s.target) },
	"web_setChecked":                    checked,
	"web_uploadFile":                    func(s speaker) string { return "Upload " + s.str("paths") + in(" to ", s.target) },
	"web_scroll":                        scrolling, "scroll": scrolling, "swipe": scrolling,
	"scrollUntilTextIsVisible": func(s speaker) string { return "Scroll to " + cmp.Or(s.str("text"), s.target) },
	"web_newTab":               func(s speaker) string { return "Open a tab" + in(" with ", s.plain("url")) },
	"web_switchTab":            func(speaker) string { return "Switch to another tab" },
	"web_closeTab":             func(speaker) string { return "Close the tab" },
	"web_handleDialog":         func(speaker) string { return "Answer the dialog" },
	"web_resize":               func(s speaker) string { return "Resize the page to " + s.plain("width") + "×" + s.plain("height") },
	"web_emulate":              func(s speaker) string { return "Behave like " + s.str("device") },
	"launchApp":                func(s speaker) string { return "Start the app " + s.plain("appId") },
	"stopApp":                  func(s speaker) string { return "Stop the app" + in(" ", s.plain("appId")) },
	"runTrail":                 func(s speaker) string { return "Play the trail " + s.plain("path") },
	"takeSnapshot":             func(s speaker) string { return "Keep the screen " + s.str("screenName") },
	"remember":                 func(s speaker) string { return "Remember " + cmp.Or(s.target, "a text") + " as " + s.plain("variable") },

	"web_verifyTextVisible":      visible,
	"web_verifyElementVisible":   visible,
	"assertVisible":              visible,
	"assertVisibleWithText":      visible,
	"assertVisibleBySelector":    visible,
	"waitUntilVisible":           visible,
	"assertNotVisibleWithText":   func(s speaker) string { return cmp.Or(s.str("text"), s.target) + " is not visible" },
	"assertNotVisibleBySelector": func(s speaker) string { return cmp.Or(s.target, "the element") + " is not visible" },
	"web_verifyValue": func(s speaker) string {
		return capital(cmp.Or(s.target, "the field")) + " holds " + cmp.Or(s.str("value"), s.str("text"))
	},
	"web_waitForUrl": func(s speaker) string { return "The address is " + s.plain("pattern") },
	"assertEquals":   func(s speaker) string { return s.str("actual") + " equals " + s.str("expected") },
}

func navigating(s speaker) string {
	switch action, _ := s.args["action"].(string); strings.ToUpper(action) {
	case "BACK":
		return "Go back"
	case "FORWARD":
		return "Go forward"
	case "RELOAD":
		return "Reload the page"
	}
	if u := s.plain("url"); u != "" {
		return "Open " + u
	}
	return ""
}

func tapping(s speaker) string { return s.on("Click", s.str("text"), s.str("accessibilityText")) }

func typed(s speaker, arg string) string {
	what := s.str(arg)
	if name, ok := s.args["name"].(string); ok && what == "" {
		what = "{{" + name + "}}"
	}
	if text, ok := s.args[arg].(string); ok && token.FindString(text) == text && text != "" {
		what = text
	}
	if what == "" {
		return s.on("Clear", "the field")
	}
	text := "Type " + what + in(" into ", s.target)
	if s.args["submit"] == true {
		text += " and press Enter"
	}
	return text
}

func checked(s speaker) string {
	if s.args["checked"] == false {
		return s.on("Uncheck")
	}
	return s.on("Check")
}

func scrolling(s speaker) string {
	dir, _ := s.args["direction"].(string)
	return strings.TrimSpace("Scroll "+strings.ToLower(dir)) + in(" in ", s.target)
}

func visible(s speaker) string {
	what := cmp.Or(s.str("text"), s.target)
	if what == "" {
		return ""
	}
	return capital(what) + " is visible"
}

func in(preposition, what string) string {
	if what == "" {
		return ""
	}
	return preposition + what
}

// roles are the words for roles that people do not use.
var roles = map[string]string{
	"textbox": "field", "searchbox": "search field", "combobox": "list", "listbox": "list", "spinbutton": "number field", "img": "picture",
	"menuitem": "menu item", "radio": "option", "article": "card", "generic": "element", "listitem": "item", "gridcell": "cell",
}

// whom names the element: by role and name, or only by role when it has none.
func whom(f *screen.Fingerprint, args map[string]any) string {
	if f == nil {
		if ref, ok := args["ref"].(string); ok && !ephemeral.MatchString(ref) {
			return quoted(ref)
		}
		return ""
	}
	role := cmp.Or(roles[f.Role], f.Role, "element")
	switch {
	case f.Name == "" && f.TestID != "":
		return "the " + role + " " + f.TestID
	case f.Name == "":
		return "the " + role
	case role == "field" || role == "search field" || role == "number field" || role == "list" || role == "text":
		return quoted(f.Name)
	}
	return "the " + role + " " + quoted(f.Name)
}

const longest = 80 // characters of a piece of a sentence

func clip(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if utf8.RuneCountInString(s) <= longest {
		return s
	}
	return string([]rune(s)[:longest-1]) + "…"
}

func quoted(s string) string {
	if s == "" {
		return ""
	}
	return "“" + clip(s) + "”"
}

func capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

var border = regexp.MustCompile(`([a-z0-9])([A-Z])`)

// words reads a tool's name: shop_signIn is "shop sign in".
func words(name string) string {
	name = border.ReplaceAllString(strings.ReplaceAll(name, "_", " "), "$1 $2")
	if _, err := strconv.Atoi(name); err == nil {
		return "tool " + name
	}
	return strings.ToLower(strings.TrimPrefix(name, "web "))
}
