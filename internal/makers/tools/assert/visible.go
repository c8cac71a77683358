package assert

import (
	"cmp"
	"context"
	"embed"
	"fmt"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/action"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/descriptions"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/locator"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/identity"
	"github.com/trailblaze-dev/trailblaze/screen/words"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// asked is implemented by the arguments of tools that assert that something is visible.
type asked interface {
	ask() (locator.Query, locator.Accept, error)
}

// within bounds an assertion's wait.
type within struct {
	TimeoutMs int `json:"timeoutMs,omitempty" minimum:"0" jsonschema:"how long to wait for it; default 5000"`
}

//go:embed *.md
var texts embed.FS

var set = descriptions.Set{Files: texts, Kind: tool.Assertion, Category: "VERIFICATION", WebGroup: "web_verification"}

var spec, web, legacy = set.Any, set.Web, set.Legacy

// expected is the text that the element must have besides being visible.
type expected struct {
	ExpectedText  string `json:"expectedText,omitempty" jsonschema:"what its text must be, white space around it aside"`
	TextMatchMode string `json:"textMatchMode,omitempty" enum:"EXACT,PREFIX,REGEX" default:"EXACT" jsonschema:"how the text is compared"`
}

// accept compares the element's text; nil when nothing is expected of it.
func (e expected) accept() (locator.Accept, error) {
	if e.ExpectedText == "" {
		return nil, nil
	}
	same := func(text string) bool { return words.SameText(text, strings.TrimSpace(e.ExpectedText)) }
	switch e.TextMatchMode {
	case "PREFIX":
		same = func(text string) bool { return strings.HasPrefix(text, strings.TrimSpace(e.ExpectedText)) }
	case "REGEX":
		if _, err := words.MatchText(e.ExpectedText, ""); err != nil {
			return nil, fault.Wrap(err, fault.Invalid, "read expectedText")
		}
		same = func(text string) bool {
			ok, err := words.MatchText(e.ExpectedText, text)
			return err == nil && ok
		}
	}
	return func(n *screen.Node) string {
		text := strings.TrimSpace(locator.TextOf(n))
		if locator.Reads(n, func(t string) bool { return same(strings.TrimSpace(t)) }) {
			return ""
		}
		return fmt.Sprintf("its text is %q, not %q", text, e.ExpectedText)
	}, nil
}

// visibleIn takes an element as upstream names it (ref) and by plain fields (text, id).
type visibleIn struct {
	locator.Target
	Text string `json:"text,omitempty" jsonschema:"instead of ref: text that must be visible, in whole words"`
	ID   string `json:"id,omitempty" jsonschema:"instead of ref or beside text: test id or id attribute"`
	expected
	within
	action.Note
}

// Mistake implements tool.Meaningful.
func (in visibleIn) Mistake() error { return blank(in.Text) }

// blank refuses a text that was given and says nothing.
func blank(text string) error {
	if text != "" && strings.TrimSpace(text) == "" {
		return fault.New(fault.Invalid, "read text", "parameter text is blank")
	}
	return nil
}

func (in visibleIn) ask() (locator.Query, locator.Accept, error) {
	accept, err := in.accept()
	return in.apply(locator.Query{Target: in.Target, Text: in.Text, ID: in.ID}), accept, err
}

type bySelectorIn struct {
	NodeSelector *screen.Selector      `json:"nodeSelector" jsonschema:"durable selector of the element; all its fields must hold"`
	Fingerprint  *identity.Fingerprint `json:"fingerprint,omitempty" jsonschema:"who the element was when it was recorded"`
	expected
	within
	action.Note
}

func (in bySelectorIn) ask() (locator.Query, locator.Accept, error) {
	accept, err := in.accept()
	target := locator.Target{NodeSelector: in.NodeSelector, Fingerprint: in.Fingerprint}
	return in.apply(locator.Query{Target: target}), accept, err
}

type selectorIn struct {
	NodeSelector *screen.Selector `json:"nodeSelector" jsonschema:"durable selector of the element; all its fields must hold"`
	within
	action.Note
}

func assertNotVisibleBySelector() tool.Tool {
	return action.Define(legacy("assertNotVisibleBySelector", "Assert not visible by selector").With(tool.Facts{
		Sentence: func(p tool.Phrase) string { return cmp.Or(p.Target, "the element") + " is not visible" },
	}), notVisible)
}

func waitUntilNotVisible() tool.Tool {
	s := legacy("waitUntilNotVisible", "Wait until not visible")
	s.Recordable = false
	return action.Define(s, notVisible)
}

func notVisible(ctx context.Context, env tool.Env, in selectorIn) (*tool.Result, error) {
	return absent(ctx, env, in.apply(locator.Query{Target: locator.Target{NodeSelector: in.NodeSelector}}))
}

// which narrows what a text or name matches, as upstream's legacy tools do.
type which struct {
	ID       string `json:"id,omitempty" jsonschema:"test id or id attribute the element must have too"`
	Index    int    `json:"index,omitempty" minimum:"0" jsonschema:"which of several matches, from 0"`
	Enabled  *bool  `json:"enabled,omitempty" jsonschema:"only enabled (true) or disabled (false) elements"`
	Selected *bool  `json:"selected,omitempty" jsonschema:"only selected (true) or not selected (false) elements"`
	within
	action.Note
}

func (w which) query(q locator.Query) locator.Query {
	q.ID, q.Index, q.Enabled, q.Selected = w.ID, &w.Index, w.Enabled, w.Selected
	return w.apply(q)
}

type byTextIn struct {
	Text string `json:"text" pattern:"\\S" jsonschema:"text of the element, or part of it in whole words"`
	which
}

func assertNotVisibleWithText() tool.Tool {
	return action.Define(spec("assertNotVisibleWithText", "Assert text not visible", "verification").With(tool.Facts{
		Occasion: tool.Anytime, Usual: []string{"text"},
		Categories: []string{"VERIFICATION", "MOBILE"},
		Sentence:   func(p tool.Phrase) string { return cmp.Or(p.Quoted("text"), p.Target) + " is not visible" },
	}), func(ctx context.Context, env tool.Env, in byTextIn) (*tool.Result, error) {
		return absent(ctx, env, in.query(locator.Query{Text: in.Text}))
	})
}

func (in byTextIn) ask() (locator.Query, locator.Accept, error) {
	return in.query(locator.Query{Text: in.Text}), nil, nil
}

type byNameIn struct {
	AccessibilityText string `json:"accessibilityText" pattern:"\\S" jsonschema:"accessible name of the element, or part of it in whole words"`
	which
}

func (in byNameIn) ask() (locator.Query, locator.Accept, error) {
	return in.query(locator.Query{Name: in.AccessibilityText}), nil, nil
}

type byIDIn struct {
	ResourceID string `json:"resourceId" pattern:"\\S" jsonschema:"test id or id attribute of the element"`
	Index      int    `json:"index,omitempty" minimum:"0" jsonschema:"which of several matches, from 0"`
	Enabled    *bool  `json:"enabled,omitempty" jsonschema:"only enabled (true) or disabled (false) elements"`
	Selected   *bool  `json:"selected,omitempty" jsonschema:"only selected (true) or not selected (false) elements"`
	within
	action.Note
}

func (in byIDIn) ask() (locator.Query, locator.Accept, error) {
	q := locator.Query{ID: in.ResourceID, Index: &in.Index, Enabled: in.Enabled, Selected: in.Selected}
	return in.apply(q), nil, nil
}

func visible(p tool.Phrase) string {
	what := cmp.Or(p.Quoted("text"), p.Target)
	if what == "" {
		return ""
	}
	return tool.Capital(what) + " is visible"
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

// seeing makes a tool that asserts that a person could see the element of its arguments; see seen.
func seeing[In asked](s tool.Spec, name string, namedBy ...string) tool.Tool {
	return action.Define(s, func(ctx context.Context, env tool.Env, in In) (*tool.Result, error) {
		q, accept, err := in.ask()
		if err != nil {
			return nil, err
		}
		return assertVisible(ctx, env, q, accept, name, namedBy...)
	})
}

// assertVisible asserts that a person could see the element that the query names. An element that was named by a
// target is recorded under name by its selector.
func assertVisible(ctx context.Context, env tool.Env, q locator.Query, accept locator.Accept, name string,
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
	ev.Checked = found.Snapshot.ReplyName(found.Node) + " is visible"
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
