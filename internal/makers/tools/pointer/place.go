package pointer

import (
	"context"
	"embed"
	"fmt"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/descriptions"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// The places at which something is dropped.
const before, after, into = "before", "after", "into"

//go:embed *.md
var texts embed.FS

var set = descriptions.Set{Files: texts, Kind: tool.Action, Category: "CORE_INTERACTION", WebGroup: "web_core"}

var shared, web, legacy = set.Any, set.Web, set.Legacy

// series are the items of the list, or of whatever holds both, that an element is dragged in.
type series struct {
	items    []*screen.Node
	from, to int // places of the dragged item, -1 when it comes from elsewhere, and of the item it is dropped at
}

// seriesOf finds the items by the closest element that holds both, or by the neighbours of the target.
func seriesOf(from, to *screen.Node) series {
	holds := func(p, n *screen.Node) bool {
		for ; n != nil; n = n.Parent {
			if n == p {
				return true
			}
		}
		return false
	}
	item := to
	for item.Parent != nil && item.Parent.Parent != nil && item.Parent.Role == to.Role {
		item = item.Parent
	}
	for p := to; p.Parent != nil; p = p.Parent {
		if holds(p.Parent, from) {
			item = p
			break
		}
	}
	s := series{from: -1}
	if item.Parent == nil {
		return series{items: []*screen.Node{item}, from: -1}
	}
	for _, n := range item.Parent.Children {
		if n.Role != item.Role {
			continue
		}
		if n == item {
			s.to = len(s.items)
		}
		if holds(n, from) {
			s.from = len(s.items)
		}
		s.items = append(s.items, n)
	}
	return s
}

// target returns where to drop so that the item comes to lie before or after the one that holds to. A page that sorts
// meanwhile moves the items under the pointer out of its way, and one that sorts on the drop goes by the half of an
// item: both understand the half that the dragged one comes to first when it passes no further than it should.
func (s series) target(place string, to *screen.Node) driver.Target {
	at, late := s.to, place == after
	switch {
	case place != before && place != after:
		return driver.Target{Node: to.ID}
	case s.from >= 0 && s.from < s.to && !late:
		at, late = s.to-1, true
	case s.from > s.to && late:
		at, late = s.to+1, false
	}
	n, share := s.items[at], 0.25
	if late {
		share = 0.75
	}
	p := screen.Point{X: n.Bounds.W / 2, Y: n.Bounds.H * share}
	if s.across() {
		p = screen.Point{X: n.Bounds.W * share, Y: n.Bounds.H / 2}
	}
	return driver.Target{Node: n.ID, Point: &p}
}

// across reports whether the items lie beside each other and not below each other.
func (s series) across() bool {
	if len(s.items) < 2 {
		return false
	}
	a, b := s.items[0].Bounds, s.items[1].Bounds
	return b.X >= a.X+a.W && b.Y < a.Y+a.H
}

// names returns the names of the items.
func names(items []*screen.Node) []string {
	var out []string
	for _, n := range items {
		name := strings.Join(strings.Fields(n.Name), " ")
		if name == "" {
			name = strings.Join(strings.Fields(n.FullText()), " ")
		}
		out = append(out, name)
	}
	return out
}

// tell adds the new order to a result.
func (s series) tell(
	ctx context.Context, dev driver.Device, dragged *screen.Node, place string, r *tool.Result,
) error {
	order, err := s.order(ctx, dev, dragged, place)
	if err == nil && len(order) > 0 {
		said := "The order is now " + strings.Join(quoted(order), ", ") + "."
		r.Content = append(r.Content, tool.Content{Type: "text", Text: said})
	}
	return err
}

// order returns the names of the items after the drop, and whether the dragged one lies where it should. It reads the
// list that now holds the target, for a page may write its lists anew.
func (s series) order(ctx context.Context, dev driver.Device, dragged *screen.Node, place string) ([]string, error) {
	snap, err := dev.Snapshot(ctx, driver.SnapshotOptions{})
	if err != nil {
		return nil, fault.Wrap(err, "", "look where the element came to lie")
	}
	was := s.items[s.to]
	list := snap.Node(was.Parent.ID)
	if list == nil {
		return nil, nil
	}
	var items []*screen.Node
	for _, n := range list.Children {
		if n.Role == was.Role {
			items = append(items, n)
		}
	}
	now := names(items)
	if place != before && place != after {
		return now, nil
	}
	mine, other := names([]*screen.Node{dragged})[0], names([]*screen.Node{was})[0]
	if s.from >= 0 {
		mine = names(s.items[s.from : s.from+1])[0]
	}
	for i, name := range now {
		next := i + 1
		if place == after {
			next = i - 1
		}
		if name == mine && next >= 0 && next < len(now) && now[next] == other {
			return now, nil
		}
	}
	return now, fault.New(fault.NotActed, "drag element", "%q did not come to lie %s %q: the order is %s",
		mine, place, other, strings.Join(quoted(now), ", ")).
		WithHint("Drag it in several steps, past one element at a time, or see whether the page lets it lie there.")
}

func quoted(list []string) []string {
	const most = 20
	var out []string
	for _, s := range list[:min(len(list), most)] {
		out = append(out, `"`+s+`"`)
	}
	if len(list) > most {
		out = append(out, "…")
	}
	return slices.Clip(out)
}

// clicking returns the sentence about a press.
func clicking(p tool.Phrase) string {
	verb := "Click"
	switch {
	case p.Plain("count") == "2":
		verb = "Double-click"
	case p.Plain("count") == "3":
		verb = "Triple-click"
	case strings.EqualFold(p.Text("button"), string(driver.Right)):
		verb = "Right-click"
	case strings.EqualFold(p.Text("button"), string(driver.Middle)):
		verb = "Middle-click"
	}
	said := p.On(verb, p.Quoted("text"), p.Quoted("accessibilityText"))
	if held, ok := p.Args["modifiers"].([]any); ok && said != "" {
		var keys []string
		for _, key := range held {
			keys = append(keys, fmt.Sprint(key))
		}
		said += " with " + strings.Join(keys, "+") + " held"
	}
	return said
}

func holding(p tool.Phrase) string { return p.On("Press and hold", p.Quoted("text")) }
