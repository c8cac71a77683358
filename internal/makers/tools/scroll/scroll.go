package scroll

import (
	"context"
	"embed"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/action"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/descriptions"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/locator"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
)

//go:embed *.md
var texts embed.FS

var set = descriptions.Set{Files: texts, Kind: tool.Action, Category: "CORE_INTERACTION"}

var shared = set.Any

type webScrollIn struct {
	Direction string `json:"direction,omitempty" enum:"UP,DOWN,LEFT,RIGHT" default:"DOWN" jsonschema:"which way to look further"`
	Amount    int    `json:"amount,omitempty" minimum:"1" default:"500" jsonschema:"how far, px"`
	locator.Target
	action.Terms
}

func webScroll() tool.Tool {
	s := shared("web_scroll", "Scroll", "web_core").With(tool.Facts{Sentence: scrolling, Occasion: tool.Anytime})
	s.Platforms = []driver.Platform{driver.WebPlatform}
	return action.DefineOn(s, func(_ tool.Env, in webScrollIn) action.Request {
		dx, dy := move(in.Direction, float64(in.Amount))
		return action.Request{
			Query: in.Query(in.Target), Unnamed: true,
			Did:    "Scrolled " + strings.ToLower(in.Direction) + " in",
			OnPage: in.Empty(),
			Action: func(t driver.Target, _ *screen.Node) driver.Action {
				return driver.Scroll{Target: t, DX: dx, DY: dy}
			},
		}
	})
}

// move returns how far the view moves over the content.
func move(direction string, amount float64) (dx, dy float64) {
	switch direction {
	case "UP":
		return 0, -amount
	case "LEFT":
		return -amount, 0
	case "RIGHT":
		return amount, 0
	}
	return 0, amount
}

type scrollIn struct {
	Direction string `json:"direction,omitempty" enum:"UP,DOWN,LEFT,RIGHT" default:"DOWN" jsonschema:"which way to look further"`
	Amount    int    `json:"amount,omitempty" minimum:"1" jsonschema:"how far, px; default half the screen"`
	action.Expect
	action.Note
}

// scroll is the scroll gesture of the public tool list.
func scroll() tool.Tool {
	s := shared("scroll", "Scroll").With(tool.Facts{Sentence: scrolling})
	s.ExposedToLLM = false
	return action.Define(s, func(ctx context.Context, env tool.Env, in scrollIn) (*tool.Result, error) {
		dev, err := action.Device(env)
		if err != nil {
			return nil, err
		}
		amount := float64(in.Amount)
		if amount == 0 {
			amount = half(dev.Info(), in.Direction)
		}
		dx, dy := move(in.Direction, amount)
		return action.At(ctx, env, in.Expect, "Scrolled "+strings.ToLower(in.Direction), driver.Scroll{DX: dx, DY: dy})
	})
}

func half(i driver.Info, direction string) float64 {
	if direction == "LEFT" || direction == "RIGHT" {
		return float64(i.Width) / 2
	}
	return float64(i.Height) / 2
}

func scrolling(p tool.Phrase) string {
	return strings.TrimSpace("Scroll "+strings.ToLower(p.Text("direction"))) + tool.Join(" in ", p.Target)
}
