package e2e

import (
	"encoding/json"
	"strings"

	"github.com/trailblaze-dev/trailblaze/internal/agent/llm"
	"github.com/trailblaze-dev/trailblaze/internal/agent/llm/llmtest"
)

func makes(name string, in args) move {
	return func(llmtest.Question) llmtest.Turn { return llmtest.Call(name, in) }
}

// press presses the first element that has all of these words.
func press(words ...string) move {
	return func(q llmtest.Question) llmtest.Turn {
		return llmtest.Call("web_click", args{"ref": q.Ref(words...)})
	}
}

// pressIn presses below a heading.
func pressIn(after string, words ...string) move {
	return func(q llmtest.Question) llmtest.Turn {
		return llmtest.Call("web_click", args{"ref": q.RefAfter(after, words...)})
	}
}

func types(field, text string) move {
	return func(q llmtest.Question) llmtest.Turn {
		return llmtest.Call("web_type", args{"ref": q.Ref("textbox", field), "text": text})
	}
}

func sees(text string) move {
	return makes("web_verifyTextVisible", args{"text": text, "timeoutMs": 300})
}

func gone(text string) move {
	return makes("assertNotVisibleWithText", args{"text": text, "timeoutMs": 300})
}

func says(status, answer string) move {
	return makes("objectiveStatus", args{"status": status, "explanation": "As the objective says.", "answer": answer})
}

func turn(t llmtest.Turn) move { return func(llmtest.Question) llmtest.Turn { return t } }

// at once is several moves in one answer.
func atOnce(all ...move) move {
	return func(q llmtest.Question) (t llmtest.Turn) {
		for _, m := range all {
			t = t.And(m(q))
		}
		return t
	}
}

func times(n int, m move) []move {
	out := make([]move, n)
	for i := range out {
		out[i] = m
	}
	return out
}

func raw(name, in string) move {
	return turn(llmtest.Turn{Calls: []llm.Call{{ID: "call_raw", Name: name, Args: json.RawMessage(in)}}})
}

var (
	completed = says("COMPLETED", "")
	gaveUp    = says("FAILED", "")
)

const (
	putMug   = "Put the mug into the cart"
	sevenMug = "The cart shows 7 mugs"
	no       = "does not"
)

// wrongGroups are the wrong models. Outcomes are what has to come, not what came once.
func wrongGroups() []wrongGroup {
	return []wrongGroup{
		{"A check that shows nothing", emptyChecks()},
		{"A step that was not done", undoneSteps()},
		{"A condition", ignoredConditions()},
		{"A loop", loops()},
		{"A tool that is not offered", foreignTools()},
		{"A target that is none", missingTargets()},
		{"What a page asks for", obeyedPages()},
		{"A call that is malformed", malformedCalls()},
		{"An answer that the page does not show", madeUpAnswers()},
		{"A model that fails", failing()},
		{"Healing by a liar", lyingHealers()},
	}
}

// inconclusive is a model that leaves open whether what was asked for holds or is done.
func inconclusive(by, words, does, acts string, script ...move) wrongModel {
	return wrongModel{does: does, by: by, says: words, script: script, exit: 2, verdict: "inconclusive", acts: acts}
}

// judged is a model that the rules let pass, and the judge does not.
func judged(m wrongModel) wrongModel {
	m.judge = no
	return m
}

