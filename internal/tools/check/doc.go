// Package check holds the tools that judge and wait: assertions on what a person could see, and waits. Each tool is made
// by one function and described to models by the .md file of its name. internal/tools lists them.
package check

import (
	"context"
	"embed"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/tools/locate"
	"github.com/trailblaze-dev/trailblaze/internal/tools/perform"
	"github.com/trailblaze-dev/trailblaze/internal/tools/prose"
	"github.com/trailblaze-dev/trailblaze/tool"
)

//go:embed *.md
var texts embed.FS

// Tools are the assertions and waits.
func Tools() []tool.Tool {
	return []tool.Tool{
		webVerifyTextVisible(), webVerifyElementVisible(), webVerifyValue(), webVerifyListVisible(),
		assertVisible(), assertVisibleBySelector(), assertNotVisibleBySelector(), assertNotVisibleWithText(),
		assertVisibleWithText(), assertVisibleWithAccessibilityText(), assertVisibleWithResourceID(),
		waitUntilVisible(), waitUntilNotVisible(), waitForSelector(), waitForChange(), wait(), webWait(),
	}
}

func spec(name, title string, groups ...string) tool.Spec {
	return tool.Spec{
		Name: name, Title: title, Description: prose.Of(texts, name), Kind: tool.Assertion, Groups: groups,
		ExposedToLLM: true, Recordable: true,
	}
}

func web(name, title string) tool.Spec {
	s := spec(name, title, "web_verification")
	s.Platforms = []driver.Platform{driver.WebPlatform}
	return s
}

// legacy is the spec of an assertion that recordings and scripts use and models are not shown.
func legacy(name, title string) tool.Spec {
	s := spec(name, title)
	s.ExposedToLLM = false
	return s
}

// within bounds an assertion's wait.
type within struct {
	TimeoutMs int `json:"timeoutMs,omitempty" minimum:"0" jsonschema:"how long to wait for it; default 5000"`
}

// CallTimeout implements tool.Timed.
func (w within) CallTimeout() time.Duration {
	return perform.Limit(perform.Patience(w.TimeoutMs, locate.AssertionTimeout))
}

func (w within) apply(q locate.Query) locate.Query {
	q.Timeout = time.Duration(w.TimeoutMs) * time.Millisecond
	return q
}

// wait is apply for tools whose task is to wait: for a ref, too, as long as for anything.
func (w within) wait(q locate.Query) locate.Query {
	q.Timeout = perform.Patience(w.TimeoutMs, locate.AssertionTimeout)
	return q
}

// seen asserts that a person could see what the query names. An element that was named by a target is recorded under
// name by what it was found to be.
func seen(ctx context.Context, env tool.Env, q locate.Query, accept locate.Accept, name string, namedBy ...string) (*tool.Result, error) {
	dev, err := perform.Device(env)
	if err != nil {
		return nil, err
	}
	found, err := locate.See(ctx, dev, q, accept)
	ev := perform.Evidence(found, q)
	if err != nil {
		return &tool.Result{Evidence: ev}, err
	}
	var record *tool.Call
	if !q.Target.Empty() { // a text or an id is durable as it was written
		ev = perform.Identify(found, q)
		record = perform.Durable(name, ev, namedBy...)
	}
	ev.Checked = found.Snapshot.Said(found.Node) + " is visible"
	r := tool.TextResult("%s.", ev.Checked)
	r.Evidence, r.Record = ev, record
	return r, nil
}

// absent asserts that nobody can see what the query names.
func absent(ctx context.Context, env tool.Env, q locate.Query) (*tool.Result, error) {
	dev, err := perform.Device(env)
	if err != nil {
		return nil, err
	}
	found, err := locate.Absent(ctx, dev, q)
	ev := &tool.Evidence{Screen: found.Snapshot}
	if err != nil {
		return &tool.Result{Evidence: perform.Evidence(found, q)}, err
	}
	ev.Checked = "nothing visible matches " + q.String()
	r := tool.TextResult("Nothing visible matches %s.", q)
	r.Evidence = ev
	return r, nil
}
