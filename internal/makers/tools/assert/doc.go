// Package assert holds the tools that judge and wait: assertions on what a person could see, and waits. Each tool is
// made by one function and described to models by the .md file of its name. internal/makers/tools lists them.
package assert

import (
	"context"
	"embed"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/action"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/descriptions"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/locator"
	"github.com/trailblaze-dev/trailblaze/tool"
)

//go:embed *.md
var texts embed.FS

var set = descriptions.Set{Files: texts, Kind: tool.Assertion, Category: "VERIFICATION", WebGroup: "web_verification"}

var spec, web, legacy = set.Any, set.Web, set.Legacy

// Tools are the assertions and waits.
func Tools() []tool.Tool {
	seeable := tool.Facts{Sentence: visible}
	css := web("waitForSelector", "Wait for selector")
	css.ExposedToLLM, css.Groups = false, nil
	return []tool.Tool{
		webVerifyTextVisible(),
		seeing[elementIn](web("web_verifyElementVisible", "Verify element visible").With(tool.Facts{
			Sentence: visible, Occasion: tool.Anytime,
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

// within bounds an assertion's wait.
type within struct {
	TimeoutMs int `json:"timeoutMs,omitempty" minimum:"0" jsonschema:"how long to wait for it; default 5000"`
}

// CallTimeout implements tool.Timed.
func (w within) CallTimeout() time.Duration {
	return action.Limit(action.Timeout(w.TimeoutMs, locator.AssertionTimeout))
}

func (w within) apply(q locator.Query) locator.Query {
	q.Timeout = time.Duration(w.TimeoutMs) * time.Millisecond
	return q
}

// wait is apply for tools whose task is to wait: they wait as long for a ref as for anything.
func (w within) wait(q locator.Query) locator.Query {
	q.Timeout = action.Timeout(w.TimeoutMs, locator.AssertionTimeout)
	return q
}

// asked is implemented by the arguments of tools that assert that something is visible.
type asked interface {
	ask() (locator.Query, locator.Accept, error)
}

// seeing makes a tool that asserts that a person could see the element of its arguments; see seen.
func seeing[In asked](s tool.Spec, name string, namedBy ...string) tool.Tool {
	return action.Define(s, func(ctx context.Context, env tool.Env, in In) (*tool.Result, error) {
		q, accept, err := in.ask()
		if err != nil {
			return nil, err
		}
		return seen(ctx, env, q, accept, name, namedBy...)
	})
}

// seen asserts that a person could see the element that the query names. An element that was named by a target is
// recorded under name by its selector.
func seen(ctx context.Context, env tool.Env, q locator.Query, accept locator.Accept, name string,
	namedBy ...string) (*tool.Result, error) {
	dev, err := action.Device(env)
	if err != nil {
		return nil, err
	}
	found, err := locator.See(ctx, dev, q, accept)
	ev := action.Evidence(found, q)
	if err != nil {
		return &tool.Result{Evidence: ev}, err
	}
	var record *tool.Call
	if !q.Target.Empty() { // a text or an id is durable as it was written
		ev = action.Identify(found, q)
		record = action.Durable(name, ev, namedBy...)
	}
	ev.Checked = found.Snapshot.Said(found.Node) + " is visible"
	r := tool.TextResult("%s.", ev.Checked)
	r.Evidence, r.Record = ev, record
	return r, nil
}

// absent asserts that a person cannot see the element that the query names.
func absent(ctx context.Context, env tool.Env, q locator.Query) (*tool.Result, error) {
	dev, err := action.Device(env)
	if err != nil {
		return nil, err
	}
	found, err := locator.Absent(ctx, dev, q)
	ev := &tool.Evidence{Screen: found.Snapshot}
	if err != nil {
		return &tool.Result{Evidence: action.Evidence(found, q)}, err
	}
	ev.Checked = "nothing visible matches " + q.String()
	r := tool.TextResult("Nothing visible matches %s.", q)
	r.Evidence = ev
	return r, nil
}
