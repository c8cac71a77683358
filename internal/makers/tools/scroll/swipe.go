package scroll

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/action"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/locator"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// standardSwipe is upstream's duration of a swipe that does not say.
const standardSwipe = 400 * time.Millisecond

type swipeIn struct {
	Direction          string `json:"direction,omitempty" enum:"UP,DOWN,LEFT,RIGHT" default:"DOWN" jsonschema:"where the finger moves: UP shows what is further down"`
	SwipeOnElementText string `json:"swipeOnElementText,omitempty" jsonschema:"text of the element to swipe on; default the whole screen"`
	DurationMs         int    `json:"durationMs,omitempty" minimum:"0" jsonschema:"how long the movement takes; default 400"`
	action.Expect
	action.Note
}

func swipe() tool.Tool {
	return action.Define(shared("swipe", "Swipe", "core_interaction").With(tool.Facts{
		Categories: []string{"CORE_INTERACTION", "MOBILE", "PRIMITIVES"}, Default: 8, Replaces: "web_scroll",
		Sentence: scrolling,
	}), func(ctx context.Context, env tool.Env, in swipeIn) (*tool.Result, error) {
		start, end := strokes[in.Direction][0], strokes[in.Direction][1]
		return stroke(ctx, env, in.SwipeOnElementText, start, end, in.DurationMs, in.Expect)
	})
}

// strokes are the beginnings and ends of swipes, as shares of their area.
var strokes = map[string][2]screen.Point{
	"UP":    {{X: 0.5, Y: 0.8}, {X: 0.5, Y: 0.2}},
	"DOWN":  {{X: 0.5, Y: 0.2}, {X: 0.5, Y: 0.8}},
	"LEFT":  {{X: 0.8, Y: 0.5}, {X: 0.2, Y: 0.5}},
	"RIGHT": {{X: 0.2, Y: 0.5}, {X: 0.8, Y: 0.5}},
}

type relativeIn struct {
	StartRelative      string `json:"startRelative" jsonschema:"where the finger begins, such as 50%,80%"`
	EndRelative        string `json:"endRelative" jsonschema:"where it ends"`
	SwipeOnElementText string `json:"swipeOnElementText,omitempty" jsonschema:"text of the element the shares are of; default the whole screen"`
	DurationMs         int    `json:"durationMs,omitempty" minimum:"0" jsonschema:"how long the movement takes; default 400"`
	action.Expect
	action.Note
}

func swipeWithRelativeCoordinates() tool.Tool {
	s := shared("swipeWithRelativeCoordinates", "Swipe between points")
	s.ExposedToLLM = false
	return action.Define(s, func(ctx context.Context, env tool.Env, in relativeIn) (*tool.Result, error) {
		start, err := share(in.StartRelative)
		if err != nil {
			return nil, err
		}
		end, err := share(in.EndRelative)
		if err != nil {
			return nil, err
		}
		return stroke(ctx, env, in.SwipeOnElementText, start, end, in.DurationMs, in.Expect)
	})
}

// stroke swipes within the element of that text, or the screen.
func stroke(ctx context.Context, env tool.Env, on string, start, end screen.Point, duration int,
	want action.Expect) (*tool.Result, error) {
	dev, err := action.Device(env)
	if err != nil {
		return nil, err
	}
	info := dev.Info()
	area, ev, where := screen.Rect{W: float64(info.Width), H: float64(info.Height)}, &tool.Evidence{}, "the screen"
	if on != "" {
		q := locator.Query{Text: on}
		found, err := locator.Resolve(ctx, dev, q)
		ev = action.Evidence(found, q)
		if err != nil {
			return &tool.Result{Evidence: ev}, err
		}
		area, where = found.Node.Bounds, found.Snapshot.ReplyName(found.Node)
	}
	a := driver.Swipe{From: inside(area, start), To: inside(area, end), Duration: action.Timeout(duration, standardSwipe)}
	r, err := action.At(ctx, env, want,
		fmt.Sprintf("Swiped on %s from %.0f,%.0f to %.0f,%.0f", where, a.From.X, a.From.Y, a.To.X, a.To.Y), a)
	if r != nil && r.Evidence != nil {
		ev.Effect, ev.None = r.Evidence.Effect, r.Evidence.None
		r.Evidence = ev
	}
	return r, err
}

func inside(r screen.Rect, share screen.Point) screen.Point {
	return screen.Point{X: r.X + share.X*r.W, Y: r.Y + share.Y*r.H}
}

var shares = regex.Lazy(`^(\d+(?:\.\d+)?)%,(\d+(?:\.\d+)?)%$`)

// share reads "50%,80%" as parts of a width and a height.
func share(s string) (screen.Point, error) {
	m := shares().FindStringSubmatch(strings.ReplaceAll(s, " ", ""))
	if m == nil {
		return screen.Point{}, fault.New(fault.Invalid, "read relative point", "%q is not of the form 50%%,80%%", s)
	}
	x, errX := strconv.ParseFloat(m[1], 64)
	y, errY := strconv.ParseFloat(m[2], 64)
	if errX != nil || errY != nil || x > 100 || y > 100 {
		return screen.Point{}, fault.New(fault.Invalid, "read relative point", "%q is not within 0%% and 100%%", s)
	}
	return screen.Point{X: x / 100, Y: y / 100}, nil
}