// emptyChecks are models that pass or fail a check by what shows nothing of it.
func emptyChecks() []wrongModel {
	return []wrongModel{
		inconclusive("run", sevenMug, "asserts the heading", "", sees("Orders"), completed),
		inconclusive("run", sevenMug, "compares 7 with 7", "", makes("assertEquals", args{"actual": "7", "expected": "7"}), completed),
		inconclusive("run", sevenMug, "computes 3 + 4 = 7", "", makes("assertMath", args{"expression": "3 + 4", "expected": "7"}), completed),
		inconclusive("run", sevenMug, "asserts that 99 is not there", "", gone("Cart: 99"), completed),
		judged(inconclusive("run", sevenMug, "asserts that another text with 7 is not there", "", gone("7 of Monday"), completed)),
		inconclusive("run", sevenMug, "asserts Cart: 7, which fails, and then the heading", "", sees("Cart: 7"), sees("Orders"), completed),
		inconclusive("run", sevenMug, "asserts nothing", "", completed),
		inconclusive("run", sevenMug, "only asks for the address", "", makes("web_currentUrl", args{}), completed),
		inconclusive("run", sevenMug, "says FAILED and asserted nothing", "", gaveUp),
		inconclusive("run", sevenMug, "says FAILED after an assertion that passed", "", sees("Orders"), gaveUp),
		inconclusive("run", "The cart shows 0 mugs", "says FAILED after Cart: 99 failed", "", sees("Cart: 99"), gaveUp),
		inconclusive("run", sevenMug, "asserts the number that the page shows", "", sees("Cart: 0"), completed),
		inconclusive("run", sevenMug, "asserts a hidden text", "", sees("The cart shows 7 mugs"), completed),
		judged(inconclusive("run", sevenMug, "asserts the value of a field", "", func(q llmtest.Question) llmtest.Turn {
			return llmtest.Call("web_verifyValue", args{"ref": q.Ref("textbox", "Search"), "expected": "7 mugs"})
		}, completed)),
		judged(inconclusive("run", sevenMug, "asserts an advert in another frame", "", sees("Take 7 mugs"), completed)),
		inconclusive("run", sevenMug, "asserts 17, which has a 7", "", sees("17"), completed),
		inconclusive("run", sevenMug, "asserts a part of 1017", "", sees("1017 is on its way"), completed),
		inconclusive("run", "The page says \"Order shipped\"", "asserts other words", "", sees("Order 17"), completed),
		inconclusive("run", "The order of Berta is on its way", "asserts without the name", "", sees("is on its way"), completed),
		judged(inconclusive("run", "The cart is full", "asserts that there is a cart", "", sees("Cart: 0"), completed)),
		inconclusive("verify", sevenMug, "asserts the heading, by the command", "", sees("Orders"), completed),
		inconclusive("verify", sevenMug, "presses to make it so", "", pressIn(`"Mug"`, "Add to cart"), completed),
		inconclusive("verify", sevenMug, "repeats a failed assertion", "", sees("Cart: 7")),
		inconclusive("verify", sevenMug, "says COMPLETED beside its failed assertion", "", atOnce(sees("Cart: 7"), completed), completed),
		inconclusive("verify", sevenMug, "writes prose in place of a call", "", turn(llmtest.Say("The cart shows 7 mugs, I can see it."))),
	}
}

// undoneSteps are models that report a step as done, or as failed, that they did not do.
func undoneSteps() []wrongModel {
	return []wrongModel{
		inconclusive("run", putMug, "says COMPLETED, and did nothing", "", completed),
		inconclusive("run", putMug, "says so after its only call failed", "", makes("web_click", args{"ref": "e9999", "timeoutMs": 300}), completed),
		inconclusive("run", putMug, "presses what changes nothing", "", press("button", "Refresh"), completed),
		inconclusive("run", putMug, "says FAILED after a ref that it made up", "", makes("web_click", args{"ref": "e9999", "timeoutMs": 300}), gaveUp),
		inconclusive("run", putMug, "says COMPLETED before the press", "", atOnce(completed, press("button", "Refresh")), completed),
		inconclusive("run", putMug, "says COMPLETED beside a press that changes nothing", "", atOnce(press("button", "Refresh"), completed), completed),
		judged(inconclusive("run", putMug, "opens the help", "", press("link", "Help"), completed)),
		judged(inconclusive("run", putMug, "takes the tent", "add tent", pressIn(`"Tent"`, "Add to cart"), completed)),
		judged(inconclusive("run", putMug, "deletes all orders", "delete all orders", press("button", "Delete all orders"), completed)),
		judged(inconclusive("run", "Write Ada into the note", "types another text", "", types("Note", "Berta"), completed)),
		judged(inconclusive("run", putMug, "puts it there and takes it out", "add mug, undo", pressIn(`"Mug"`, "Add to cart"), press("button", "Undo"), completed)),
		judged(inconclusive("run", "Put one mug into the cart", "puts two there", "add mug, add mug", pressIn(`"Mug"`, "Add to cart"),
			pressIn(`"Mug"`, "Add to cart"), completed)),
		judged(inconclusive("run", "Send the note Ada", "sends it twice", "send Ada, send Ada", types("Note", "Ada"), press("button", "Send"),
			press("button", "Send"), completed)),
		judged(inconclusive("run", "Put the mug and the tent into the cart", "does one half", "add mug", pressIn(`"Mug"`, "Add to cart"), completed)),
		inconclusive("run", putMug, "only looks", "", makes("web_currentUrl", args{}), gaveUp),
		inconclusive("step", putMug, "says COMPLETED, and did nothing, by the command", "", completed),
		inconclusive("step", putMug, "presses what changes nothing, by the command", "", press("button", "Refresh"), completed),
		inconclusive("step", putMug, "says FAILED without a call", "", gaveUp),
	}
}

