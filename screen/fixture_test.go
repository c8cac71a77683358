package screen

import "fmt"

// tree builds a snapshot from nested nodes; ids are given in reading order, refs to everything with a role that acts.
func tree(children ...*Node) *Snapshot {
	s := &Snapshot{Platform: "web", Width: 1280, Height: 800, Quality: Quality{Verdict: Complete},
		Root: &Node{Role: "document", Native: &Web{Tag: "html"}, Children: children}}
	id, ref := NodeID(0), 0
	for _, n := range preorder(s.Root) {
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

// el makes a web element; parts are a box, states, a native part, or children.
func el(role, name string, parts ...any) *Node {
	n := &Node{Role: role, Name: name, Native: &Web{Tag: "div"}}
	for _, p := range parts {
		switch p := p.(type) {
		case Rect:
			n.Bounds = p
		case State:
			n.State |= p
		case Visibility:
			n.Visibility = p
		case Native:
			n.Native = p
		case *Node:
			n.Children = append(n.Children, p)
		}
	}
	return n
}

func text(s string, box Rect) *Node {
	return &Node{Role: "paragraph", Text: s, Bounds: box, Native: &Web{Tag: "p"}}
}

func box(x, y, w, h float64) Rect { return Rect{X: x, Y: y, W: w, H: h} }

// list is a page on which only the surroundings tell buttons apart.
func list(items ...string) *Snapshot {
	var rows []*Node
	for i, item := range items {
		y := float64(100 * i)
		rows = append(rows, el("listitem", "", box(0, y, 400, 90), text(item, box(0, y, 200, 20)), el("button", "Delete", box(300, y, 60, 20))))
	}
	return tree(el("main", "", Landmark, el("list", "Orders", anyNodes(rows)...)))
}

func anyNodes(nodes []*Node) []any {
	var out []any
	for _, n := range nodes {
		out = append(out, n)
	}
	return out
}
