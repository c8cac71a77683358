package toolset

import (
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// everyday is the DEFAULT category, in the order it is listed: on the web, and on phones.
var (
	house       = []string{"device", "session", "addToolCategory"}
	everydayWeb = []string{
		"web_navigate", "web_snapshot", "web_click", "web_type", "web_pressKey", "web_selectOption", "web_verifyTextVisible",
	}
	everydayPhone = []string{"launchApp", "viewHierarchy", "tap", "inputText", "pressKey", "swipe", "assertVisible"}
)

// byName places the tools whose groups do not say enough. Groups are upstream's and say where a tool is in its toolboxes
// ("web_core" is two thirds of all), not what it is for.
var byName = map[Category][]string{
	CoreInteraction: {
		"web_click", "web_hover", "web_drag", "web_type", "web_clear", "web_fillSecret", "web_pressKey", "web_selectOption",
		"web_setChecked", "web_scroll", "web_wait",
	},
	Navigation: {
		"web_navigate", "web_currentUrl", "web_waitForUrl", "web_handleDialog", "web_setDialogPolicy", "web_dialogs", "web_scroll",
	},
	Observation: {
		"web_snapshot", "web_requestDetails", "takeSnapshot", "requestDetailedViewHierarchy", "viewHierarchy", "getScreenshot",
		"web_currentUrl", "web_listTabs", "web_console", "awaitScreen",
	},
	Verification: {"web_waitForUrl", "waitForChange", "web_waitForDownload", "assertEquals", "assertNotEquals", "assertMath"},
	Tabs:         {"web_listTabs", "web_newTab", "web_switchTab", "web_closeTab", "web_listFrames"},
	Network:      {"web_requests", "web_mockRoute", "web_clearRoutes", "web_assertNetworkEvent", "web_console"},
	Files:        {"web_uploadFile", "web_downloads", "web_waitForDownload"},
	Storage:      {"web_applyCookies", "web_getStorageState", "web_setStorageState", "web_fillSecret", "clearAppData", "mobile_clearAppData"},
	Script:       {"web_evaluate", "evaluateJs"},
	Device: {
		"device", "connectToDevice", "web_resize", "web_emulate", "launchApp", "stopApp", "mobile_listInstalledApps",
		"mobile_clearAppData", "setTargetApp", "switchTargetApp", "awaitScreen",
	},
	Mobile: {
		"launchApp", "openUrl", "tap", "longPress", "tapOnPoint", "dragTo", "inputText", "inputTextRandom", "clearText", "eraseText",
		"hideKeyboard", "pressKey", "pressBack", "swipe", "scrollUntilTextIsVisible", "assertVisible", "assertNotVisibleWithText",
		"waitForChange", "wait", "viewHierarchy", "requestDetailedViewHierarchy",
	},
	Trail: {"trail", "trailEdit", "runTrail"},
}

// groups are the toolsets of specs that say what a tool is for.
var groups = map[string]Category{
	"core_interaction": CoreInteraction, "navigation": Navigation, "observation": Observation, "verification": Verification,
	"web_verification": Verification, "memory": Memory, "session": Session, "device": Device, "trail": Trail, "mobile_primitives": Mobile,
	"network": Network, "files": Files, "storage": Storage, "script": Script, "tabs": Tabs, "web_framework": Script,
}

// phone are the tools that a web page is better driven without: each has a twin of the web that says more. On the web they
// are listed in MOBILE and ALL only; they work all the same.
var phone = map[string]string{
	"openUrl": "web_navigate", "launchApp": "web_navigate", "tap": "web_click", "longPress": "web_click", "tapOnPoint": "web_click",
	"dragTo": "web_drag", "inputText": "web_type", "inputTextRandom": "web_type", "clearText": "web_clear", "eraseText": "web_clear",
	"hideKeyboard": "", "pressKey": "web_pressKey", "pressBack": "web_navigate", "mobile_setClipboard": "", "mobile_pasteClipboard": "",
	"swipe": "web_scroll", "scrollUntilTextIsVisible": "web_scroll", "requestDetailedViewHierarchy": "web_requestDetails",
	"viewHierarchy": "web_snapshot", "assertVisible": "web_verifyElementVisible", "wait": "web_wait", "mobile_listInstalledApps": "",
}

// named is byName by tool.
var named = func() map[string][]Category {
	out := map[string][]Category{}
	for _, info := range categories {
		for _, name := range byName[info.ID] {
			out[name] = append(out[name], info.ID)
		}
	}
	return out
}()

// CategoriesOf lists the categories a tool is in, ALL aside, in the order categories are shown. A tool that nothing places
// is one of a project's own, or a web tool that acts.
func CategoriesOf(s *tool.Spec) []Category {
	in := map[Category]bool{}
	for _, c := range named[s.Name] {
		in[c] = true
	}
	for _, g := range s.Groups {
		if c, ok := groups[strings.ToLower(g)]; ok {
			in[c] = true
		} else if c := Category(g).Canonical(); c.Info().ID == c && c != All && c != Everyday {
			in[c] = true
		}
	}
	if isEveryday(s.Name) {
		in[Everyday] = true
	}
	if len(in) == 0 {
		in[orphanage(s)] = true
	}
	var out []Category
	for _, info := range categories {
		if in[info.ID] {
			out = append(out, info.ID)
		}
	}
	return out
}

func orphanage(s *tool.Spec) Category {
	switch {
	case slices.Contains(s.Groups, "desk"):
		return Session
	case !slices.ContainsFunc(tool.Reserved, func(p string) bool { return strings.HasPrefix(s.Name, p) }):
		return Custom
	case s.Kind == tool.Assertion:
		return Verification
	case s.Kind == tool.Query:
		return Observation
	}
	return CoreInteraction
}

func isEveryday(name string) bool {
	return slices.Contains(house, name) || slices.Contains(everydayWeb, name) || slices.Contains(everydayPhone, name)
}

// everyday is what the DEFAULT category lists on a platform.
func everyday(p driver.Platform) []string {
	if onWeb(p) {
		return slices.Concat(house, everydayWeb)
	}
	return slices.Concat(house, everydayPhone)
}

// onWeb says whether a seat acts on the web; one that has no device yet will, because that is what is opened by itself.
func onWeb(p driver.Platform) bool {
	return p == "" || strings.EqualFold(string(p), string(driver.WebPlatform))
}