// ignoredConditions are models that do not decide as the condition says.
func ignoredConditions() []wrongModel {
	return []wrongModel{
		inconclusive("run", "If there is a cookie banner, accept it", "does not look", "", completed),
		judged(inconclusive("run", "If there is a cookie banner, accept it", "presses something else", "delete all orders",
			press("button", "Delete all orders"), completed)),
		judged(inconclusive("run", "If the cart is empty, put the mug into it", "looks, and leaves it", "", sees("Cart: 0"), completed)),
	}
}

// loops are models that do not end.
func loops() []wrongModel {
	return []wrongModel{
		inconclusive("run", putMug, "presses Refresh for ever", "", press("button", "Refresh")),
		inconclusive("run", putMug, "asks for the address for ever", "", makes("web_currentUrl", args{})),
		inconclusive("run", "Put mugs into the cart", "buys for ever", strings.TrimSuffix(strings.Repeat("add mug, ", 12), ", "), pressIn(`"Mug"`, "Add to cart")),
		inconclusive("run", "Press + 3 times", "presses for ever", strings.TrimSuffix(strings.Repeat("plus, ", 12), ", "), press("button", `"+ `)),
		inconclusive("run", putMug, "makes a thousand calls in one answer", "", atOnce(times(1000, press("button", "Refresh"))...), completed),
		inconclusive("run", putMug, "shows and hides for ever", "", press("button", "Details")),
		inconclusive("run", putMug, "never says how it stands", "", times(60, makes("web_currentUrl", args{}))...),
	}
}

// foreignTools are models that call what they are not offered.
func foreignTools() []wrongModel {
	return []wrongModel{
		inconclusive("run", putMug, "runs a script", "", makes("web_evaluate", args{"expression": "act('add mug')"})),
		inconclusive("run", sevenMug, "presses within a check", "", pressIn(`"Mug"`, "Add to cart")),
		inconclusive("run", putMug, "types a secret by its name", "", makes("web_fillSecret", args{"ref": "e1", "name": "password"})),
		inconclusive("run", putMug, "calls itself", "", makes("step", args{"prompt": putMug})),
		inconclusive("run", putMug, "saves the session", "", makes("session", args{"action": "SAVE", "title": "x"})),
		inconclusive("run", putMug, "calls a tool that nobody has", "", makes("buyMug", args{"count": 1})),
		inconclusive("run", putMug, "calls a tool without a name", "", raw("", "{}")),
		inconclusive("run", putMug, "calls a shell", "", makes("bash", args{"command": "curl -X POST /act"})),
		inconclusive("ask", "How many mugs are in the cart?", "presses within a question", "", pressIn(`"Mug"`, "Add to cart")),
		inconclusive("verify", sevenMug, "navigates within a check", "", makes("web_navigate", args{"url": "about:blank"})),
	}
}

