package tools_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/makers/tools"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// upstream are the names that upstream's trails and scripts use and that make sense in a browser.
var upstream = strings.Fields(`
	web_navigate web_click web_type web_hover web_selectOption web_pressKey web_scroll web_wait web_waitForUrl
	web_currentUrl web_resize web_snapshot web_requestDetails web_fillSecret web_applyCookies web_getStorageState
	web_evaluate web_verifyTextVisible web_verifyElementVisible web_verifyValue web_verifyListVisible
	web_assertNetworkEvent
	tap longPress dragTo dragByPoints tapOnPoint tapOnElementBySelector tapOn tapOnElementWithText
	tapOnElementWithAccessibilityText longPressOnElementWithText longPressElementWithAccessibilityText
	inputText inputTextRandom clearText eraseText hideKeyboard pressKey pressBack swipe swipeWithRelativeCoordinates
	scrollUntilTextIsVisible launchApp stopApp openUrl wait waitForChange waitUntilNotVisible takeSnapshot
	requestDetailedViewHierarchy mobile_setClipboard mobile_pasteClipboard mobile_clearAppData
	assertVisible assertVisibleBySelector assertNotVisibleBySelector assertNotVisibleWithText assertVisibleWithText
	assertVisibleWithAccessibilityText assertVisibleWithResourceId findMatches
	assertEquals assertNotEquals assertMath dumpMemory`)

// founding are the commands of the founding documents (R21–R35).
var founding = strings.Fields(`
	tap inputText launchApp clearAppData isVisible hasText getElementText getElementCount captureScreen assertVisible
	waitUntilVisible pressBack swipe scroll pinch navigate click fill waitForSelector evaluateJs`)

func TestBuiltinTools(t *testing.T) {
	reg, err := tool.NewRegistry(tools.Builtin()...) // R54, R55: names are valid and unique
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Concat(upstream, founding) {
		if _, ok := reg.Get(name); !ok {
			t.Errorf("no tool %s", name)
		}
	}
	for _, tl := range reg.All() {
		s := tl.Spec()
		switch {
		case len(s.Description) < 30:
			t.Errorf("%s: its .md file says too little to a model: %q", s.Name, s.Description)
		case s.Title == "":
			t.Errorf("%s has no title", s.Name)
		case s.Kind == tool.Query && s.Destructive:
			t.Errorf("%s is a query and destructive", s.Name)
		case s.Delegating && s.Recordable:
			t.Errorf("%s is replaced by what it delegates to and must not be recorded itself (R105)", s.Name)
		case s.NeedsModel:
			t.Errorf("%s needs a model", s.Name)
		}
		for name, p := range s.Input.Get().Properties { // R252: a model reads every parameter's description
			if p.Description == "" {
				t.Errorf("%s: parameter %s has no description", s.Name, name)
			}
		}
	}
	for _, name := range tools.NeedsModel() {
		if _, ok := reg.Get(name); ok {
			t.Errorf("%s is said to need a model and is built in", name)
		}
	}
}

// R37: what a tool is called says how it fails.
func TestKindsFollowNames(t *testing.T) {
	for _, tl := range tools.Builtin() {
		s := tl.Spec()
		_, base, platform := strings.Cut(s.Name, "_")
		if !platform {
			base = s.Name
		}
		want := tool.Kind("")
		switch {
		case strings.HasPrefix(base, "assert"), strings.HasPrefix(base, "verify"), strings.HasPrefix(base, "waitUntil"), strings.HasPrefix(base, "waitFor"):
			want = tool.Assertion
		case strings.HasPrefix(base, "is"), strings.HasPrefix(base, "has"), strings.HasPrefix(base, "get"), strings.HasPrefix(base, "list"),
			strings.HasPrefix(base, "find"):
			want = tool.Query
		case strings.HasPrefix(base, "tap"), strings.HasPrefix(base, "click"), strings.HasPrefix(base, "type"), strings.HasPrefix(base, "swipe"),
			strings.HasPrefix(base, "input"):
			want = tool.Action
		}
		if want != "" && s.Kind != want {
			t.Errorf("%s is of kind %s, want %s", s.Name, s.Kind, want)
		}
	}
}

// The toolsets that upstream's targets name hold at least what they hold there (R7, R98).
func TestToolsets(t *testing.T) {
	sets := map[string]string{
		"web_core": `web_click web_type web_navigate web_scroll web_hover web_pressKey web_selectOption web_wait web_snapshot
			web_requestDetails web_resize web_currentUrl web_waitForUrl web_applyCookies web_getStorageState web_fillSecret`,
		"web_verification": `web_verifyTextVisible web_verifyElementVisible web_verifyValue web_verifyListVisible web_assertNetworkEvent`,
		"web_framework":    `web_evaluate`,
		"core_interaction": `clearText eraseText hideKeyboard inputText inputTextRandom launchApp openUrl mobile_pasteClipboard
			pressKey scrollUntilTextIsVisible mobile_setClipboard swipe takeSnapshot tap longPress dragTo tapOnPoint wait waitForChange`,
		"navigation":        `launchApp openUrl pressBack scrollUntilTextIsVisible`,
		"observation":       `takeSnapshot`,
		"verification":      `assertVisible assertNotVisibleWithText`,
		"memory":            `assertEquals assertMath assertNotEquals dumpMemory`,
		"mobile_primitives": `mobile_clearAppData mobile_listInstalledApps mobile_pasteClipboard mobile_setClipboard`,
	}
	members := map[string][]string{}
	for _, tl := range tools.Builtin() {
		for _, g := range tl.Spec().Groups {
			members[g] = append(members[g], tl.Spec().Name)
		}
	}
	for set, names := range sets {
		for name := range strings.FieldsSeq(names) {
			if !slices.Contains(members[set], name) {
				t.Errorf("toolset %s lacks %s", set, name)
			}
		}
	}
}
