package identity

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/screen"
	"pgregory.net/rapid"
)

// surveyed is a page as data, so that it can be drawn again with something added. Every thing keeps its key.
type thing struct {
	key      string
	role     string
	name     string
	text     string
	tag      string
	id       string // %d stands for its place in its list
	test     string // likewise
	landmark bool
	rows     bool // its children are rows of a list
	children []*thing
}

// draw makes the tree of a page and says which node is which thing.
func draw(page []*thing) (*screen.Snapshot, map[string]*screen.Node) {
	keys := map[string]*screen.Node{}
	y := 0.0
	var make func(t *thing, at int) *screen.Node
	make = func(t *thing, at int) *screen.Node {
		w := &screen.Web{Tag: t.tag, HTMLID: numbered(t.id, at), TestID: numbered(t.test, at)}
		n := el(t.role, t.name, w)
		n.Text = t.text
		if t.role == "listitem" && t.text != "" {
			n.State |= screen.Clickable // by a handler
		}
		if t.landmark {
			n.State |= screen.Landmark
		}
		top := y
		for i, c := range t.children {
			place := at
			if t.rows {
				place = i
			}
			n.Children = append(n.Children, make(c, place))
		}
		if len(t.children) == 0 {
			y += 20
		}
		n.Bounds = box(float64(len(t.key)), top, 200, max(y-top, 10))
		keys[t.key] = n
		return n
	}
	var nodes []*screen.Node
	for _, t := range page {
		nodes = append(nodes, make(t, 0))
	}
	s := tree(nodes...)
	return s, keys
}

func numbered(format string, at int) string {
	if format == "" {
		return ""
	}
	return fmt.Sprintf(format, at)
}

// pages draws a page: forms, tables, lists with what applications put into them, and texts between them.
func pages(t *rapid.T) []*thing {
	serial := 0
	key := func() string { serial++; return fmt.Sprint("k", serial) }
	words := []string{"Laptop", "Mouse", "Desk", "Lamp", "Ada", "Ben", "Milk", "Buy bread", "Call Olwen", "Rent"}
	word := func() string { return fmt.Sprintf("%s %d", rapid.SampledFrom(words).Draw(t, "word"), serial) }
	maybe := func(s string) string {
		if rapid.Bool().Draw(t, "maybe") {
			return s
		}
		return ""
	}
	row := func(kind int, rowID, test string) *thing {
		switch kind {
		case 0: // a todo
			return &thing{key: key(), role: "listitem", tag: "li", id: rowID, children: []*thing{
				{key: key(), role: "checkbox", tag: "input"}, {key: key(), role: "generic", tag: "label", text: word()},
				{key: key(), role: "button", tag: "button", test: test}}}
		case 1: // a row of a table
			return &thing{key: key(), role: "row", tag: "tr", id: rowID, children: []*thing{
				{key: key(), role: "cell", name: word(), tag: "td"}, {key: key(), role: "cell", name: "Open", tag: "td"},
				{key: key(), role: "button", name: "Edit", tag: "button", id: maybe("row-b%d")}, {key: key(), role: "button", name: "Remove", tag: "button", test: test}}}
		case 2: // an item with a text of its own and a link
			return &thing{key: key(), role: "listitem", tag: "li", children: []*thing{
				{key: key(), role: "text", name: word(), tag: ""}, {key: key(), role: "link", name: "More", tag: "a"}}}
		case 3: // an option that is only a text
			return &thing{key: key(), role: "listitem", tag: "li", text: word(), id: "opt-%d"}
		}
		return &thing{key: key(), role: "treeitem", name: word(), tag: "li"}
	}
	list := func() *thing {
		kind := rapid.IntRange(0, 4).Draw(t, "kind")
		l := &thing{key: key(), role: []string{"list", "table", "list", "list", "tree"}[kind], tag: "ul", rows: true, name: maybe(word())}
		rowID, test := maybe("row-%d"), maybe("act-%d")
		for range rapid.IntRange(1, 6).Draw(t, "rows") {
			l.children = append(l.children, row(kind, rowID, test))
		}
		return l
	}
	form := func() *thing {
		return &thing{key: key(), role: "form", name: word(), tag: "form", landmark: true, children: []*thing{
			{key: key(), role: "textbox", name: "Name", tag: "input", id: maybe("name")}, {key: key(), role: "textbox", tag: "input", id: "mail"},
			{key: key(), role: "button", name: "Save", tag: "button"}}}
	}
	var page []*thing
	for range rapid.IntRange(1, 5).Draw(t, "parts") {
		switch rapid.IntRange(0, 3).Draw(t, "part") {
		case 0:
			page = append(page, form())
		case 1:
			page = append(page, &thing{key: key(), role: "paragraph", text: word(), tag: "p"}, &thing{key: key(), role: "heading", name: word(), tag: "h2"})
		default:
			page = append(page, list())
		}
	}
	return page
}

