package pointer

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/trailblaze-dev/trailblaze/screen/identity"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/action"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/locator"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
)

type webDragIn struct {
	locator.Target
	ToRef          string                `json:"toRef,omitempty" jsonschema:"the element to drop on, in the forms of ref"`
	ToNodeSelector *screen.Selector      `json:"toNodeSelector,omitempty" jsonschema:"durable selector of the element to drop on"`
	ToFingerprint  *identity.Fingerprint `json:"toFingerprint,omitempty" jsonschema:"who that element was when it was recorded"`
	Place          string                `json:"place,omitempty" enum:"before,after,into" jsonschema:"where to drop: before or after that element in its list, or into it (in its middle)"`
	DX             float64               `json:"dx,omitempty" jsonschema:"without an element to drop on: px to the right"`
	DY             float64               `json:"dy,omitempty" jsonschema:"without an element to drop on: px down"`
	DurationMs     int                   `json:"durationMs,omitempty" minimum:"0" default:"300" jsonschema:"how long the movement takes"`
	action.Terms
}

func webDrag() tool.Tool {
	return action.Define(web("web_drag", "Drag").With(tool.Facts{
		Purpose: tool.Drag, Sentence: func(p tool.Phrase) string {
			return p.On("Drag") + tool.Join(" "+cmp.Or(p.Text("place"), "onto")+" ", p.To)
		},
	}), drag)
}

func drag(ctx context.Context, env tool.Env, in webDragIn) (*tool.Result, error) {
	to := locator.Target{Ref: in.ToRef, NodeSelector: in.ToNodeSelector, Fingerprint: in.ToFingerprint}
	if to.Empty() && (in.Place != "" || in.DX == 0 && in.DY == 0) {
		return nil, fault.New(fault.Invalid, "drag element", "nowhere to drag to").
			WithHint("Give toRef or toNodeSelector, or without place dx and dy.")
	}
	job := action.Request{Query: in.Query(in.Target), Expect: in.Expect, Did: "Dragged",
		Action: func(t driver.Target, n *screen.Node) driver.Action {
			c := n.Bounds.Center()
			return driver.Drag{From: t, To: driver.Target{Point: &screen.Point{X: c.X + in.DX, Y: c.Y + in.DY}},
				Duration: ms(in.DurationMs)}
		}}
	if to.Empty() {
		return action.Do(ctx, env, job)
	}
	for try := 1; ; try++ {
		r, placed, err := dragOnto(ctx, env, in, to, job)
		if placed && err == nil && try > 1 {
			said := fmt.Sprintf("The list moved it back at first: it was dragged %d times.", try)
			r.Content = append(r.Content, tool.Content{Type: "text", Text: said})
		}
		if placed || try == tries || r.Evidence == nil || r.Evidence.Effect == nil ||
			r.Evidence.Effect.Changes.Tree == 0 {
			return r, err
		}
	}
}

// tries limits how often an item is dragged to its place in a list that moves items and does not leave it there.
// SortableJS looks on a timer what lies under the pointer, and moves an item back that it meets while that makes room.
const tries = 3

// dragOnto drags onto an element. placed is false when what was dragged has not come to lie where it should.
func dragOnto(
	ctx context.Context, env tool.Env, in webDragIn, to locator.Target, job action.Request,
) (r *tool.Result, placed bool, err error) {
	end, err := locator.Resolve(ctx, env.Device(), in.Query(to))
	if err != nil {
		return &tool.Result{Evidence: action.Evidence(end, in.Query(to))}, true, err
	}
	job.Onto = cmp.Or(map[string]string{before: " before ", after: " after ", into: " into "}[in.Place], " to ") +
		end.Snapshot.ReplyName(end.Node)
	var list series
	var dragged *screen.Node
	job.Action = func(t driver.Target, n *screen.Node) driver.Action {
		goal := driver.Target{Node: end.Node.ID}
		if dragged = end.Snapshot.Node(n.ID); dragged != nil {
			list = seriesOf(dragged, end.Node)
			goal = list.target(in.Place, end.Node)
		}
		return driver.Drag{From: t, To: goal, Duration: ms(in.DurationMs)}
	}
	if r, err = action.Do(ctx, env, job); err != nil {
		return r, true, err
	}
	if in.Place != "" && dragged != nil {
		if err := list.tell(ctx, env.Device(), dragged, in.Place, r); err != nil {
			return r, fault.KindOf(err) != fault.NotActed, err
		}
	}
	if r.Record == nil {
		return r, true, nil
	}
	dropped := action.Identify(end, in.Query(to))
	r.Record = action.Patch("", map[string]any{
		"ref": nil, "nodeSelector": r.Evidence.Selector, "fingerprint": r.Evidence.Target,
		"toRef": nil, "toNodeSelector": dropped.Selector, "toFingerprint": dropped.Target,
	})
	return r, true, nil
}

