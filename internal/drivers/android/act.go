package android

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/screen"
)

const (
	fitTime   = 5 * time.Second        // in which an element must become fit for an action, unless the caller says
	quiet     = 100 * time.Millisecond // without a change, an action is over
	grace     = 300 * time.Millisecond // in which the first change of an action must come
	settleCap = 5 * time.Second
	tapTime   = 40 * time.Millisecond
	holdTime  = 700 * time.Millisecond
)

// act is one action under way.
type act struct {
	*Device
	op     string
	app    string          // package of the app that was in front at first, or that is started
	before *tree           // the screen just before the input
	own    map[string]bool // elements that changed without the action
	logged uint64          // number of the newest line of the log before the action
	began  int64           // when the tap began, by the phone's clock; 0: the phone tells nothing of taps
	moves  int             // of a finger that brought the element nearer
	effect driver.Effect
}

// Perform implements driver.Device.
func (d *Device) Perform(ctx context.Context, a driver.Action) (*driver.Effect, error) {
	p := &act{Device: d, op: verb(a)}
	if err := d.usable(ctx, p.op); err != nil {
		return nil, err
	}
	select {
	case d.acting <- struct{}{}:
		defer func() { <-d.acting }()
	case <-ctx.Done():
		return nil, fault.Wrap(context.Cause(ctx), "", p.op)
	}
	p.app, p.logged = d.left.app, d.left.logged
	if err := p.crashed(ctx); err != nil {
		return nil, err // after the action before, by its own work
	}
	p.app, p.logged = "", d.log.newest()
	if d.limited != "" {
		p.effect.Method = "uiautomator"
	}
	if err := p.do(ctx, a); err != nil {
		return nil, fault.Wrap(err, "", p.op)
	}
	return &p.effect, p.crashed(ctx)
}

// tree reads the screen with what its views have said since the last tap, and keeps which app is in front at first.
func (p *act) tree(ctx context.Context) (*tree, error) {
	t, err := p.Device.tree(ctx, p.began)
	if err == nil && p.app == "" {
		p.app = t.app()
	}
	return t, err
}

// crashed is the failure of an action during which the app ended or stopped answering. An app that is no longer in
// front gets the time that its end needs to come into the log.
func (p *act) crashed(ctx context.Context) error {
	if p.app == "" {
		return nil
	}
	said := p.log.crash(p.logged, p.app)
	for end := time.Now().Add(grace); said == "" && p.before != nil && p.before.app() != p.app; {
		if !p.log.more(ctx, time.Until(end)) {
			break
		}
		said = p.log.crash(p.logged, p.app)
	}
	p.left.logged, p.left.app = p.log.newest(), p.app
	if p.before != nil {
		p.left.app = p.before.app()
	}
	if said != "" {
		return fault.New(fault.Assertion, p.op, "the app ended: %s", said).
			WithHint("The log of the phone has the rest: `adb logcat -b crash -d`.")
	}
	return nil
}

func verb(a driver.Action) string {
	name := strings.TrimPrefix(fmt.Sprintf("%T", a), "driver.")
	return strings.ToLower(name[:1]) + name[1:] + " on the phone"
}

func (p *act) do(ctx context.Context, a driver.Action) error {
	switch a := a.(type) {
	case driver.Tap:
		return p.tap(ctx, a)
	case driver.TypeText:
		return p.typeText(ctx, a)
	case driver.EraseText:
		return p.erase(ctx, a)
	case driver.PressKey:
		return p.press(ctx, a)
	case driver.SetChecked:
		return p.setChecked(ctx, a)
	case driver.SelectOption:
		return p.selectOption(ctx, a)
	case driver.Scroll:
		return p.scroll(ctx, a)
	case driver.ScrollIntoView:
		_, err := p.aim(ctx, a.Target, need{})
		if err == nil {
			p.effect.Changes.Verified = true
			p.effect.Settle.Reason = "quiet"
		}
		return err
	case driver.Swipe:
		return p.swipe(ctx, a)
	case driver.Drag:
		return p.drag(ctx, a)
	case driver.Pinch:
		return p.pinch(ctx, a)
	}
	return fault.New(fault.Unsupported, p.op, "a phone cannot do that").
		WithHint("Phones have tap, text, keys, check boxes, choices, scroll, swipe, drag and pinch.")
}

// need says what an element must be to be acted on.
type need struct {
	enabled  bool
	uncover  bool // the point must get the tap
	anywhere bool // it need not be in view
}

var toTap = need{enabled: true, uncover: true}

