package pointer

import (
	"context"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/tools/locate"
	"github.com/trailblaze-dev/trailblaze/internal/tools/perform"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
)

type clickIn struct {
	locate.Target
	Button    string   `json:"button,omitempty" enum:"left,right,middle" default:"left" jsonschema:"mouse button"`
	Count     int      `json:"count,omitempty" minimum:"1" maximum:"3" default:"1" jsonschema:"2 for a double click, 3 for a triple click"`
	Modifiers []string `json:"modifiers,omitempty" enum:"Alt,Control,ControlOrMeta,Meta,Shift" jsonschema:"keys held down meanwhile"`
	Position  *offset  `json:"position,omitempty" jsonschema:"where in the element, from its top left corner; default its middle"`
	perform.Within
	perform.Expect
	perform.Note
}

type offset struct {
	X float64 `json:"x" jsonschema:"px from the left edge"`
	Y float64 `json:"y" jsonschema:"px from the top edge"`
}

func webClick() tool.Tool {
	return perform.Define(web("web_click", "Click"), func(ctx context.Context, env tool.Env, in clickIn) (*tool.Result, error) {
		return perform.Do(ctx, env, perform.Job{
			Query: in.Query(in.Target), Expect: in.Expect, Did: clicked(in.Button, in.Count),
			Action: func(t driver.Target, _ *screen.Node) driver.Action {
				if in.Position != nil {
					t.Point = &screen.Point{X: in.Position.X, Y: in.Position.Y}
				}
				return driver.Tap{Target: t, Count: in.Count, Button: driver.Button(in.Button), Modifiers: in.Modifiers}
			},
		})
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
	Selector     string              `json:"selector,omitempty" jsonschema:"CSS selector, or a ref of the last snapshot"`
	NodeSelector *screen.Selector    `json:"nodeSelector,omitempty" jsonschema:"durable selector, as recordings keep it"`
	Fingerprint  *screen.Fingerprint `json:"fingerprint,omitempty" jsonschema:"who the element was when it was recorded"`
	perform.Within
	perform.Expect
	perform.Note
}

// click is the command of the founding documents (R35): the same as web_click with a CSS selector.
func click() tool.Tool {
	s := web("click", "Click by CSS")
	s.ExposedToLLM, s.Groups = false, nil
	return perform.Define(s, func(ctx context.Context, env tool.Env, in cssClickIn) (*tool.Result, error) {
		target := locate.Target{Ref: locate.CSSRef(in.Selector), NodeSelector: in.NodeSelector, Fingerprint: in.Fingerprint}
		return perform.Do(ctx, env, perform.Job{
			Query: in.Query(target), Expect: in.Expect, Did: "Clicked", NamedBy: []string{"selector"},
			Action: func(t driver.Target, _ *screen.Node) driver.Action { return driver.Tap{Target: t} },
		})
	})
}

type hoverIn struct {
	locate.Target
	perform.Within
	perform.Expect
	perform.Note
}

func webHover() tool.Tool {
	return perform.Define(web("web_hover", "Hover"), func(ctx context.Context, env tool.Env, in hoverIn) (*tool.Result, error) {
		return perform.Do(ctx, env, perform.Job{
			Query: in.Query(in.Target), Expect: in.Expect, Did: "Hovered over",
			Action: func(t driver.Target, _ *screen.Node) driver.Action { return driver.Hover{Target: t} },
		})
	})
}

// hold is how long a long press lasts.
const hold = 800 * time.Millisecond
