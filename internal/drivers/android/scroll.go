package android

import (
	"context"
	"math"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/screen"
)

const (
	swipeTime = 300 * time.Millisecond
	restTime  = 120 * time.Millisecond // the finger rests at the end, so that the content does not fly on
	frameTime = 16 * time.Millisecond
	mostMoves = 60 // swipes to bring an element into view
)

// stroke is the way of a finger that rests at its end.
func stroke(from, to screen.Point, took time.Duration) [][]int {
	steps := max(int(took/frameTime), 2)
	var out [][]int
	for i := range steps + 1 {
		at := float64(i) / float64(steps)
		out = append(out, []int{
			int(float64(took.Milliseconds()) * at),
			int(from.X + (to.X-from.X)*at), int(from.Y + (to.Y-from.Y)*at),
		})
	}
	last := out[len(out)-1]
	for rest := frameTime; rest <= restTime; rest += frameTime {
		out = append(out, []int{last[0] + int(rest.Milliseconds()), last[1], last[2]})
	}
	return append(out, []int{last[0] + int(restTime.Milliseconds()) + 1, last[1], last[2]})
}

func (p *act) swipe(ctx context.Context, a driver.Swipe) error {
	t, err := p.tree(ctx)
	if err != nil {
		return err
	}
	p.before, p.effect.Point = t, &a.From
	took := a.Duration
	if took <= 0 {
		took = swipeTime
	}
	return p.move(ctx, a.From, a.To, took)
}

func (p *act) move(ctx context.Context, from, to screen.Point, took time.Duration) error {
	if err := p.touch(ctx, 1, stroke(from, to, took)...); err != nil {
		return err
	}
	return p.settle(ctx)
}

func (p *act) drag(ctx context.Context, a driver.Drag) error {
	if _, err := p.aim(ctx, a.To, need{}); err != nil {
		return err
	}
	to := *p.effect.Point
	if _, err := p.aim(ctx, a.From, toTap); err != nil {
		return err
	}
	from := *p.effect.Point
	took := a.Duration
	if took <= 0 {
		took = time.Second
	}
	points := [][]int{{0, int(from.X), int(from.Y)}}
	for _, s := range stroke(from, to, took) { // what is dragged must be pressed first
		points = append(points, []int{s[0] + int(holdTime.Milliseconds()), s[1], s[2]})
	}
	if err := p.touch(ctx, 1, points...); err != nil {
		return err
	}
	return p.settle(ctx)
}

func (p *act) pinch(ctx context.Context, a driver.Pinch) error {
	if a.Scale <= 0 {
		return fault.New(fault.Invalid, p.op, "a scale of %v", a.Scale)
	}
	if _, err := p.aim(ctx, a.Target, need{}); err != nil {
		return err
	}
	at := *p.effect.Point
	reach := min(at.X, at.Y, float64(p.before.Width)-at.X, float64(p.before.Height)-at.Y) * 0.8
	from, to := reach, reach
	if a.Scale > 1 {
		from = reach / a.Scale
	} else {
		to = reach * a.Scale
	}
	const steps = 20
	var points [][]int
	for i := range steps + 1 {
		r := from + (to-from)*float64(i)/steps
		points = append(points, []int{
			i * int(frameTime.Milliseconds()), int(at.X - r), int(at.Y), int(at.X + r), int(at.Y),
		})
	}
	if err := p.touch(ctx, 2, points...); err != nil {
		return err
	}
	return p.settle(ctx)
}

// scroll moves the content of the target's container, or of the largest one, by a finger.
func (p *act) scroll(ctx context.Context, a driver.Scroll) error {
	n, err := p.aim(ctx, a.Target, need{anywhere: true})
	if err != nil {
		return err
	}
	c := p.container(p.before, n, a.DX != 0 && a.DY == 0)
	if c == nil {
		return fault.New(fault.NotActed, p.op, "nothing there scrolls")
	}
	dx, dy := a.DX, a.DY
	var all driver.Effect
	for i := range mostMoves {
		if i > 0 && max(math.Abs(dx), math.Abs(dy)) < p.before.leastMove() {
			break // what is left is less than a finger can scroll
		}
		sx, sy := within(dx, c.B[2]-c.B[0]), within(dy, c.B[3]-c.B[1])
		if sx == 0 && sy == 0 {
			break
		}
		dx, dy = dx-sx, dy-sy
		if err := p.strokeIn(ctx, c, sx, sy); err != nil {
			return err
		}
		moved := p.effect.Changes.Scroll || p.effect.Changes.Tree > 0
		all.Changes.Scroll = all.Changes.Scroll || moved
		all.Changes.Tree += p.effect.Changes.Tree
		if !moved {
			break
		}
	}
	p.effect.Changes.Scroll, p.effect.Changes.Tree = all.Changes.Scroll, all.Changes.Tree
	return nil
}

