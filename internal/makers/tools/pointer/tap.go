package pointer

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/trailblaze-dev/trailblaze/screen/identity"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/action"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/locator"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// tapIn takes an element as upstream names it (ref) and by plain fields (text, id, index), and a bare
// point, which scripts use.
type tapIn struct {
	Ref       string   `json:"ref,omitempty" jsonschema:"the element: a ref of the last snapshot (e5), a descriptor such as button \"Save\", or its text"`
	Text      string   `json:"text,omitempty" jsonschema:"instead of ref: text or name of the element, or part of it in whole words"`
	ID        string   `json:"id,omitempty" jsonschema:"instead of ref or beside text: test id or id attribute"`
	Index     *int     `json:"index,omitempty" minimum:"0" jsonschema:"which of several matches of text and id, from 0"`
	X         *float64 `json:"x,omitempty" jsonschema:"last resort, with y: px from the left"`
	Y         *float64 `json:"y,omitempty" jsonschema:"last resort, with x: px from the top"`
	LongPress bool     `json:"longPress,omitempty" jsonschema:"hold instead of tapping"`
	action.Note
}

func (in tapIn) query() locator.Query {
	return locator.Query{Target: locator.Target{Ref: in.Ref}, Text: in.Text, Control: true, ID: in.ID, Index: in.Index}
}

func tap() tool.Tool {
	return tapping(shared("tap", "Tap", "core_interaction").With(tool.Facts{
		Categories: []string{"CORE_INTERACTION", "MOBILE", "PRIMITIVES"}, Default: 6, Replaces: "web_click",
		Sentence: clicking,
	}), false)
}

func longPress() tool.Tool {
	return tapping(shared("longPress", "Long press", "core_interaction").With(tool.Facts{
		Categories: []string{"CORE_INTERACTION", "MOBILE"}, Replaces: "web_click", Sentence: holding,
	}), true)
}

func tapping(s tool.Spec, long bool) tool.Tool {
	s.Recordable, s.Delegating = false, true
	return tool.Define(s, func(ctx context.Context, env tool.Env, in tapIn) (*tool.Result, error) {
		in.LongPress = in.LongPress || long
		return tapped(ctx, env, in)
	})
}

// tapped finds the element and stands back for the tap that a recording can repeat.
func tapped(ctx context.Context, env tool.Env, in tapIn) (*tool.Result, error) {
	if in.X != nil && in.Y != nil {
		return delegate("tapOnPoint", addLongPress(map[string]any{"x": int(*in.X), "y": int(*in.Y)}, in.LongPress))
	}
	q := in.query()
	found, err := locator.Resolve(ctx, env.Device(), q)
	ev := action.Identify(found, q)
	if err != nil {
		return &tool.Result{Evidence: ev}, err
	}
	if ev.Selector == nil {
		c := found.Node.Bounds.Center()
		return delegate("tapOnPoint", addLongPress(map[string]any{"x": int(c.X), "y": int(c.Y)}, in.LongPress))
	}
	r, err := delegate("tapOnElementBySelector",
		addLongPress(map[string]any{"nodeSelector": ev.Selector, "fingerprint": ev.Target}, in.LongPress))
	if r != nil {
		r.Evidence = ev
	}
	return r, err
}

func addLongPress(args map[string]any, longPress bool) map[string]any {
	if longPress {
		args["longPress"] = true
	}
	return args
}

type tapOnPointIn struct {
	X         int  `json:"x" jsonschema:"px from the left"`
	Y         int  `json:"y" jsonschema:"px from the top"`
	LongPress bool `json:"longPress,omitempty" jsonschema:"hold instead of tapping"`
	action.Expect
	action.Note
}

func tapOnPoint() tool.Tool {
	return action.Define(shared("tapOnPoint", "Tap on point", "core_interaction").With(tool.Facts{
		Categories: []string{"CORE_INTERACTION", "MOBILE"}, Replaces: "web_click", Purpose: tool.TapPoint,
		Sentence: func(p tool.Phrase) string { return "Tap the point " + p.Plain("x") + ", " + p.Plain("y") },
	}), func(ctx context.Context, env tool.Env, in tapOnPointIn) (*tool.Result, error) {
		at := driver.Target{Point: &screen.Point{X: float64(in.X), Y: float64(in.Y)}}
		return action.At(ctx, env, in.Expect, fmt.Sprintf("%s the point %d,%d", pressed(in.LongPress), in.X, in.Y),
			press(at, in.LongPress))
	})
}

