package screentest

import (
	"fmt"
	"strings"

	"github.com/trailblaze-dev/trailblaze/screen"
)

type maker struct {
	seed  uint32
	count int
	id    screen.NodeID
	refs  int
	y     float64
}

var pageWords = strings.Fields(
	"account order invoice shipping customer payment refund delivery address support status total " +
		"report monthly pending review approved archive settings profile team project budget forecast region north " +
		"south east west product catalog price discount quantity stock warehouse supplier contract renewal ticket " +
		"priority high low open closed assigned owner due date created updated by from to with for the and of in",
)

var people = []string{
	"Ada Moreno",
	"Ben Okafor",
	"Chloe Tan",
	"Dmitri Wolf",
	"Elena Rossi",
	"Farid Aziz",
	"Grace Lin",
	"Hugo Blanc",
}

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

func (m *maker) el(role, name, tag string, st screen.State, children ...*screen.Node) *screen.Node {
	m.count++
	m.id++
	n := &screen.Node{ID: m.id + 1, Role: role, Name: name, State: st, Native: &screen.Web{Tag: tag}, Children: children}
	if st&(screen.Clickable|screen.Focusable|screen.Editable) != 0 || role == "option" {
		m.refs++
		n.Ref = fmt.Sprintf("e%d", m.refs)
	}
	return n
}

func (m *maker) leaf(role, tag, text string) *screen.Node {
	n := m.el(role, "", tag, 0)
	n.Text = text
	return n
}

func (m *maker) link(name, href string) *screen.Node {
	n := m.el("link", name, "a", screen.Clickable|screen.Focusable)
	n.Text = name
	n.Native = &screen.Web{Tag: "a", Href: href}
	return n
}

func (m *maker) button(name string) *screen.Node {
	n := m.el("button", name, "button", screen.Clickable|screen.Focusable)
	n.Text = name
	return n
}

func (m *maker) input(role, name, id, inputType string, st screen.State) *screen.Node {
	n := m.el(role, name, "input", st|screen.Clickable|screen.Focusable)
	n.Native = &screen.Web{Tag: "input", HTMLID: id, CSS: "#" + id, InputType: inputType}
	return n
}

func (m *maker) form(i int) *screen.Node {
	id := fmt.Sprintf("f%d", i)
	h := m.el("heading", fmt.Sprintf("Request form %d: %s", i, m.text(3)), "h3", 0)
	h.Level, h.Text = 3, h.Name
	m.count += 4 // the rows
	name := m.input("textbox", fmt.Sprintf("Full name %d", i), id+"n", "text", screen.Editable)
	name.Value = people[m.int(8)]
	mail := m.input("textbox", fmt.Sprintf("Email %d", i), id+"e", "email", screen.Editable)
	mail.Native.(*screen.Web).Placeholder = "name@example.test"
	region := m.el("combobox", fmt.Sprintf("Region %d", i), "select", screen.Clickable|screen.Focusable|screen.HasPopup)
	region.Value, region.Native = "North", &screen.Web{
		Tag:     "select",
		HTMLID:  id + "r",
		CSS:     "#" + id + "r",
		Options: []string{"North", "South", "East", "West"},
	}
	for k, o := range []string{"North", "South", "East", "West"} {
		c := m.el("option", o, "option", 0)
		c.Text = o
		c.Visibility = screen.Hidden
		if k == 0 {
			c.State |= screen.Selected
		}
		region.Children = append(region.Children, c)
	}
	box := m.input("checkbox", fmt.Sprintf("Subscribe to updates %d", i), id+"c", "checkbox", screen.Checkable)
	if m.int(2) == 0 {
		box.State |= screen.Checked
	}
	label := func(of *screen.Node) *screen.Node { return m.leaf("generic", "label", of.Name) }
	return m.el(
		"form",
		fmt.Sprintf("Request %d", i),
		"form",
		screen.Landmark,
		h,
		label(name),
		name,
		label(mail),
		mail,
		label(region),
		region,
		box,
		label(box),
		m.button(fmt.Sprintf("Save request %d", i)),
	)
}

func (m *maker) table(i, rows int) *screen.Node {
	caption := m.leaf("caption", "caption", fmt.Sprintf("Orders %d", i))
	head := m.el("row", "", "tr", 0)
	for _, h := range []string{"Order", "Customer", "Amount", "Status"} {
		c := m.el("columnheader", h, "th", 0)
		c.Text = h
		head.Children = append(head.Children, c)
	}
	body := m.el("rowgroup", "", "tbody", 0)
	cell := func(name string, child *screen.Node) *screen.Node {
		c := m.el("cell", name, "td", 0)
		if child == nil {
			c.Text = name
		} else {
			c.Children = []*screen.Node{child}
		}
		return c
	}
	for r := range rows {
		order, status := fmt.Sprintf("#%d%03d", i, r), []string{"Open", "Paid", "Shipped", "Refunded"}[m.int(4)]
		cents := m.int(90000)
		body.Children = append(body.Children, m.el(
			"row",
			"",
			"tr",
			0,
			cell(
				order,
				m.link(order, fmt.Sprintf("#order-%d-%d", i, r)),
			),
			cell(people[m.int(8)], nil),
			cell(fmt.Sprintf("%d.%02d", cents/100, cents%100), nil),
			cell(status, m.leaf("generic", "span", status)),
		))
	}
	return m.el("table", caption.Text, "table", 0, caption, m.el("rowgroup", "", "thead", 0, head), body)
}

func (m *maker) list(i, items int) []*screen.Node {
	h := m.el("heading", m.text(4), "h2", 0)
	h.Level, h.Text = 2, h.Name
	list := m.el("list", "", "ul", 0)
	for k := range items {
		list.Children = append(list.Children, m.el(
			"listitem",
			"",
			"li",
			0,
			m.link(
				fmt.Sprintf("%s %d.%d", m.text(3), i, k),
				fmt.Sprintf("#item-%d-%d", i, k),
			),
			m.leaf("paragraph", "p", m.text(10+m.int(8))),
		))
	}
	m.count++
	return []*screen.Node{h, list} // an unnamed section means nothing: hoisted
}

func (m *maker) article(i int) *screen.Node {
	h := m.el("heading", fmt.Sprintf("%s %d", m.text(5), i), "h2", 0)
	h.Level, h.Text = 2, h.Name
	run := func(s string) *screen.Node {
		m.id++
		return &screen.Node{ID: m.id + 1, Role: "text", Name: s, Native: &screen.Web{}}
	}
	second := m.el(
		"paragraph",
		"",
		"p",
		0,
		run(m.text(18)+","),
		m.leaf("strong", "strong", m.text(2)),
		run(strings.ToLower(m.text(6))+"."),
	)
	return m.el("article", "", "article", 0, h, m.leaf("paragraph", "p", m.text(24)+"."), second,
		m.el("group", "Actions", "div", 0, m.button(fmt.Sprintf("Reply %d", i)), m.button(fmt.Sprintf("Share %d", i))))
}

// place lays the leaves out below each other, cells of a row and controls beside their label on one line.
func (m *maker) place(n *screen.Node) {
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
	n.Bounds = screen.Rect{X: 16, Y: top, W: 900, H: m.y - top}
	if n.Visibility == screen.Visible && top >= 800 {
		n.Visibility = screen.Offscreen
	}
	if n.Visibility == screen.Hidden {
		n.Bounds, m.y = screen.Rect{}, top
	}
}