// within is the part of a distance that one stroke in a box can make.
func within(d float64, size int) float64 {
	most := float64(size) * 0.7
	return max(min(d, most), -most)
}

// leastMove is the shortest way of a finger, in pixels, that scrolls. Android takes a shorter one for a tap: its touch
// slop is 8 dp, and some makers and apps have a larger one. A screen is 320 dp wide or more, so this is 26 dp or more.
func (t *tree) leastMove() float64 { return float64(min(t.Width, t.Height)) / 12 }

// strokeIn scrolls a container once: content moves up for positive dy.
func (p *act) strokeIn(ctx context.Context, c *node, dx, dy float64) error {
	far := func(d float64) float64 {
		if d == 0 {
			return 0
		}
		return math.Copysign(max(math.Abs(d), p.before.leastMove()), d)
	}
	dx, dy = far(dx), far(dy)
	in := c.B.within(box{0, 0, p.before.Width, p.before.Height})
	cx, cy := in.center()
	from := screen.Point{X: float64(cx) + dx/2, Y: float64(cy) + dy/2}
	to := screen.Point{X: float64(cx) - dx/2, Y: float64(cy) - dy/2}
	p.effect.Point = &from
	return p.move(ctx, from, to, swipeTime)
}

// container is what scrolls the node, or the largest of the window in front.
func (p *act) container(t *tree, n *node, wide bool) *node {
	if n != nil {
		for c := n; c != nil; c = c.parent {
			if c.F.has(scrollable) && sideways(c) == wide {
				return c
			}
		}
		return n.above(scrollable)
	}
	w := t.front()
	if w == nil {
		return nil
	}
	var best *node
	w.each(func(c *node) {
		if c.F.has(scrollable) && c.F.has(visible) && sideways(c) == wide && (best == nil || area(c.B) > area(best.B)) {
			best = c
		}
	})
	return best
}

func area(b box) int { return max(b[2]-b[0], 0) * max(b[3]-b[1], 0) }

// reveal scrolls once towards an element that is out of view, and reports whether it did.
func (p *act) reveal(ctx context.Context, t *tree, n *node) (bool, error) {
	c := n.above(scrollable)
	if c == nil {
		return false, nil
	}
	x, y := n.B.center()
	seen := c.B.within(box{0, 0, t.Width, t.Height})
	if n.F.has(visible) && seen.contains(x, y) && n.B.within(seen) == n.B {
		return false, nil
	}
	dx, dy := 0.0, 0.0
	cx, cy := seen.center() // the box of what is out of view is cut to less than nothing, on the side on which it lies
	if sideways(c) {
		dx = within(float64(x-cx), seen[2]-seen[0])
	} else {
		dy = within(float64(y-cy), seen[3]-seen[1])
	}
	const worth = 8
	if dx > -worth && dx < worth && dy > -worth && dy < worth ||
		dy > 0 && !c.F.has(forward) || dy < 0 && !c.F.has(backward) ||
		dx > 0 && !c.F.has(forward) || dx < 0 && !c.F.has(backward) {
		return false, nil // it is as far in view as it comes
	}
	p.before, p.own = t, nil
	const note = "it was scrolled into view"
	if p.moves++; p.moves > mostMoves {
		return false, nil
	}
	if err := p.strokeIn(ctx, c, dx, dy); err != nil {
		return false, err
	}
	if !p.effect.Changes.Scroll && p.effect.Changes.Tree == 0 {
		return false, nil
	}
	if len(p.effect.Retries) == 0 || !strings.HasPrefix(p.effect.Retries[0], note) {
		p.effect.Retries = append(p.effect.Retries, note)
	}
	return true, nil
}