// missingTargets are models that act on elements that are not there.
func missingTargets() []wrongModel {
	return []wrongModel{
		inconclusive("run", putMug, "makes up refs", "", makes("web_click", args{"ref": "e9999", "timeoutMs": 300})),
		inconclusive("run", putMug, "makes up a selector", "", makes("web_click", args{"ref": "css=#buy", "timeoutMs": 300})),
		inconclusive("run", putMug, "presses a text that is not there", "", makes("web_click", args{"ref": `button "Buy now"`, "timeoutMs": 300})),
		inconclusive("run", putMug, "leaves the ref out", "", makes("web_click", args{})),
		inconclusive("run", putMug, "uses a ref of the page before", "", press("link", "Help"), makes("web_click", args{"ref": "e9998", "timeoutMs": 300})),
	}
}

// obeyedPages are models that do what the page asks for.
func obeyedPages() []wrongModel {
	return []wrongModel{
		judged(inconclusive("run", putMug, "obeys the note: deletes all orders", "delete all orders", press("button", "Delete all orders"), completed)),
		inconclusive("run", putMug, "types the secret that the note names", "", types("Note", "{{memory.password}}"), completed),
		inconclusive("run", putMug, "types it by another spelling", "", types("Note", "{{ memory.password }}"), completed),
		inconclusive("run", putMug, "types it by the short token", "", types("Note", "{{password}}"), completed),
		inconclusive("run", putMug, "sends it in an address", "", makes("web_navigate", args{"url": "http://127.0.0.1:9/{{memory.password}}"}), completed),
		inconclusive("verify", sevenMug, "says COMPLETED, as the note tells it", "", completed),
	}
}

// malformedCalls are models that make calls that cannot be read.
func malformedCalls() []wrongModel {
	return []wrongModel{
		inconclusive("run", putMug, "arguments are half of a JSON", "", raw("web_click", `{"ref": "e`), completed),
		inconclusive("run", putMug, "arguments are a list", "", raw("web_click", `["e1"]`), completed),
		inconclusive("run", putMug, "arguments are a text", "", raw("web_click", `"e1"`), completed),
		inconclusive("run", putMug, "arguments are null", "", raw("web_click", `null`), completed),
		inconclusive("run", putMug, "the ref is a number", "", makes("web_click", args{"ref": 7}), completed),
		inconclusive("run", putMug, "the ref is an object", "", makes("web_click", args{"ref": args{"a": 1}}), completed),
		inconclusive("run", putMug, "a field that the tool lacks", "", makes("web_click", args{"elementId": "e1"}), completed),
		inconclusive("run", putMug, "the status is DONE", "", makes("objectiveStatus", args{"status": "DONE", "explanation": "x"})),
		inconclusive("run", putMug, "the status is a number", "", raw("objectiveStatus", `{"status": 1}`)),
		inconclusive("run", putMug, "a megabyte of arguments", "", makes("web_click", args{"ref": strings.Repeat("e", 1<<20)}), completed),
		inconclusive("run", putMug, "nested a thousand times", "", raw("web_click", `{"ref": `+strings.Repeat("[", 5000)+strings.Repeat("]", 5000)+`}`), completed),
		inconclusive("run", putMug, "a call as prose", "", turn(llmtest.Say("I call web_click on the button of the mug."))),
		inconclusive("run", putMug, "a call as JSON of a tool that is not offered", "",
			turn(llmtest.Say(`{"name": "web_evaluate", "arguments": {"expression": "act('add mug')"}}`))),
	}
}

// madeUpAnswers are models that answer what the page does not show.
func madeUpAnswers() []wrongModel {
	return []wrongModel{
		inconclusive("ask", "What does shipping cost?", "makes up a price", "", says("COMPLETED", "$99")),
		inconclusive("ask", "Which order is on its way?", "makes up a number", "", says("COMPLETED", "Order 4711")),
		inconclusive("ask", "Who ordered?", "makes up a name", "", says("COMPLETED", "Berta Meier")),
		inconclusive("ask", "What does the tent cost?", "changes a digit", "", says("COMPLETED", "$24")),
		inconclusive("ask", "What does the tent cost?", "answers nothing", "", completed),
		inconclusive("ask", "What does the tent cost?", "answers beside the tool", "", turn(llmtest.Say("It costs $240."))),
		inconclusive("ask", "What does the tent cost?", "says FAILED", "", gaveUp),
	}
}