func ms(n int) time.Duration { return time.Duration(n) * time.Millisecond }

type dragToIn struct {
	Ref        string   `json:"ref" minLength:"1" jsonschema:"ref of the element to drag, from the last snapshot"`
	ToRef      string   `json:"toRef,omitempty" jsonschema:"ref of the element to drop on"`
	ToX        *float64 `json:"toX,omitempty" jsonschema:"px from the left, instead of toRef"`
	ToY        *float64 `json:"toY,omitempty" jsonschema:"px from the top, instead of toRef"`
	DurationMs int      `json:"durationMs,omitempty" minimum:"0" default:"1000" jsonschema:"how long the movement takes"`
	action.Note
}

// dragTo is replaced by the durable drag between two elements where the platform has one, else by points.
func dragTo() tool.Tool {
	s := shared("dragTo", "Drag to", "core_interaction").With(tool.Facts{
		Categories: []string{"CORE_INTERACTION", "MOBILE"}, Replaces: "web_drag",
		Sentence: func(p tool.Phrase) string { return p.On("Drag") },
	})
	s.Recordable, s.Delegating = false, true
	return tool.Define(s, func(ctx context.Context, env tool.Env, in dragToIn) (*tool.Result, error) {
		from, err := locator.Resolve(ctx, env.Device(), locator.Query{Target: locator.Target{Ref: in.Ref}})
		if err != nil {
			return &tool.Result{Evidence: action.Evidence(from, locator.Query{})}, err
		}
		start := from.Node.Bounds.Center()
		switch {
		case in.ToX != nil && in.ToY != nil:
			return delegate("dragByPoints", points(start, screen.Point{X: *in.ToX, Y: *in.ToY}, in.DurationMs))
		case in.ToRef == "":
			return nil, fault.New(fault.Invalid, "drag element", "nowhere to drag to").WithHint("Give toRef, or toX and toY.")
		}
		q := locator.Query{Target: locator.Target{Ref: in.ToRef}}
		to, err := locator.Resolve(ctx, env.Device(), q)
		if err != nil {
			return &tool.Result{Evidence: action.Evidence(to, q)}, err
		}
		if env.Device().Info().Platform != driver.WebPlatform {
			return delegate("dragByPoints", points(start, to.Node.Bounds.Center(), in.DurationMs))
		}
		return delegate("web_drag", map[string]any{
			// An element without an action has no ref of its own, and is still something to drop on.
			"ref": cmp.Or(from.Node.Ref, in.Ref), "toRef": cmp.Or(to.Node.Ref, in.ToRef), "durationMs": in.DurationMs,
		})
	})
}

func points(from, to screen.Point, duration int) map[string]any {
	return map[string]any{"startX": int(from.X), "startY": int(from.Y), "endX": int(to.X), "endY": int(to.Y),
		"durationMs": duration}
}

// delegate returns the result of a call that is replaced by another call.
func delegate(name string, args map[string]any) (*tool.Result, error) {
	raw, err := json.Marshal(args)
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, "encode "+name)
	}
	return &tool.Result{Delegates: []tool.Call{{Name: name, Args: raw}}}, nil
}

type dragByPointsIn struct {
	StartX     int `json:"startX" jsonschema:"px from the left"`
	StartY     int `json:"startY" jsonschema:"px from the top"`
	EndX       int `json:"endX" jsonschema:"px from the left"`
	EndY       int `json:"endY" jsonschema:"px from the top"`
	DurationMs int `json:"durationMs,omitempty" minimum:"0" default:"1000" jsonschema:"how long the movement takes"`
	action.Expect
	action.Note
}

func dragByPoints() tool.Tool {
	return action.Define(legacy("dragByPoints", "Drag between points"),
		func(ctx context.Context, env tool.Env, in dragByPointsIn) (*tool.Result, error) {
			return action.At(ctx, env, in.Expect,
				fmt.Sprintf("Dragged from %d,%d to %d,%d", in.StartX, in.StartY, in.EndX, in.EndY), driver.Drag{
					From:     driver.Target{Point: &screen.Point{X: float64(in.StartX), Y: float64(in.StartY)}},
					To:       driver.Target{Point: &screen.Point{X: float64(in.EndX), Y: float64(in.EndY)}},
					Duration: ms(in.DurationMs),
				})
		})
}
