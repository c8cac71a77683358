package pointer

import (
	"context"

	"github.com/trailblaze-dev/trailblaze/screen/identity"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/action"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/locator"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// The text taps of old recordings. A recording of one keeps its name and gets a selector instead of the text.

// which narrows what a text or name matches.
type which struct {
	ID           string                `json:"id,omitempty" jsonschema:"test id or id attribute the element must have too"`
	Index        any                   `json:"index,omitempty" jsonschema:"which of several matches, from 0"`
	Enabled      *bool                 `json:"enabled,omitempty" jsonschema:"only enabled (true) or disabled (false) elements"`
	Selected     *bool                 `json:"selected,omitempty" jsonschema:"only selected (true) or not selected (false) elements"`
	NodeSelector *screen.Selector      `json:"nodeSelector,omitempty" jsonschema:"durable selector, as recordings keep it"`
	Fingerprint  *identity.Fingerprint `json:"fingerprint,omitempty" jsonschema:"who the element was when it was recorded"`
	action.Terms
}

type byTextIn struct {
	Text string `json:"text,omitempty" jsonschema:"text of the element, or part of it in whole words"`
	which
}

type byNameIn struct {
	AccessibilityText string `json:"accessibilityText,omitempty" jsonschema:"accessible name of the element, or part of it in whole words"`
	which
}

func byText(name, title string, sentence func(tool.Phrase) string, long bool) tool.Tool {
	return action.Define(legacy(name, title).With(tool.Facts{Sentence: sentence}),
		func(ctx context.Context, env tool.Env, in byTextIn) (*tool.Result, error) {
			return tapText(ctx, env, locator.Query{Text: in.Text, Control: true}, in.which, long)
		})
}

func byName(name, title string, sentence func(tool.Phrase) string, long bool) tool.Tool {
	return action.Define(legacy(name, title).With(tool.Facts{Sentence: sentence}),
		func(ctx context.Context, env tool.Env, in byNameIn) (*tool.Result, error) {
			return tapText(ctx, env, locator.Query{Name: in.AccessibilityText}, in.which, long)
		})
}

func tapText(ctx context.Context, env tool.Env, said locator.Query, w which, long bool) (*tool.Result, error) {
	at, err := index(w.Index)
	if err != nil {
		return nil, err
	}
	q := w.Query(locator.Target{NodeSelector: w.NodeSelector, Fingerprint: w.Fingerprint})
	q.Text, q.Name, q.Control, q.ID, q.Index, q.Enabled, q.Selected = said.Text, said.Name, said.Control, w.ID, at,
		w.Enabled, w.Selected
	return action.Do(ctx, env, action.Request{
		Query: q, Expect: w.Expect, Did: pressed(long),
		NamedBy: []string{"text", "accessibilityText", "id", "index", "enabled", "selected"},
		Action:  func(t driver.Target, _ *screen.Node) driver.Action { return press(t, long) },
	})
}

type pinchIn struct {
	locator.Target
	Scale float64 `json:"scale" minimum:"0.01" maximum:"100" jsonschema:"above 1 zooms in, below 1 zooms out"`
	action.Terms
}

func pinch() tool.Tool {
	return action.DefineOn(legacy("pinch", "Pinch"),
		func(_ tool.Env, in pinchIn) action.Request {
			return action.Request{
				Query: in.Query(in.Target), Unnamed: true, Did: "Pinched",
				Action: func(t driver.Target, _ *screen.Node) driver.Action { return driver.Pinch{Target: t, Scale: in.Scale} },
			}
		})
}
