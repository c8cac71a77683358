package screen

import (
	"fmt"
	"strings"
)

// pageOf makes the tree of the benchmark page of about n elements, as the page script captures it: forms, tables, lists
// and articles below each other, 1280x800 in view. The same n gives the same tree.
func pageOf(n int) *Snapshot {
	m := &maker{seed: 0x9e3779b9 ^ uint32(n)}
	main := m.el("main", "", "main", Landmark)
	head := m.el("generic", "", "header", 0)
	h1 := m.el("heading", fmt.Sprintf("Bench page %d", n), "h1", 0)
	h1.Level, h1.Text = 1, h1.Name
	nav := m.el("navigation", "Main", "nav", Landmark)
	for _, l := range []string{"Home", "Orders", "Reports", "Help"} {
		nav.Children = append(nav.Children, m.link(l, "#"+strings.ToLower(l)))
	}
	head.Children = []*Node{h1, nav}
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
	s := &Snapshot{
		Seq: 1, Platform: "web", URL: "http://127.0.0.1:8080/p.html", Title: h1.Name, Width: 1280, Height: 800,
		Quality: Quality{Verdict: Complete},
		Root:    &Node{ID: 1, Role: "document", Name: h1.Name, Native: &Web{Tag: "html"}, Children: []*Node{main}},
	}
	m.place(main)
	s.Root.Bounds = Rect{W: 1280, H: m.y}
	s.Root.Scroll = &Overflow{Below: int(m.y) - 800}
	s.Index()
	return s
}

type maker struct {
	seed  uint32
	count int
	id    NodeID
	refs  int
	y     float64
}

var pageWords = strings.Fields("account order invoice shipping customer payment refund delivery address support status total " +
	"report monthly pending review approved archive settings profile team project budget forecast region north " +
	"south east west product catalog price discount quantity stock warehouse supplier contract renewal ticket " +
	"priority high low open closed assigned owner due date created updated by from to with for the and of in")

var people = []string{"Ada Moreno", "Ben Okafor", "Chloe Tan", "Dmitri Wolf", "Elena Rossi", "Farid Aziz", "Grace Lin", "Hugo Blanc"}

func (m *maker) int(k int) int {
	m.seed ^= m.seed << 13
	m.seed ^= m.seed >> 17
	m.seed ^= m.seed << 5
	return int(uint64(m.seed) * uint64(k) >> 32)
}

func (m *maker) text(k int) string {
	words := make([]string, k)
	for i := range words {
		words[i] = pageWords[m.int(len(pageWords))]
	}
	t := strings.Join(words, " ")
	return strings.ToUpper(t[:1]) + t[1:]
}

func (m *maker) el(role, name, tag string, st State, children ...*Node) *Node {
	m.count++
	m.id++
	n := &Node{ID: m.id + 1, Role: role, Name: name, State: st, Native: &Web{Tag: tag}, Children: children}
	if st&(Clickable|Focusable|Editable) != 0 || role == "option" {
		m.refs++
		n.Ref = fmt.Sprintf("e%d", m.refs)
	}
	return n
}

func (m *maker) leaf(role, tag, text string) *Node {
	n := m.el(role, "", tag, 0)
	n.Text = text
	return n
}

func (m *maker) link(name, href string) *Node {
	n := m.el("link", name, "a", Clickable|Focusable)
	n.Text = name
	n.Native = &Web{Tag: "a", Href: href}
	return n
}

func (m *maker) button(name string) *Node {
	n := m.el("button", name, "button", Clickable|Focusable)
	n.Text = name
	return n
}

func (m *maker) input(role, name, id, inputType string, st State) *Node {
	n := m.el(role, name, "input", st|Clickable|Focusable)
	n.Native = &Web{Tag: "input", HTMLID: id, CSS: "#" + id, InputType: inputType}
	return n
}

