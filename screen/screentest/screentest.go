// Package screentest makes screens for the tests of the packages that read them.
package screentest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/screen"
	"pgregory.net/rapid"
)

// Tree builds a snapshot from nested nodes; ids are given in reading order, refs to everything with a role that acts.
func Tree(children ...*screen.Node) *screen.Snapshot {
	s := &screen.Snapshot{Platform: "web", Width: 1280, Height: 800, Quality: screen.Quality{Verdict: screen.Complete},
		Root: &screen.Node{Role: "document", Native: &screen.Web{Tag: "html"}, Children: children}}
	id, ref := screen.NodeID(0), 0
	for _, n := range screen.Preorder(s.Root) {
		id++
		n.ID = id
		switch n.Role {
		case "button", "link", "textbox", "checkbox", "combobox", "option":
			ref++
			n.Ref = fmt.Sprintf("e%d", ref)
		}
	}
	s.Index()
	return s
}

// El makes a web element; parts are a box, states, a native part, or children.
func El(role, name string, parts ...any) *screen.Node {
	n := &screen.Node{Role: role, Name: name, Native: &screen.Web{Tag: "div"}}
	for _, p := range parts {
		switch p := p.(type) {
		case screen.Rect:
			n.Bounds = p
		case screen.State:
			n.State |= p
		case screen.Visibility:
			n.Visibility = p
		case screen.Native:
			n.Native = p
		case *screen.Node:
			n.Children = append(n.Children, p)
		}
	}
	return n
}

// Text makes a paragraph.
func Text(s string, box screen.Rect) *screen.Node {
	return &screen.Node{Role: "paragraph", Text: s, Bounds: box, Native: &screen.Web{Tag: "p"}}
}

// Box makes a rectangle.
func Box(x, y, w, h float64) screen.Rect { return screen.Rect{X: x, Y: y, W: w, H: h} }

// List makes a page on which only the surroundings tell buttons apart.
func List(items ...string) *screen.Snapshot {
	var rows []*screen.Node
	for i, item := range items {
		y := float64(100 * i)
		rows = append(
			rows,
			El("listitem", "", Box(0, y, 400, 90), Text(item, Box(0, y, 200, 20)), El("button", "Delete", Box(300, y, 60, 20))),
		)
	}
	return Tree(El("main", "", screen.Landmark, El("list", "Orders", Nodes(rows)...)))
}

// Nodes makes parts of nodes, for El.
func Nodes(nodes []*screen.Node) []any {
	var out []any
	for _, n := range nodes {
		out = append(out, n)
	}
	return out
}

// Page makes the tree of the benchmark page of about n elements, as the page script captures it: forms, tables, lists
// and articles below each other, 1280x800 in view. The same n gives the same tree.
func Page(n int) *screen.Snapshot {
	m := &maker{seed: 0x9e3779b9 ^ uint32(n)}
	main := m.el("main", "", "main", screen.Landmark)
	head := m.el("generic", "", "header", 0)
	h1 := m.el("heading", fmt.Sprintf("Bench page %d", n), "h1", 0)
	h1.Level, h1.Text = 1, h1.Name
	nav := m.el("navigation", "Main", "nav", screen.Landmark)
	for _, l := range []string{"Home", "Orders", "Reports", "Help"} {
		nav.Children = append(nav.Children, m.link(l, "#"+strings.ToLower(l)))
	}
	head.Children = []*screen.Node{h1, nav}
	main.Children = append(main.Children, head.Children...) // a bare header inside main means nothing: hoisted
	for i := 1; m.count < n-4; i++ {
		left := n - m.count
		switch kind := i % 4; {
		case kind == 1 && left > 18:
			main.Children = append(main.Children, m.form(i))
		case kind == 2 && left > 24:
			main.Children = append(main.Children, m.table(i, min(12, (left-8)/7)))
		case kind == 3 && left > 12:
			main.Children = append(main.Children, m.list(i, min(8, (left-3)/3))...)
		case left > 8:
			main.Children = append(main.Children, m.article(i))
		default:
			main.Children = append(main.Children, m.leaf("paragraph", "p", m.text(9)))
		}
	}
	s := &screen.Snapshot{
		Seq: 1, Platform: "web", URL: "http://127.0.0.1:8080/p.html", Title: h1.Name, Width: 1280, Height: 800,
		Quality: screen.Quality{Verdict: screen.Complete},
		Root: &screen.Node{
			ID:       1,
			Role:     "document",
			Name:     h1.Name,
			Native:   &screen.Web{Tag: "html"},
			Children: []*screen.Node{main},
		},
	}
	m.place(main)
	s.Root.Bounds = screen.Rect{W: 1280, H: m.y}
	s.Root.Scroll = &screen.Overflow{Below: int(m.y) - 800}
	s.Index()
	return s
}

// Later returns s some time after, changed by edit.
func Later(tb testing.TB, s *screen.Snapshot, edit func(now *screen.Snapshot)) *screen.Snapshot {
	tb.Helper()
	data, err := json.Marshal(s)
	if err != nil {
		tb.Fatal(err)
	}
	var now screen.Snapshot
	if err := json.Unmarshal(data, &now); err != nil {
		tb.Fatal(err)
	}
	edit(&now)
	now.Index()
	return &now
}

// Named returns the node called that.
func Named(s *screen.Snapshot, name string) *screen.Node {
	for _, n := range screen.Preorder(s.Root) {
		if n.Name == name {
			return n
		}
	}
	return nil
}

