package toolset

import (
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/tool"
)

// Category is a set of tools that serve one purpose (R202–R204).
type Category string

// The categories: upstream's, and those for tools that upstream lacks.
const (
	Default         Category = "DEFAULT" // the few tools that most flows need
	CoreInteraction Category = "CORE_INTERACTION"
	Navigation      Category = "NAVIGATION"
	Observation     Category = "OBSERVATION"
	Verification    Category = "VERIFICATION"
	Memory          Category = "MEMORY"
	Session         Category = "SESSION"
	Trail           Category = "TRAIL"
	Device          Category = "DEVICE"
	Tabs            Category = "TABS"
	Files           Category = "FILES"
	Network         Category = "NETWORK"
	Storage         Category = "STORAGE"
	Script          Category = "SCRIPT"
	Mobile          Category = "MOBILE"
	Custom          Category = "CUSTOM"
	All             Category = "ALL"
)

var about = []struct {
	c    Category
	text string
}{
	{Default, "the few tools that most flows need, of several categories"},
	{CoreInteraction, "click, type, select, drag, keys, scrolling"},
	{Navigation, "open URLs, go back, reload, launch apps"},
	{Observation, "look at the screen: snapshots, screenshots, waiting for changes"},
	{Verification, "assert what a person can see, and values"},
	{Memory, "remember values and compute with them"},
	{Session, "settings, modes, categories, recording, jobs, metrics"},
	{Trail, "run, edit and list stored trails"},
	{Device, "connect and create devices, viewport, emulation"},
	{Tabs, "tabs, popups, frames, dialogs"},
	{Files, "uploads and downloads"},
	{Network, "requests, mocks, console"},
	{Storage, "cookies, local storage, login states, clipboard"},
	{Script, "run JavaScript in the page"},
	{Mobile, "the cross-platform and phone forms of the tools: tap, swipe, inputText"},
	{Custom, "tools that teams added"},
	{All, "everything"},
}

// Categories lists every category.
func Categories() []Category {
	out := make([]Category, len(about))
	for i, a := range about {
		out[i] = a.c
	}
	return out
}

// Enum implements tool.Enumerated.
func (Category) Enum() []any {
	out := make([]any, len(about))
	for i, a := range about {
		out[i] = a.c
	}
	return out
}

// Describe says what a category is for.
func (c Category) Describe() string {
	for _, a := range about {
		if a.c == c.Canonical() {
			return a.text
		}
	}
	return ""
}

// Canonical is the category in its listed spelling.
func (c Category) Canonical() Category { return Category(strings.ToUpper(string(c))) }

// members names the tools that stand somewhere by name. What is not named goes by its groups and by its name's form.
var members = map[Category][]string{
	CoreInteraction: {"web_click", "web_type", "web_clear", "web_pressKey", "web_selectOption", "web_setChecked", "web_hover", "web_drag", "web_scroll", "web_fillSecret", "runTrail"},
	Navigation:      {"web_navigate", "web_currentUrl", "web_waitForUrl"},
	Observation:     {"web_snapshot", "web_requestDetails", "viewHierarchy", "getScreenshot", "takeSnapshot", "web_wait", "waitForChange", "wait", "requestDetailedViewHierarchy"},
	Verification:    {"web_waitForUrl"},
	Session:         {"session", "endSession", "config", "toolbox", "status", "cancel", "job", "runPrompt"},
	Trail:           {"trail", "trailEdit", "runTrail"},
	Device:          {"device", "connectToDevice", "web_resize", "web_emulate", "setTargetApp", "switchTargetApp"},
	Tabs:            {"web_listTabs", "web_newTab", "web_switchTab", "web_closeTab", "web_listFrames", "web_dialogs", "web_handleDialog", "web_setDialogPolicy"},
	Files:           {"web_uploadFile", "web_downloads", "web_waitForDownload"},
	Network:         {"web_requests", "web_mockRoute", "web_clearRoutes", "web_console", "web_assertNetworkEvent"},
	Storage:         {"web_applyCookies", "web_getStorageState", "web_setStorageState", "clearAppData", "mobile_clearAppData", "mobile_setClipboard", "mobile_pasteClipboard"},
	Script:          {"web_evaluate"},
}

// byGroup places tools by the groups that they name themselves.
var byGroup = map[string][]Category{
	"core_interaction":  {Mobile},
	"navigation":        {Mobile, Navigation},
	"observation":       {Mobile, Observation},
	"verification":      {Verification, Mobile},
	"web_verification":  {Verification},
	"memory":            {Memory},
	"mobile_primitives": {Mobile},
	"web_devtools":      {Network},
	"web_framework":     {Script},
	"desk":              {Session},
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

// Of lists the categories of a tool, ALL left out. Every tool has at least one.
func Of(s *tool.Spec) []Category {
	if own := placed[s.Name]; len(own) > 0 {
		return slices.Clone(own)
	}
	var out []Category
	for _, g := range s.Groups {
		for _, c := range byGroup[strings.ToLower(g)] {
			if !slices.Contains(out, c) {
				out = append(out, c)
			}
		}
	}
	switch {
	case len(out) > 0:
		return out
	case strings.HasPrefix(s.Name, "web_"):
		return []Category{CoreInteraction}
	case tool.ValidCustomName(s.Name) == nil:
		return []Category{Custom}
	}
	return []Category{Mobile}
}