type bySelectorIn struct {
	NodeSelector *screen.Selector      `json:"nodeSelector" jsonschema:"durable selector of the element; all its fields must hold"`
	Fingerprint  *identity.Fingerprint `json:"fingerprint,omitempty" jsonschema:"who the element was when it was recorded; an element that differs is not touched"`
	LongPress    bool                  `json:"longPress,omitempty" jsonschema:"hold instead of tapping"`
	action.Terms
}

func tapOnElementBySelector() tool.Tool {
	return action.Define(legacy("tapOnElementBySelector", "Tap by selector").With(tool.Facts{
		Sentence: clicking,
	}), func(ctx context.Context, env tool.Env, in bySelectorIn) (*tool.Result, error) {
		return action.Do(ctx, env, in.request(""))
	})
}

// request presses at a point of the element, such as 50%,80%; by default its middle.
func (in bySelectorIn) request(point string) action.Request {
	return action.Request{
		Query:  in.Query(locator.Target{NodeSelector: in.NodeSelector, Fingerprint: in.Fingerprint}),
		Expect: in.Expect, Did: pressed(in.LongPress),
		Action: func(t driver.Target, n *screen.Node) driver.Action {
			if share, given := relative(point); given {
				t.Point = &screen.Point{X: share.X * n.Bounds.W, Y: share.Y * n.Bounds.H}
			}
			return press(t, in.LongPress)
		},
	}
}

type tapOnIn struct {
	Selector      *screen.Selector      `json:"selector" jsonschema:"selector of the element"`
	Fingerprint   *identity.Fingerprint `json:"fingerprint,omitempty" jsonschema:"who the element was when it was recorded"`
	RelativePoint string                `json:"relativePoint,omitempty" pattern:"^\\s*\\d+(\\.\\d+)?%\\s*,\\s*\\d+(\\.\\d+)?%\\s*$" jsonschema:"where in the element, such as 50%,80%; default its middle"`
	LongPress     bool                  `json:"longPress,omitempty" jsonschema:"hold instead of tapping"`
	action.Terms
}

// tapOn is the tool for scripts; a point of the element may be given.
func tapOn() tool.Tool {
	return action.Define(legacy("tapOn", "Tap on").With(tool.Facts{
		Sentence: clicking,
	}), func(ctx context.Context, env tool.Env, in tapOnIn) (*tool.Result, error) {
		req := bySelectorIn{NodeSelector: in.Selector, Fingerprint: in.Fingerprint, LongPress: in.LongPress,
			Terms: in.Terms}.request(in.RelativePoint)
		req.Keep = true
		return action.Do(ctx, env, req)
	})
}

var percent = regex.Lazy(`^\s*(\d+(?:\.\d+)?)%\s*,\s*(\d+(?:\.\d+)?)%\s*$`)

// relative reads "50%,80%" as shares of width and height.
func relative(s string) (screen.Point, bool) {
	m := percent().FindStringSubmatch(s)
	if m == nil {
		return screen.Point{}, false
	}
	x, errX := strconv.ParseFloat(m[1], 64)
	y, errY := strconv.ParseFloat(m[2], 64)
	if errX != nil || errY != nil {
		return screen.Point{}, false
	}
	return screen.Point{X: min(x, 100) / 100, Y: min(y, 100) / 100}, true
}

func press(t driver.Target, long bool) driver.Action {
	if long {
		return driver.Tap{Target: t, Hold: hold}
	}
	return driver.Tap{Target: t}
}

func pressed(long bool) string {
	if long {
		return "Long-pressed"
	}
	return "Tapped"
}

// index reads the index that upstream's legacy tools take as a number or as text; nil when there is none.
func index(v any) (*int, error) {
	switch v := v.(type) {
	case nil:
		return nil, nil
	case float64:
		n := int(v)
		return &n, nil
	case string:
		if strings.TrimSpace(v) == "" {
			return nil, nil
		}
		n, err := strconv.Atoi(strings.TrimSpace(v))
		if err == nil && n >= 0 {
			return &n, nil
		}
	}
	return nil, fault.New(fault.Invalid, "read index", "%v is not a number from 0", v)
}