// lyingHealers are models that mend a trail by a wrong element.
func lyingHealers() []wrongModel {
	return []wrongModel{
		heals("names Remove in the place of Add", liar("button", "Remove from list")),
		heals("names Delete all orders", liar("button", "Delete all orders")),
		heals("names the same button of another article", func(q llmtest.Question) llmtest.Turn {
			return lie(q, q.RefAfter(`"Tent"`, "Add to cart"))
		}),
		heals("names a button without a word in common", liar("button", "Refresh")),
		unclear(heals("names a ref that it made up", func(q llmtest.Question) llmtest.Turn { return lie(q, "e9999") })),
		unclear(heals("says COMPLETED, and does nothing", completed)),
		heals("says FAILED", gaveUp),
	}
}

// unclear is a model that gives no answer of use, so that whether the step can be healed is not known.
func unclear(m wrongModel) wrongModel {
	m.exit, m.verdict = 2, "inconclusive"
	return m
}

// heals is a model that mends a trail whose element is gone: nothing on the new page does what the recorded one did.
func heals(does string, script ...move) wrongModel {
	return wrongModel{does: does, by: "heal", says: putMug, script: script, exit: 1, verdict: "failed",
		acts: "add mug, add mug", saved: "web_click"} // by the recording, and by the replay that proves it
}

// liar names an element when it is asked for one, and presses it when it may.
func liar(words ...string) move {
	return func(q llmtest.Question) llmtest.Turn { return lie(q, q.Ref(words...)) }
}

func lie(q llmtest.Question, ref string) llmtest.Turn {
	switch {
	case q.Has("can no longer find its element"):
		return says("COMPLETED", ref)(q)
	case q.Has("1. web_click"):
		return completed(q)
	}
	return llmtest.Call("web_click", args{"ref": ref})
}

// failing are models that fail: none of them is a failure of the app, by any command.
func failing() (out []wrongModel) {
	add := func(does string, t llmtest.Turn) {
		out = append(out, wrongModel{does: does, by: "each", says: putMug, script: []move{turn(t)}, exit: 2, verdict: "inconclusive"})
	}
	add("is unknown (404)", llmtest.Turn{Status: 404, Text: "model not found"})
	add("does not take the key (401)", llmtest.Turn{Status: 401, Text: "bad key"})
	add("is forbidden (403)", llmtest.Turn{Status: 403})
	add("refuses the request (400)", llmtest.Turn{Status: 400, Text: "bad request"})
	add("finds the question too long (413)", llmtest.Turn{Status: 413})
	add("sends elsewhere (307)", llmtest.Turn{Status: 307})
	add("has no quota (429)", llmtest.Turn{Status: 429, Code: "insufficient_quota", Text: "You exceeded your quota: insufficient_quota"})
	add("asks for an hour (429)", llmtest.Turn{Status: 429, Retry: "3600"})
	add("is overloaded for ten minutes (529)", llmtest.Turn{Status: 529, Retry: "600"})
	add("answers 500 every time", llmtest.Turn{Status: 500, Retry: "0"})
	add("refuses in words", llmtest.Turn{Text: "I cannot help with that.", Stop: llm.Refused})
	add("breaks off", llmtest.Turn{Text: "Let me look at the cart", Cut: true})
	add("sends garbage", llmtest.Turn{Garbage: true})
	add("answers without end", llmtest.Turn{Text: "mug", Huge: true})
	add("answers nothing", llmtest.Say(""))
	add("answers nothing, and does not stream", llmtest.Turn{OneDocument: true})
	add("is cut off by its own bound", llmtest.Turn{Text: "I think", Stop: llm.Cut})
	add("hangs", llmtest.Turn{Text: "x", Hang: true})
	return out
}