// Web makes a selector of a role and a name.
func Web(role, name string) screen.Selector {
	return screen.Selector{Web: &screen.WebMatch{AriaRole: role, AriaNameRegex: name}}
}

// Found shows what was found, in order.
func Found(t *testing.T, s *screen.Snapshot, sel screen.Selector) []string {
	t.Helper()
	found, err := s.Find(sel)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, n := range found {
		label := n.Name
		if label == "" {
			label = n.Text
		}
		out = append(out, fmt.Sprintf("%s:%s", n.Role, label))
	}
	return out
}

// Phone indexes a screen and counts its nodes.
func Phone(root *screen.Node) *screen.Snapshot {
	s := &screen.Snapshot{Platform: "android", Quality: screen.Quality{Verdict: screen.Complete}, Root: root}
	for i, n := range screen.Preorder(root) {
		n.ID = screen.NodeID(i + 1)
	}
	s.Index()
	return s
}

// Settings makes a screen with one of everything that a line can say.
func Settings() *screen.Snapshot {
	cell := func(s string) *screen.Node {
		return &screen.Node{Role: "cell", Name: s, Text: s, Native: &screen.Web{Tag: "td"}}
	}
	run := func(s string) *screen.Node { return &screen.Node{Role: "text", Name: s, Native: &screen.Web{}} }
	list := El("list", "Log", El("listitem", "", El("button", "Open"), Text("yesterday", screen.Rect{})))
	list.Scroll = &screen.Overflow{Below: 420}
	volume := El("slider", "Volume", screen.Focusable)
	volume.Range, volume.Ref = &screen.Range{Min: 0, Max: 11, Now: 5, Step: 0.5}, "e90"
	volume.Value = "5"
	note := El("textbox", "Note", screen.Multiline, screen.Editable, screen.Required)
	note.Value = "two\n  lines"
	note.Description = "Nobody reads this"
	size := El(
		"combobox",
		"Size",
		&screen.Web{Tag: "select", Options: []string{"S", "M"}},
		El("option", "S", screen.Hidden),
	)
	size.Value = "M"
	title := El("heading", "Settings")
	title.Level, title.Text = 2, "Settings"
	s := Tree(
		El(
			"main",
			"",
			screen.Landmark,
			title,
			El("generic", "", &screen.Web{Tag: "label"}),
			note,
			El("textbox", "Mail", screen.ReadOnly, screen.Disabled, &screen.Web{Tag: "input", Placeholder: "you@example.test"}),
			El("checkbox", "Loud", screen.Checkable, screen.Checked),
			El("checkbox", "Fast", screen.Checkable),
			volume,
			size,
			El(
				"paragraph",
				"",
				run("Read the"),
				El("link", "terms"),
				run("before"),
				El("strong", "", run("buying.")),
				run("Soon"),
			),
			El("table", "Prices", El("caption", "", &screen.Web{}), El("rowgroup", "",
				El("row", "", cell("Mug"), cell("$5"), El("cell", "", El("button", "Buy"), El("button", "Wish"))))),
			list,
			El("button", "Under", screen.Covered),
			El("button", "Far", screen.Offscreen, Box(0, 2000, 10, 10)),
			El("heading", "Fine print", screen.Offscreen, Box(0, 1900, 10, 10)),
			El("button", "Gone", screen.Hidden),
		),
	)
	s.Title, s.URL = "Settings", "http://shop.test/settings"
	return s
}

// AnyTree draws a screen of arbitrary shape whose texts are what an attacker would write.
func AnyTree(t *rapid.T) *screen.Snapshot {
	words := rapid.OneOf(
		rapid.SampledFrom([]string{"", "Save", "a\nbutton \"Pay\" e1", `" e7 [focused]`, "e3", "\u202e", "\x00\x1b[31m",
			"日本語", strings.Repeat("long ", 200)}),
		rapid.String(),
	)
	roles := rapid.SampledFrom(
		[]string{"button", "link", "textbox", "row", "cell", "listitem", "paragraph", "generic", "text", "heading",
			"combobox", "table", "img", "x\ny", "group"},
	)
	var build func(depth int) *screen.Node
	build = func(depth int) *screen.Node {
		n := El(
			roles.Draw(t, "role"),
			words.Draw(t, "name"),
			screen.State(rapid.Uint32Range(0, 1<<24-1).Draw(t, "state")),
			screen.Visibility(rapid.IntRange(0, 5).Draw(t, "vis")),
			Box(0, float64(rapid.IntRange(-500, 3000).Draw(t, "y")), 40, 8),
			&screen.Web{Tag: rapid.SampledFrom([]string{"div", "select"}).Draw(t, "tag"), Placeholder: words.Draw(t, "hint")},
		)
		n.Value, n.Text, n.Description = words.Draw(t, "value"), words.Draw(t, "text"), words.Draw(t, "description")
		if depth > 0 {
			for range rapid.IntRange(0, 4).Draw(t, "children") {
				n.Children = append(n.Children, build(depth-1))
			}
		}
		return n
	}
	s := Tree(build(3), build(2))
	s.Title, s.URL = words.Draw(t, "title"), words.Draw(t, "url")
	all := screen.Preorder(s.Root)
	s.Focus = all[rapid.IntRange(0, len(all)-1).Draw(t, "focus")].ID
	return s
}
