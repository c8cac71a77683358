package toolset

import (
	"slices"
	"strings"
	"sync"

	"github.com/trailblaze-dev/trailblaze/tool"
)

// DeskGroup is the group of tools that manage the house and need no device.
const DeskGroup = "desk"

// members places tools by name. Groups are upstream's and say in which of its toolboxes a tool lies ("web_core" is two thirds
// of all), not what it is for.
var members = map[Category][]string{
	CoreInteraction: {
		"web_click", "web_hover", "web_drag", "web_type", "web_clear", "web_fillSecret", "web_pressKey", "web_selectOption",
		"web_setChecked", "web_scroll", "web_wait",
	},
	Navigation: {"web_navigate", "web_currentUrl", "web_waitForUrl"},
	Observation: {
		"web_snapshot", "web_requestDetails", "takeSnapshot", "requestDetailedViewHierarchy", "viewHierarchy", "getScreenshot",
		"waitForChange", "awaitScreen",
	},
	Verification: {"web_waitForUrl", "web_waitForDownload"},
	Session:      {"session", "endSession", "config", "toolbox", "status", "cancel", "job", "runPrompt", "switchToolSet"},
	Trail:        {"trail", "trailEdit", "runTrail"},
	Device: {
		"device", "connectToDevice", "web_resize", "web_emulate", "setTargetApp", "switchTargetApp", "mobile_listInstalledApps",
		"stopApp", "mobile_clearAppData",
	},
	Tabs: {
		"web_listTabs", "web_newTab", "web_switchTab", "web_closeTab", "web_listFrames", "web_dialogs", "web_handleDialog",
		"web_setDialogPolicy",
	},
	Files:   {"web_uploadFile", "web_downloads", "web_waitForDownload"},
	Network: {"web_requests", "web_mockRoute", "web_clearRoutes", "web_console", "web_assertNetworkEvent"},
	Storage: {"web_applyCookies", "web_getStorageState", "web_setStorageState", "clearAppData", "mobile_clearAppData"},
	Script:  {"web_evaluate"},
	Mobile: {
		"launchApp", "openUrl", "tap", "longPress", "tapOnPoint", "dragTo", "inputText", "inputTextRandom", "clearText", "eraseText",
		"hideKeyboard", "pressKey", "pressBack", "swipe", "scrollUntilTextIsVisible", "assertVisible", "assertNotVisibleWithText",
		"waitForChange", "wait", "viewHierarchy", "requestDetailedViewHierarchy", "takeSnapshot", "getScreenshot",
	},
}

// byGroup are the groups that say what a tool is for. Upstream's toolset ids and the names of categories both do.
var byGroup = func() map[string]Category {
	out := map[string]Category{"web_verification": Verification, "mobile_primitives": Mobile, "web_framework": Script}
	for _, c := range Categories() {
		if c != All && c != Default {
			out[strings.ToLower(string(c))] = c
		}
	}
	return out
}()

// twins are the phone forms of tools that the web has under other names and better suited. On the web they are listed in
// MOBILE and ALL only, so that a model is not given two tools for one thing; called, they work everywhere.
var twins = map[string]string{
	"launchApp": "web_navigate", "openUrl": "web_navigate", "tap": "web_click", "longPress": "web_click", "tapOnPoint": "web_click",
	"dragTo": "web_drag", "inputText": "web_type", "inputTextRandom": "web_type", "clearText": "web_clear", "eraseText": "web_clear",
	"hideKeyboard": "web_pressKey", "pressKey": "web_pressKey", "pressBack": "web_navigate", "swipe": "web_scroll",
	"scrollUntilTextIsVisible": "web_scroll", "assertVisible": "web_verifyElementVisible", "wait": "web_wait",
	"viewHierarchy": "web_snapshot", "requestDetailedViewHierarchy": "web_requestDetails", "mobile_setClipboard": "web_type",
	"mobile_pasteClipboard": "web_pressKey", "mobile_listInstalledApps": "", "stopApp": "", "mobile_clearAppData": "",
}

var placed = func() map[string][]Category {
	out := map[string][]Category{}
	for _, a := range about {
		for _, name := range members[a.c] {
			out[name] = append(out[name], a.c)
		}
	}
	return out
}()

// Of lists the categories of a tool in the order they are shown, DEFAULT and ALL left out. Every tool has at least one.
func Of(s *tool.Spec) []Category { return slices.Clone(of(s)) }

var placedSpecs sync.Map // of *tool.Spec to []Category; specs are immutable

// of is Of for those who do not change it.
func of(s *tool.Spec) []Category {
	if have, ok := placedSpecs.Load(s); ok {
		return have.([]Category) //nolint:forcetypeassert // only these are stored
	}
	out := place(s)
	placedSpecs.Store(s, out)
	return out
}

func place(s *tool.Spec) []Category {
	in := slices.Clone(placed[s.Name])
	for _, g := range s.Groups {
		if c, ok := byGroup[strings.ToLower(g)]; ok {
			in = append(in, c)
		}
	}
	if len(in) == 0 {
		in = append(in, unplaced(s))
	}
	var out []Category
	for _, a := range about {
		if slices.Contains(in, a.c) {
			out = append(out, a.c)
		}
	}
	return out
}

// unplaced is the category of a tool that nothing else places: a team's own, or a new one of ours by its kind.
func unplaced(s *tool.Spec) Category {
	switch {
	case slices.Contains(s.Groups, DeskGroup):
		return Session
	case !ours(s):
		return Custom
	case strings.HasPrefix(s.Name, "mobile_"), strings.HasPrefix(s.Name, "android_"), strings.HasPrefix(s.Name, "ios_"):
		return Mobile
	case s.Kind == tool.Assertion:
		return Verification
	case s.Kind == tool.Query:
		return Observation
	}
	return CoreInteraction
}

func reserved(name string) bool {
	return slices.ContainsFunc(tool.Reserved, func(p string) bool { return strings.HasPrefix(name, p) })
}