// aim waits until the target is fit for the action, brings it into view, and leaves the tree in p.before. The place is
// in effect.Point. A nil node means a bare point.
func (p *act) aim(ctx context.Context, target driver.Target, want need) (*node, error) {
	wait := target.Wait
	if wait <= 0 {
		wait = fitTime
	}
	anew := func() (context.Context, context.CancelFunc) { return context.WithTimeout(ctx, wait) }
	limit, cancel := anew()
	defer func() { cancel() }()
	why, hid := "", false
	for {
		t, err := p.tree(limit)
		if err != nil {
			return nil, p.unfit(ctx, limit, err, why)
		}
		n, err := p.resolve(t, target)
		if err != nil {
			return nil, err
		}
		if n == nil {
			p.before, p.effect.Point = t, p.bare(t, target)
			return nil, nil
		}
		if why == "" && !want.anywhere {
			if moved, err := p.reveal(limit, t, n); err != nil {
				return nil, p.unfit(ctx, limit, err, "it could not be brought into view")
			} else if moved { // what comes nearer has the time anew
				cancel()
				limit, cancel = anew()
				continue
			}
		}
		pt := point(n, target)
		cover := ""
		if want.uncover {
			cover = t.coverOf(n, int(pt.X), int(pt.Y))
		}
		switch {
		case want.enabled && !n.F.has(enabled):
			why = "it is disabled"
		case !want.anywhere && t.visibility(n) != screen.Visible && cover == "":
			why = "it is not in view"
		case strings.HasSuffix(cover, ": the keyboard") && !hid:
			hid = true
			p.effect.Retries = append(p.effect.Retries, "the keyboard covered it and was closed")
			if err := p.sendKeys(limit, keyBack); err != nil {
				return nil, err
			}
			continue
		case cover != "":
			why = cover
		default:
			moved, err := p.still(limit, t, n)
			if err != nil {
				return nil, p.unfit(ctx, limit, err, "it does not stand still")
			}
			if !moved && want.uncover { // what has come since may lie over it
				now, err := p.resolve(p.before, target)
				if err != nil {
					return nil, err
				}
				moved = p.before.coverOf(now, int(pt.X), int(pt.Y)) != ""
			}
			if moved {
				continue
			}
			b := rect(n.B)
			p.effect.Point, p.effect.Bounds = &pt, &b
			return n, nil
		}
		if _, err = p.await(limit, t.Changes, waitSlice); err != nil {
			return nil, p.unfit(ctx, limit, err, why)
		}
	}
}

// unfit words why an element was not acted on in time. The caller's own end is the caller's.
func (p *act) unfit(ctx, limit context.Context, err error, why string) error {
	switch {
	case limit.Err() == nil, why == "" && ctx.Err() == nil:
		return err
	case why == "":
		return fault.Wrap(context.Cause(ctx), "", p.op)
	}
	return fault.New(fault.NotActed, p.op, "nothing was sent: %s", why).
		WithHint("Look at the screen: close what lies over it, or do what enables it first.")
}