// grown are the harmless ways in which the page may have changed: something above everything, or one more row on top of
// each list.
func grown(page []*thing) map[string][]*thing {
	banner := append([]*thing{{key: "new-h", role: "heading", name: "Sale", tag: "h2"}, {key: "new-b", role: "button", name: "Dismiss", tag: "button"},
		{key: "new-l", role: "list", tag: "ul", children: []*thing{{key: "new-li", role: "listitem", tag: "li", text: "All half price"}}}}, page...)
	var deep func(all []*thing) []*thing
	serial := 0
	deep = func(all []*thing) []*thing {
		var out []*thing
		for _, t := range all {
			c := *t
			c.children = deep(t.children)
			if t.rows {
				serial++
				c.children = append([]*thing{another(t.children[0], serial)}, c.children...)
			}
			out = append(out, &c)
		}
		return out
	}
	return map[string][]*thing{"something above": banner, "a row on top": deep(page)}
}

// another is a row like t that says something else.
func another(t *thing, serial int) *thing {
	c := *t
	c.key = "new-" + c.key
	fresh := func(s string) string {
		if slices.Contains([]string{"", "Edit", "Remove", "More", "Open"}, s) {
			return s
		}
		return fmt.Sprint("Fresh ", serial, " ", s[:2])
	}
	c.name, c.text = fresh(c.name), fresh(c.text)
	c.children = nil
	for _, k := range t.children {
		c.children = append(c.children, another(k, serial))
	}
	return &c
}

// resolve finds as a replay does: the first match that the fingerprint takes for the recorded element, if its number
// is not all there is to tell it by.
func resolve(t *rapid.T, s *screen.Snapshot, sel screen.Selector, print Fingerprint) *screen.Node {
	found, err := s.Find(sel)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range found {
		if now := Of(s, n); print.Compare(now).Same && Verified(s, sel, len(found), print, n) {
			return n
		}
	}
	return nil
}

// TestSelectorsSurvive: on any page a made selector finds its element, is never a bare number, and after a harmless
// change finds it again in nearly all cases, and another element in none.
func TestSelectorsSurvive(t *testing.T) {
	all, kept := 0, 0
	lost := map[string]int{}
	var examples []string
	rapid.Check(t, func(t *rapid.T) {
		page := pages(t)
		before, keys := draw(page)
		for how, changed := range grown(page) {
			after, now := draw(changed)
			for key, n := range keys {
				sel, err := SelectorFor(before, n.ID)
				if err != nil {
					t.Fatalf("%s: %v", n.Descriptor(), err)
				}
				if !sel.HasBlock() {
					t.Fatalf("a bare number: %+v", sel)
				}
				if found, err := before.Find(sel); err != nil || len(found) != 1 || found[0] != n {
					t.Fatalf("finds %v (%v), want %s", found, err, n.Descriptor())
				}
				all++
				switch got := resolve(t, after, sel, Of(before, n)); got {
				case now[key]:
					kept++
				case nil:
					lost[how+" "+n.Role]++
					if lost[how+" "+n.Role] == 3 {
						data, _ := json.Marshal(sel)
						print, _ := json.Marshal(Of(before, n))
						then, _ := json.Marshal(Of(after, now[key]))
						examples = append(examples, fmt.Sprintf("%s: %s is lost: %s\n%s\n%s", how, n.Descriptor(), data, print, then))
					}
				default:
					data, _ := json.Marshal(sel)
					print, _ := json.Marshal(Of(before, n))
					t.Fatalf("%s: another element is taken for %s (%s):\n%s\n%s\n%+v", how, n.Descriptor(), key, data, print, Of(after, got))
				}
			}
		}
	})
	if kept*100 < all*97 {
		t.Errorf("%d of %d survive: %v\n%s", kept, all, lost, strings.Join(examples, "\n"))
	}
	t.Logf("%d of %d survive: %v", kept, all, lost)
}
