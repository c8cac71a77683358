package record

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// What decided a step that states a condition is kept with its answer, in its place; what was only looked at is not, and
// no look of a question, of another step, or by a name that means nothing later.
func TestConditionsAreKept(t *testing.T) {
	asks := func(parent, found string) func(*event.Call) {
		return func(c *event.Call) { c.Recorded, c.Value, c.Parent = nil, json.RawMessage(found), parent }
	}
	no := func(c *event.Call) {
		failed(c)
		c.Error = &fault.Failure{Kind: fault.Assertion}
	}
	b := newBook(t, "")
	query := func(args, found string) { b.call(tool.Query, "hasText", args, asks("", found)) }
	const yes, none = `{"hasText":true}`, `{"hasText":false}`

	b.intent("Open the shop").act("web_navigate", `{"url":"https://shop.example/"}`)
	query(`{"text":"Shop"}`, yes)
	b.intent("If there is a cookie banner, accept it")
	query(`{"text":"cookies"}`, none)
	b.call(tool.Query, "web_currentUrl", `{}`, asks("", `{"url":"https://shop.example/"}`))
	b.intent("If there is a survey, close it")
	query(`{"text":"Survey"}`, none)
	query(`{"text":"Tell us"}`, yes)
	b.act("web_click", `{"ref":"css=#close"}`)
	b.intent("Close the tour if it is shown").call(tool.Assertion, "assertNotVisibleWithText", `{"text":"Tour"}`)
	b.call(tool.Assertion, "web_verifyTextVisible", `{"text":"Welcome"}`, no)
	b.intent("If a chat is open, close it")
	b.call(tool.Query, "isVisible", `{"ref":"e12"}`, asks("", `{"visible":false}`))
	b.intent("What does it cost, if it is there?")
	b.call(tool.Query, "hasText", `{"text":"19"}`, asks("ask1", yes))
	b.call(tool.Query, "ask", `{"prompt":"x"}`, asks("", `{"answer":"19"}`), func(c *event.Call) { c.ID = "ask1" })
	b.intent("Check if the total is 5").check("5")

	want := []string{
		`step Open the shop: web_navigate{"url":"https://shop.example/"}`,
		`step If there is a cookie banner, accept it: when{"query":{"hasText":{"text":"cookies"}},"was":false}`,
		`step If there is a survey, close it: when{"query":{"hasText":{"text":"Tell us"}},"was":true} web_click{"ref":"css=#close"}`,
		`step Close the tour if it is shown: when{"query":{"assertNotVisibleWithText":{"text":"Tour"}},"was":true}` +
			` when{"query":{"web_verifyTextVisible":{"text":"Welcome"}},"was":false}`,
		`verify Check if the total is 5: web_verifyTextVisible{"text":"5"}`,
	}
	if diff := cmp.Diff(want, story(compose(t, b, Plan{}))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
