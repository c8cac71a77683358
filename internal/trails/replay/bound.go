package replay

import (
	"encoding/json"
	"sync"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/permit"
	"github.com/trailblaze-dev/trailblaze/internal/trails/heal"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// bounded is the permit of an agent that does what is left of a recorded step: each of its acts is held against what is
// known of the recorded elements before anything is sent.
type bounded struct {
	mu   sync.Mutex
	redo heal.Redo
}

var _ permit.Permit = (*bounded)(nil)

// bound is the permit for what the calls of a step from one on left to do.
func (g *playing) bound(r trail.ResolvedStep, at int) *bounded {
	b := &bounded{}
	for _, c := range r.Calls[at:] {
		if t, ok := g.target(r, c); ok && g.spec(c).Kind == tool.Action {
			b.redo.Wants = append(b.redo.Wants, heal.Want{Target: t, Texts: g.texts(c), Checked: g.checked(c)})
		}
	}
	return b
}

// checked is the state that a call brings a box to, nil for a call that is for no box.
func (g *playing) checked(c trail.Recorded) *bool {
	if g.spec(c).Occasion != tool.AtBox {
		return nil
	}
	in := struct{ Checked bool }{true}
	if json.Unmarshal(c.Args, &in) != nil {
		return nil
	}
	return &in.Checked
}

// texts are what a call types or chooses, with its tokens expanded.
func (g *playing) texts(c trail.Recorded) (out []string) {
	args := c.Args
	if full, _, err := g.session.Memory.Expand(args); err == nil {
		args = full
	}
	var all map[string]any
	if json.Unmarshal(args, &all) != nil {
		return nil
	}
	for name, v := range all {
		list, many := v.([]any)
		if !many {
			list = []any{v}
		}
		for _, one := range list {
			if text, ok := one.(string); ok && name != "ref" {
				out = append(out, text)
			}
		}
	}
	return out
}

func (b *bounded) missing() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.redo.Missing()
}

// Call implements permit.Permit: what reaches beyond the page stands for no recorded act on an element of it.
func (b *bounded) Call(s *tool.Spec, args tool.Args) error {
	e := s.Effects
	switch {
	case s.Origin != "":
		return refused("it is a tool of the project")
	case e == nil:
		return nil // a built-in tool, whose acts are judged by their element
	}
	opens, reads, writes := e.Touched(args)
	own := e.RunsCode || e.Script || e.Process || e.Server || e.External
	if own || len(e.Fetches)+len(opens)+len(reads)+len(writes) > 0 {
		return refused("it reaches beyond the page")
	}
	return nil
}

// Act implements permit.Permit.
func (b *bounded) Act(on *screen.Snapshot, n *screen.Node, a driver.Action) error {
	d := heal.Deed{On: on, Node: n}
	switch a := a.(type) {
	case driver.Hover, driver.Scroll, driver.ScrollIntoView, driver.Swipe, driver.Pinch:
		return nil
	case driver.PressKey:
		if a.Key == "Escape" || a.Key == "Tab" || a.Key == "Shift+Tab" {
			return nil
		}
	case driver.TypeText:
		d.Text, d.Writes = a.Text, true
	case driver.SelectOption:
		d.Writes = true
		if len(a.Options) == 1 {
			d.Text = a.Options[0]
		}
	case driver.SetChecked:
		d.Checked = &a.Checked
	case driver.Drag:
		d.Node = nil // where it ends is not known here
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if why := b.redo.Allows(d); why != "" {
		return refused(why)
	}
	return nil
}

func refused(why string) error {
	return fault.New(fault.Denied, "repeat step", "%s", why).
		WithHint("Only what stands for the recorded call may be done, and what leads to its element: open what hides " +
			"it, or dismiss what covers it. When the element is gone, the step has failed.")
}
