package toolset

import (
	"slices"

	"github.com/trailblaze-dev/trailblaze/tool"
)

// idempotent are the actions that make no difference the second time: they say what is to be, not what to do.
var idempotent = []string{
	"web_setChecked", "web_selectOption", "web_clear", "clearText", "web_resize", "web_emulate", "web_setDialogPolicy", "web_clearRoutes",
	"web_applyCookies", "web_setStorageState", "web_switchTab", "hideKeyboard", "stopApp", "mobile_setClipboard", "web_hover",
	"web_fillSecret",
	"setMode", "setScreenshotFormat", "setAutoIncludeScreenshot", "setViewHierarchyVerbosity", "setLlmCallStrategy", "configureSession",
	"setTargetApp", "switchTargetApp", "connectToDevice", "enableToolCategories", "addToolCategory", "removeToolCategory", "focusOnCategory",
	"useMinimalTools", "useStandardTools", "useTestingTools", "switchToolSet", "endSession", "cancel", "clearAgentMetrics",
}

// hintsOf decides the annotations. A tool that touches a device touches the open world: what a page does with a click is not
// ours to say. Desk tools and memory stay in the house.
func hintsOf(s *tool.Spec) Hints {
	reads := s.Kind != tool.Action && s.Name != "remember"
	return Hints{
		ReadOnly:    reads,
		Destructive: s.Destructive && !reads,
		Idempotent:  reads || slices.Contains(idempotent, s.Name),
		OpenWorld:   !slices.Contains(s.Groups, "desk") && !slices.Contains(s.Groups, "memory"),
	}
}
