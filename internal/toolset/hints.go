package toolset

import (
	"slices"

	"github.com/trailblaze-dev/trailblaze/tool"
)

// Hints are what a client may know of a tool before it calls it; MCP calls them annotations. Every one is decided.
type Hints struct {
	Title       string
	ReadOnly    bool
	Destructive bool
	Idempotent  bool
	OpenWorld   bool
}

// idempotent are the actions that make no difference the second time: they say what is to be, not what to do.
var idempotent = []string{
	"web_setChecked", "web_selectOption", "web_fillSecret", "web_clear", "clearText", "web_hover", "web_resize", "web_emulate",
	"web_setDialogPolicy", "web_clearRoutes", "web_applyCookies", "web_setStorageState", "web_switchTab", "hideKeyboard", "stopApp",
	"mobile_setClipboard", "wait", "web_wait",
	"setMode", "setScreenshotFormat", "setAutoIncludeScreenshot", "setViewHierarchyVerbosity", "setLlmCallStrategy", "configureSession",
	"setTargetApp", "switchTargetApp", "connectToDevice", "enableToolCategories", "addToolCategory", "removeToolCategory",
	"focusOnCategory", "useMinimalTools", "useStandardTools", "useTestingTools", "switchToolSet", "endSession", "cancel",
	"clearAgentMetrics",
}

// HintsOf derives the hints from a spec. What touches a device touches the open world: what a page does with a click is not
// ours to say. Desk tools and memory stay in the house; a trail that runs and a task that is carried out do not.
func HintsOf(s *tool.Spec) Hints {
	reads := s.Kind != tool.Action && s.Name != "remember"
	return Hints{
		Title:       s.Title,
		ReadOnly:    reads,
		Destructive: s.Destructive && !reads,
		Idempotent:  reads || slices.Contains(idempotent, s.Name),
		OpenWorld:   !housed(s),
	}
}

func housed(s *tool.Spec) bool {
	switch s.Name {
	case "trail", "runPrompt", "remember":
		return false
	}
	return slices.Contains(s.Groups, DeskGroup) || slices.Contains(s.Groups, "memory")
}
