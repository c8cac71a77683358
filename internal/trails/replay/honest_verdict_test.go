package replay

import "github.com/trailblaze-dev/trailblaze/internal/call/event"

// refuse is a trail that is stopped before anything is played.
func refuse(name, calls, says string) honest {
	return honest{name: name, page: `<button>Save</button><p>Paid</p>`, calls: calls, outcome: event.Broken, says: says}
}

// whatIsRefused are calls that would be green whatever the page shows, each beside one that means something.
func whatIsRefused() []honest {
	const page = `<button onclick="o.textContent='Done once'">Save</button><p>Paid</p><p id=o></p><label>Note <input></label><ul><li>Paid</li></ul>`
	return []honest{
		refuse("a field of selectors that is none", `web_click: {nodeSelector: {web: {ariaRole: button, ariaName: Nowhere}}}`, "did you mean ariaNameRegex?"),
		pass("the field that was meant", page, clickSave+"\n"+seeDone),
		refuse("a misspelt role", `web_verifyElementVisible: {nodeSelector: {web: {ariaRol: button}}}`, "did you mean ariaRole?"),
		refuse("a relation one level too deep", `web_click: {nodeSelector: {web: {ariaRole: button, childOf: {web: {ariaRole: form}}}}}`, "one level up"),
		refuse("a web field beside web", `web_click: {nodeSelector: {ariaRole: button}}`, "it belongs below web"),
		refuse("a selector of nothing", `web_verifyElementVisible: {nodeSelector: {web: {}}}`, "it names nothing"),
		refuse("nobody sees nothing", `assertNotVisibleBySelector: {nodeSelector: {web: {ariaNam: Error}}}`, "did you mean ariaNameRegex?"),
		pass("nobody sees an error", page, `assertNotVisibleBySelector: {nodeSelector: {web: {ariaNameRegex: Error}}}`),
		refuse("an unknown argument", `web_click: {`+named("button", "Save")+`, buton: right}`, "did you mean button?"),
		refuse("a blank text", see(" "), "parameter text is blank"),
		refuse("an empty text", see(""), "parameter text is blank"),
		refuse("a blank text that is not there", assertNot("  "), "parameter text is blank"),
		pass("a text with blanks around it", page, see(" Paid ")),
		refuse("every text contains nothing", `web_verifyValue: {expected: "", `+named("button", "Save")+`}`, "parameter expected is blank"),
		pass("a field that is empty", page, value("textbox", "Note", "")),
		refuse("a blank item of a list", `web_verifyListVisible: {items: [Paid, " "]}`, "items[1] is blank"),
		pass("an item of a list", page, `web_verifyListVisible: {items: [Paid]}`),
		refuse("a blank name", `assertVisibleWithAccessibilityText: {accessibilityText: " "}`, "parameter accessibilityText is blank"),
		refuse("a blank address", `web_waitForUrl: {pattern: " "}`, "parameter pattern is blank"),
		refuse("a tool that is none", `web_verifyText: {text: Paid}`, `there is no tool "web_verifyText"`),
		fail("a text that is not there", page, see("Unpaid"), "Unpaid"),
	}
}
