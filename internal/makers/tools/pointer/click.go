package pointer

import (
	"time"

	"github.com/trailblaze-dev/trailblaze/screen/identity"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/action"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/locator"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
)

type clickIn struct {
	locator.Target
	Button    string   `json:"button,omitempty" enum:"left,right,middle" default:"left" jsonschema:"mouse button"`
	Count     int      `json:"count,omitempty" minimum:"1" maximum:"3" default:"1" jsonschema:"2 for a double click, 3 for a triple click"`
	Modifiers []string `json:"modifiers,omitempty" enum:"Alt,Control,ControlOrMeta,Meta,Shift" jsonschema:"keys held down meanwhile"`
	Position  *offset  `json:"position,omitempty" jsonschema:"where in the element, from its top left corner; default its middle"`
	action.Terms
}

type offset struct {
	X float64 `json:"x" jsonschema:"px from the left edge"`
	Y float64 `json:"y" jsonschema:"px from the top edge"`
}

func webClick() tool.Tool {
	return action.DefineOn(web("web_click", "Click").With(tool.Facts{
		Default: 6, Purpose: tool.Click, Sentence: clicking,
		Occasion: tool.Anytime, Usual: []string{"ref", "button", "count"},
	}), func(_ tool.Env, in clickIn) action.Request {
		return action.Request{
			Query: in.Query(in.Target), Did: clicked(in.Button, in.Count),
			Action: func(t driver.Target, _ *screen.Node) driver.Action {
				if in.Position != nil {
					t.Point = &screen.Point{X: in.Position.X, Y: in.Position.Y}
				}
				return driver.Tap{Target: t, Count: in.Count, Button: driver.Button(in.Button), Modifiers: in.Modifiers}
			},
		}
	})
}

func clicked(button string, count int) string {
	switch {
	case count == 2:
		return "Double-clicked"
	case count == 3:
		return "Triple-clicked"
	case button == "right":
		return "Right-clicked"
	case button == "middle":
		return "Middle-clicked"
	}
	return "Clicked"
}

type cssClickIn struct {
	Selector     string                `json:"selector,omitempty" jsonschema:"CSS selector, or a ref of the last snapshot"`
	NodeSelector *screen.Selector      `json:"nodeSelector,omitempty" jsonschema:"durable selector, as recordings keep it"`
	Fingerprint  *identity.Fingerprint `json:"fingerprint,omitempty" jsonschema:"who the element was when it was recorded"`
	action.Terms
}

// click is the command of this name in the public tool list: the same as web_click with a CSS selector.
func click() tool.Tool {
	s := web("click", "Click by CSS").With(tool.Facts{Sentence: clicking})
	s.ExposedToLLM, s.Groups = false, nil
	return action.DefineOn(s, func(_ tool.Env, in cssClickIn) action.Request {
		target := locator.Target{Ref: locator.CSSRef(in.Selector), NodeSelector: in.NodeSelector, Fingerprint: in.Fingerprint}
		return action.Request{
			Query: in.Query(target), Did: "Clicked", NamedBy: []string{"selector"},
			Action: func(t driver.Target, _ *screen.Node) driver.Action { return driver.Tap{Target: t} },
		}
	})
}

type hoverIn struct {
	locator.Target
	action.Terms
}

func webHover() tool.Tool {
	return action.DefineOn(web("web_hover", "Hover").With(tool.Facts{
		Idempotent: true,
		Sentence:   func(p tool.Phrase) string { return p.On("Point at") },
	}), func(_ tool.Env, in hoverIn) action.Request {
		return action.Request{
			Query: in.Query(in.Target), Did: "Hovered over",
			Action: func(t driver.Target, _ *screen.Node) driver.Action { return driver.Hover{Target: t} },
		}
	})
}

// hold is the duration of a long press.
const hold = 800 * time.Millisecond