func (m *maker) form(i int) *Node {
	id := fmt.Sprintf("f%d", i)
	h := m.el("heading", fmt.Sprintf("Request form %d: %s", i, m.text(3)), "h3", 0)
	h.Level, h.Text = 3, h.Name
	m.count += 4 // the rows
	name := m.input("textbox", fmt.Sprintf("Full name %d", i), id+"n", "text", Editable)
	name.Value = people[m.int(8)]
	mail := m.input("textbox", fmt.Sprintf("Email %d", i), id+"e", "email", Editable)
	mail.Native.(*Web).Placeholder = "name@example.test"
	region := m.el("combobox", fmt.Sprintf("Region %d", i), "select", Clickable|Focusable|HasPopup)
	region.Value, region.Native = "North", &Web{Tag: "select", HTMLID: id + "r", CSS: "#" + id + "r", Options: []string{"North", "South", "East", "West"}}
	for k, o := range []string{"North", "South", "East", "West"} {
		c := m.el("option", o, "option", 0)
		c.Text = o
		c.Visibility = Hidden
		if k == 0 {
			c.State |= Selected
		}
		region.Children = append(region.Children, c)
	}
	box := m.input("checkbox", fmt.Sprintf("Subscribe to updates %d", i), id+"c", "checkbox", Checkable)
	if m.int(2) == 0 {
		box.State |= Checked
	}
	label := func(of *Node) *Node { return m.leaf("generic", "label", of.Name) }
	return m.el("form", fmt.Sprintf("Request %d", i), "form", Landmark,
		h, label(name), name, label(mail), mail, label(region), region, box, label(box), m.button(fmt.Sprintf("Save request %d", i)))
}

func (m *maker) table(i, rows int) *Node {
	caption := m.leaf("caption", "caption", fmt.Sprintf("Orders %d", i))
	head := m.el("row", "", "tr", 0)
	for _, h := range []string{"Order", "Customer", "Amount", "Status"} {
		c := m.el("columnheader", h, "th", 0)
		c.Text = h
		head.Children = append(head.Children, c)
	}
	body := m.el("rowgroup", "", "tbody", 0)
	cell := func(name string, child *Node) *Node {
		c := m.el("cell", name, "td", 0)
		if child == nil {
			c.Text = name
		} else {
			c.Children = []*Node{child}
		}
		return c
	}
	for r := range rows {
		order, status := fmt.Sprintf("#%d%03d", i, r), []string{"Open", "Paid", "Shipped", "Refunded"}[m.int(4)]
		cents := m.int(90000)
		body.Children = append(body.Children, m.el("row", "", "tr", 0,
			cell(order, m.link(order, fmt.Sprintf("#order-%d-%d", i, r))), cell(people[m.int(8)], nil), cell(fmt.Sprintf("%d.%02d", cents/100, cents%100), nil),
			cell(status, m.leaf("generic", "span", status))))
	}
	return m.el("table", caption.Text, "table", 0, caption, m.el("rowgroup", "", "thead", 0, head), body)
}

func (m *maker) list(i, items int) []*Node {
	h := m.el("heading", m.text(4), "h2", 0)
	h.Level, h.Text = 2, h.Name
	list := m.el("list", "", "ul", 0)
	for k := range items {
		list.Children = append(list.Children, m.el("listitem", "", "li", 0,
			m.link(fmt.Sprintf("%s %d.%d", m.text(3), i, k), fmt.Sprintf("#item-%d-%d", i, k)), m.leaf("paragraph", "p", m.text(10+m.int(8)))))
	}
	m.count++
	return []*Node{h, list} // an unnamed section means nothing: hoisted
}

func (m *maker) article(i int) *Node {
	h := m.el("heading", fmt.Sprintf("%s %d", m.text(5), i), "h2", 0)
	h.Level, h.Text = 2, h.Name
	run := func(s string) *Node {
		m.id++
		return &Node{ID: m.id + 1, Role: "text", Name: s, Native: &Web{}}
	}
	second := m.el("paragraph", "", "p", 0, run(m.text(18)+","), m.leaf("strong", "strong", m.text(2)), run(strings.ToLower(m.text(6))+"."))
	return m.el("article", "", "article", 0, h, m.leaf("paragraph", "p", m.text(24)+"."), second,
		m.el("group", "Actions", "div", 0, m.button(fmt.Sprintf("Reply %d", i)), m.button(fmt.Sprintf("Share %d", i))))
}

// place lays the leaves out below each other, cells of a row and controls beside their label on one line.
func (m *maker) place(n *Node) {
	top := m.y
	x := 16.0
	for _, c := range n.Children {
		if n.Role == "row" {
			was := m.y
			m.place(c)
			c.Bounds.X = x
			m.y = was
			x += 150
			continue
		}
		m.place(c)
	}
	if len(n.Children) == 0 || n.Role == "row" || n.Role == "combobox" {
		m.y = top + 24
	}
	n.Bounds = Rect{X: 16, Y: top, W: 900, H: m.y - top}
	if n.Visibility == Visible && top >= 800 {
		n.Visibility = Offscreen
	}
	if n.Visibility == Hidden {
		n.Bounds, m.y = Rect{}, top
	}
}
