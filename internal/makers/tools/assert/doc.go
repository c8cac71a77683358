// Package assert holds the tools that judge and wait: assertions on what a person could see, and waits. Each tool is
// made by one function and described to models by the .md file of its name. internal/makers/tools lists them.
package assert

import (
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Tools are the assertions and waits.
func Tools() []tool.Tool {
	seeable := tool.Facts{Sentence: visible}
	css := web("waitForSelector", "Wait for selector")
	css.ExposedToLLM, css.Groups = false, nil
	return []tool.Tool{
		webVerifyTextVisible(),
		seeing[elementIn](web("web_verifyElementVisible", "Verify element visible").With(tool.Facts{
			Sentence: visible, Occasion: tool.Anytime, Purpose: tool.CheckElement,
		}), ""),
		webVerifyValue(), webVerifyListVisible(),
		seeing[visibleIn](spec("assertVisible", "Assert visible", "verification").With(tool.Facts{
			Categories: []string{"VERIFICATION", "MOBILE"}, Default: 10, Replaces: "web_verifyElementVisible",
			Sentence: visible,
		}), "assertVisibleBySelector"),
		seeing[bySelectorIn](legacy("assertVisibleBySelector", "Assert visible by selector").With(seeable), ""),
		assertNotVisibleBySelector(), assertNotVisibleWithText(),
		seeing[byTextIn](legacy("assertVisibleWithText", "Assert text visible").With(seeable), ""),
		seeing[byNameIn](legacy("assertVisibleWithAccessibilityText", "Assert name visible"), ""),
		seeing[byIDIn](legacy("assertVisibleWithResourceId", "Assert id visible"), ""),
		seeing[untilIn](legacy("waitUntilVisible", "Wait until visible").With(seeable), ""),
		waitUntilNotVisible(), seeing[cssIn](css, "", "selector"), waitForChange(), wait(), webWait(),
	}
}
