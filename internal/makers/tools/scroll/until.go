package scroll

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/action"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/locator"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/identity"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// scrollTime limits the time for a search by scrolling, lists that load while one scrolls included.
const scrollTime = 30 * time.Second

type untilIn struct {
	Text                 string `json:"text,omitempty" jsonschema:"text to look for, part of it in whole words"`
	TextRegex            string `json:"textRegex,omitempty" jsonschema:"instead of text: regular expression for the whole text"`
	ID                   string `json:"id,omitempty" jsonschema:"test id or id attribute the element must have"`
	Index                int    `json:"index,omitempty" minimum:"0" jsonschema:"which of several matches, from 0"`
	Direction            string `json:"direction,omitempty" enum:"UP,DOWN,LEFT,RIGHT" default:"DOWN" jsonschema:"which way to look further"`
	VisibilityPercentage int    `json:"visibilityPercentage,omitempty" minimum:"1" maximum:"100" default:"100" jsonschema:"how much of the element must be on the screen"`
	CenterElement        bool   `json:"centerElement,omitempty" jsonschema:"also bring it to the middle"`
	ScrollStartPosition  string `json:"scrollStartPosition,omitempty" enum:"CENTER,TOP,BOTTOM,LEFT,RIGHT" default:"CENTER" jsonschema:"where on the screen the gesture begins"`
	TimeoutMs            int    `json:"timeoutMs,omitempty" minimum:"0" jsonschema:"how long to look; default 30000"`
	action.Expect
	action.Note
}

// CallTimeout implements tool.Timed.
func (in untilIn) CallTimeout() time.Duration {
	return action.Limit(action.Timeout(in.TimeoutMs, scrollTime))
}

func scrollUntilTextIsVisible() tool.Tool {
	s := shared("scrollUntilTextIsVisible", "Scroll until visible", "core_interaction", "navigation").With(tool.Facts{
		Categories: []string{"CORE_INTERACTION", "NAVIGATION", "MOBILE"}, Replaces: "web_scroll",
		Sentence: func(p tool.Phrase) string { return "Scroll to " + cmp.Or(p.Quoted("text"), p.Target) },
	})
	return action.Define(s, func(ctx context.Context, env tool.Env, in untilIn) (*tool.Result, error) {
		dev, err := action.Device(env)
		switch {
		case err != nil:
			return nil, err
		case in.Text == "" && in.TextRegex == "" && in.ID == "":
			return nil, fault.New(fault.Invalid, "scroll to element", "nothing to look for").
				WithHint("Give text, textRegex or id.")
		}
		h := hunt{dev: dev, in: in, deadline: time.Now().Add(action.Timeout(in.TimeoutMs, scrollTime))}
		return h.run(ctx)
	})
}

// hunt is one search by scrolling.
type hunt struct {
	dev      driver.Device
	in       untilIn
	deadline time.Time
	changes  driver.Changes
	stuck    int // scrolls in a row that moved nothing and brought nothing
}

// patientScrolls limits the scrolls that move nothing before the end of the content is believed: a list may be
// loading.
const patientScrolls = 3

func (h *hunt) run(ctx context.Context) (*tool.Result, error) {
	for steps := 0; ; steps++ {
		snap, err := h.dev.Snapshot(ctx, driver.SnapshotOptions{})
		if err != nil {
			return nil, fault.Wrap(err, "", "capture screen")
		}
		n, err := h.match(snap)
		if err != nil {
			return nil, err
		}
		switch {
		case n != nil && h.isInView(snap, n):
			return h.found(snap, n, steps), nil
		case n != nil && n.InSight():
			// It is there, only not (wholly) in view: no need to scroll blindly.
			if err := h.do(ctx, driver.ScrollIntoView{Target: driver.Target{Node: n.ID}}); err != nil {
				return nil, err
			}
		case h.stuck >= patientScrolls || !time.Now().Before(h.deadline):
			q := locator.Query{Text: h.in.Text + h.in.TextRegex, ID: h.in.ID, Index: &h.in.Index}
			return &tool.Result{Evidence: &tool.Evidence{Screen: snap, Effect: &driver.Effect{Changes: h.changes}}},
				fault.New(fault.NotFound, "scroll to element", "scrolled %s to the end and saw nothing that matches %s",
					strings.ToLower(h.in.Direction), q).
					WithDetail(q.Detail(snap))
		default:
			dx, dy := move(h.in.Direction, half(h.dev.Info(), h.in.Direction))
			if err := h.do(ctx, driver.Scroll{DX: dx, DY: dy}); err != nil {
				return nil, err
			}
		}
	}
}

func (h *hunt) do(ctx context.Context, a driver.Action) error {
	e, err := h.dev.Perform(ctx, a)
	if err != nil {
		return fault.Wrap(err, "", "scroll")
	}
	if e == nil || !e.Changes.Scroll && e.Changes.Tree == 0 {
		h.stuck++
		if w, ok := driver.As[driver.Waiter](h.dev); ok { // a list that loads more needs a moment
			wctx, cancel := context.WithTimeout(ctx, min(time.Second, max(time.Until(h.deadline), 0)))
			defer cancel()
			_ = w.WaitChange(wctx, nil)
		}
		return ctx.Err()
	}
	h.stuck = 0
	h.changes.Scroll = h.changes.Scroll || e.Changes.Scroll
	h.changes.Tree += e.Changes.Tree
	return nil
}

func (h *hunt) match(snap *screen.Snapshot) (*screen.Node, error) {
	nodes, err := locator.Query{Text: h.in.Text, ID: h.in.ID}.AllText(snap, h.in.TextRegex)
	if err != nil || h.in.Index >= len(nodes) {
		return nil, err
	}
	return nodes[h.in.Index], nil
}

// isInView reports whether enough of the node is on the screen.
func (h *hunt) isInView(snap *screen.Snapshot, n *screen.Node) bool {
	if n.Visibility != screen.Visible {
		return false
	}
	b := n.Bounds
	w := min(b.X+b.W, float64(snap.Width)) - max(b.X, 0)
	t := min(b.Y+b.H, float64(snap.Height)) - max(b.Y, 0)
	if b.Empty() || w <= 0 || t <= 0 {
		return false
	}
	// An element larger than the screen never fits: as much as the screen holds is enough then.
	most := min(b.W, float64(snap.Width)) * min(b.H, float64(snap.Height))
	return w*t >= most*float64(h.in.VisibilityPercentage)/100-1
}

func (h *hunt) found(snap *screen.Snapshot, n *screen.Node, steps int) *tool.Result {
	text := fmt.Sprintf("%s is on the screen after %s.", snap.ReplyName(n), action.Plural(steps, "scroll"))
	if steps == 0 {
		text = snap.ReplyName(n) + " is on the screen already."
	}
	r := tool.TextResult("%s", text)
	print := identity.Of(snap, n)
	r.Evidence = &tool.Evidence{
		Target: &print, Bounds: &n.Bounds, Screen: snap, Checked: text,
		Effect: &driver.Effect{Changes: h.changes, Settle: driver.Settle{Reason: "quiet"}},
	}
	r.Evidence.Effect.Changes.Verified = true // what was asked for, the element in view, was seen
	return r
}