// resolve finds the target in a tree.
func (p *act) resolve(t *tree, target driver.Target) (*node, error) {
	if target.Node == 0 {
		return nil, nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	var found *node
	t.each(func(n *node) {
		if id, ok := p.names.ids[identity(n)]; ok && id == target.Node {
			found = n
		}
	})
	if found == nil {
		return nil, fault.New(fault.NotFound, p.op, "the element is not on the screen any more").
			WithHint("Take a new snapshot.")
	}
	return found, nil
}

// bare is the point of a target without an element: its own, else the middle of what has the focus or of the screen.
func (p *act) bare(t *tree, target driver.Target) *screen.Point {
	if target.Point != nil {
		return target.Point
	}
	out := screen.Point{X: float64(t.Width) / 2, Y: float64(t.Height) / 2}
	if n := t.focus(); n != nil {
		out = rect(n.B).Center()
	}
	return &out
}

// focus is the node that takes keys.
func (t *tree) focus() (found *node) {
	t.each(func(n *node) {
		if found == nil && n.F.has(focused) && n.window.Type == appWindow && (n.window.Focused || len(t.Windows) == 1) {
			found = n
		}
	})
	return found
}

func point(n *node, target driver.Target) screen.Point {
	if target.Point != nil {
		return screen.Point{X: float64(n.B[0]) + target.Point.X, Y: float64(n.B[1]) + target.Point.Y}
	}
	return rect(n.B).Center()
}

// still looks once more, after two frames without a change: an element that moves meanwhile is not aimed at. What
// changed elsewhere does so on its own, and is no effect of the action.
func (p *act) still(ctx context.Context, t *tree, n *node) (moved bool, err error) {
	const frames = 34 * time.Millisecond // two of 60 a second
	if _, err := p.quiet(ctx, frames, time.Second); err != nil {
		return false, err
	}
	again, err := p.tree(ctx)
	if err != nil {
		return false, err
	}
	_, changed := changesBetween(t, again, nil)
	p.own = map[string]bool{}
	id := identity(n)
	for _, c := range changed {
		if c == id {
			return true, nil
		}
		p.own[c] = true
	}
	p.before = again
	return false, nil
}

// quiet waits until nothing has changed on the screen for a time.
func (p *act) quiet(ctx context.Context, calm, most time.Duration) (busy bool, err error) {
	var s struct{ Busy bool }
	err = p.ask.Call(ctx, map[string]any{
		"do": "settle", "quiet": calm.Milliseconds(), "most": most.Milliseconds(),
	}, &s)
	return s.Busy, err
}

// settle waits until what the input caused is over, and compares the screen with that before.
func (p *act) settle(ctx context.Context) error {
	began := time.Now()
	busy, err := p.quiet(ctx, quiet, settleCap)
	if err != nil {
		return p.sent(err)
	}
	after, err := p.tree(ctx)
	if err != nil {
		return p.sent(err)
	}
	c, changed := changesBetween(p.before, after, p.own)
	if !c.Any() && !busy {
		now, err := p.await(ctx, after.Changes, grace)
		if err == nil && now != after.Changes {
			busy, err = p.quiet(ctx, quiet, settleCap)
		}
		if err == nil {
			after, err = p.tree(ctx)
		}
		if err != nil {
			return p.sent(err)
		}
		c, changed = changesBetween(p.before, after, p.own)
	}
	if counts(p.before, after, changed) {
		if after, err = p.doubt(ctx, after, changed); err != nil {
			return p.sent(err)
		}
		c, _ = changesBetween(p.before, after, p.own)
	}
	c.Verified, c.Received = p.effect.Changes.Verified, p.effect.Changes.Received
	p.effect.Changes = c
	p.effect.Settle = driver.Settle{Reason: "quiet", Waited: time.Since(began)}
	if busy {
		p.effect.Settle.Reason = "busy"
		p.effect.Settle.Pending = []string{"the screen kept changing"}
	}
	p.before = after
	return nil
}

// tick is the longest time between two changes of a clock that shows seconds.
const tick = 1100 * time.Millisecond

// doubt looks whether a number that has changed changes again: then it counts on its own, and not for the action.
func (p *act) doubt(ctx context.Context, after *tree, changed []string) (*tree, error) {
	if _, err := p.await(ctx, after.Changes, tick); err != nil {
		return nil, err
	}
	again, err := p.tree(ctx)
	if err != nil {
		return nil, err
	}
	_, more := changesBetween(after, again, nil)
	if p.own == nil {
		p.own = map[string]bool{}
	}
	for _, id := range more {
		if slices.Contains(changed, id) {
			p.own[id] = true
		}
	}
	return again, nil
}

// sent words an error that came after the input was sent: it may have had its effect.
func (p *act) sent(err error) error {
	return fault.Wrap(fmt.Errorf("the input was sent, but then: %w", err), "", p.op)
}

// touch sends a gesture: the time, x and y of each moment.
func (p *act) touch(ctx context.Context, fingers int, points ...[]int) error {
	var got struct {
		Taken bool
		At    int64
	}
	err := p.ask.Call(ctx, map[string]any{"do": "touch", "points": points, "fingers": fingers}, &got)
	if err != nil {
		return err
	}
	if !got.Taken {
		return fault.New(fault.NotActed, p.op, "the phone refused the input").
			WithHint("Is its screen locked, or does a window refuse touches that do not come from a finger?")
	}
	p.effect.Changes.Received = true
	if p.began == 0 {
		p.began = got.At
	}
	return nil
}

func (p *act) tap(ctx context.Context, a driver.Tap) error {
	if a.Button != "" && a.Button != driver.Left || len(a.Modifiers) > 0 {
		return fault.New(fault.Unsupported, p.op, "a finger has no buttons and no modifiers").
			WithHint("Use a long press for a menu.")
	}
	want := toTap
	if a.Force {
		want = need{}
	}
	n, err := p.aim(ctx, a.Target, want)
	if err != nil {
		return err
	}
	x, y := int(p.effect.Point.X), int(p.effect.Point.Y)
	hold := tapTime
	if a.Hold > 0 {
		hold = max(a.Hold, holdTime)
	}
	p.began = 0
	for range max(a.Count, 1) {
		if err := p.touch(ctx, 1, []int{0, x, y}, []int{int(hold.Milliseconds()), x, y}); err != nil {
			return err
		}
	}
	start := p.before
	if err := p.settle(ctx); err != nil || n == nil {
		return err
	}
	if !a.Force {
		if err := p.took(start, n); err != nil {
			return err
		}
	}
	now, err := p.resolve(p.before, a.Target)
	switch {
	case err != nil:
		return nil // it went away
	case n.F.has(editable):
		p.effect.Changes.Verified = now.F.has(focused) // a field that had the focus before shows nothing else
	case n.F.has(checkable) && now.F.has(checked) == n.F.has(checked) && start.shows() == p.before.shows():
		if other := turned(start, p.before, p.own); other != nil {
			return fault.New(fault.NotActed, p.op, "another element took the tap: %s %s changed, and the element did not",
				role(other), quoted(nameOf(other))).WithHint("Look at the screen: something may have moved under the finger.")
		}
	}
	return nil
}

// turned is an element that was turned on or off between two trees.
func turned(a, b *tree, own map[string]bool) (found *node) {
	was := map[string]flags{}
	a.each(func(n *node) { was[identity(n)] = n.F })
	b.each(func(n *node) {
		f, ok := was[identity(n)]
		if ok && f.has(checkable) && f.has(checked) != n.F.has(checked) && !own[identity(n)] && found == nil {
			found = n
		}
	})
	return found
}

func (p *act) setChecked(ctx context.Context, a driver.SetChecked) error {
	n, err := p.aim(ctx, a.Target, need{})
	if err != nil {
		return err
	}
	switch {
	case n == nil || !n.F.has(checkable):
		return fault.New(fault.NotActed, p.op, "the element is no check box, switch or radio button")
	case n.F.has(checked) == a.Checked:
		p.effect.Changes.Verified, p.effect.Settle.Reason = true, "quiet"
		return nil
	}
	if err := p.tap(ctx, driver.Tap{Target: a.Target}); err != nil {
		return err
	}
	n, err = p.resolve(p.before, a.Target)
	if err != nil {
		return err
	}
	if n.F.has(checked) != a.Checked {
		return fault.New(fault.NotActed, p.op, "the element did not take the state")
	}
	p.effect.Changes.Verified = true
	return nil
}

// nodeID is the id of a node in captures.
func (p *act) nodeID(n *node) screen.NodeID {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.names.id(identity(n))
}

// selectOption opens a spinner's list, scrolls to the option, taps it, and reads the spinner.
func (p *act) selectOption(ctx context.Context, a driver.SelectOption) error {
	if len(a.Options) != 1 {
		return fault.New(fault.Invalid, p.op, "a spinner holds one option, not %d", len(a.Options))
	}
	want := a.Options[0]
	n, err := p.aim(ctx, a.Target, toTap)
	if err != nil {
		return err
	}
	if n == nil || role(n) != "combobox" {
		return fault.New(fault.NotActed, p.op, "the element is no spinner").WithHint("Tap it, then tap the option.")
	}
	if n.chosen() == want {
		p.effect.Changes.Verified, p.effect.Settle.Reason = true, "quiet"
		return nil
	}
	start, at, in := p.before, *p.effect.Point, *p.effect.Bounds
	if err := p.tap(ctx, driver.Tap{Target: a.Target}); err != nil {
		return err
	}
	option, err := p.findOption(ctx, n.window, want)
	if err != nil {
		_ = p.sendKeys(context.WithoutCancel(ctx), keyBack) // the list goes away again
		_, _ = p.quiet(ctx, quiet, settleCap)
		return err
	}
	if err := p.tap(ctx, driver.Tap{Target: driver.Target{Node: p.nodeID(option)}}); err != nil {
		return err
	}
	p.effect.Point, p.effect.Bounds = &at, &in
	if n, err = p.resolve(p.before, a.Target); err != nil {
		return err
	}
	if got := n.chosen(); got != want {
		return fault.New(fault.NotActed, p.op, "the spinner shows %q instead of %q", got, want)
	}
	c, _ := changesBetween(start, p.before, nil)
	c.Verified, c.Value, c.Received = true, true, true
	p.effect.Changes, p.effect.Value = c, want
	return nil
}

// findOption looks for a text in the list that opened over a window, from its beginning to its end.
func (p *act) findOption(ctx context.Context, below *window, want string) (*node, error) {
	var last string
	for range mostMoves {
		var found, list *node
		says := ""
		p.before.each(func(n *node) {
			if n.window == nil || n.window.ID == below.ID {
				return
			}
			if n.F.has(scrollable) && list == nil {
				list = n
			}
			says += text(n.Text) + "\n"
			if found == nil && (text(n.Text) == want || text(n.Desc) == want) {
				found = n
			}
		})
		if found != nil {
			return found, nil
		}
		if list == nil || says == last || !list.F.has(forward) {
			break
		}
		last = says
		p.own = nil
		if err := p.strokeIn(ctx, list, 0, within(float64(list.B[3]-list.B[1]), list.B[3]-list.B[1])); err != nil {
			return nil, err
		}
	}
	return nil, fault.New(fault.NotActed, p.op, "there is no option %q", want)
}
