package page

import (
	"fmt"
	"strings"

	"github.com/trailblaze-dev/trailblaze/screen"
)

// entry is one mirrored node.
type entry struct {
	node screen.Node // Children and Parent unused
	kids []*entry
	web  screen.Web
	cut  bool // a text of it was too long to be sent whole
}

// place reads the geometry fields.
func (e *entry) place(f *fields) {
	e.node.Bounds = f.rect()
	e.node.Visibility = screen.Visibility(f.int())
	e.node.Scroll = nil
	if s := f.next(); s != "" {
		g := fields{rest: strings.ReplaceAll(s, ",", "\t")}
		e.node.Scroll = &screen.Overflow{Above: int(g.float()), Below: int(g.float()), Left: int(g.float()),
			Right: int(g.float())}
	}
}

// facts reads everything else; the letters are those of src/facts.ts.
func (e *entry) facts(f *fields) error {
	n := &e.node
	*n = screen.Node{ID: n.ID, Bounds: n.Bounds, Visibility: n.Visibility, Scroll: n.Scroll}
	e.web, e.cut = screen.Web{}, false
	n.Role, n.State = intern(f.next()), screen.State(f.int())
	for !f.done {
		s := f.next()
		if s == "" {
			continue
		}
		if !setNode(n, s[0], s[1:]) && !e.setWeb(s[0], s[1:]) {
			return fmt.Errorf("unknown field %q", s[0])
		}
	}
	return f.err
}

// setNode sets the field of the node that a letter stands for; false when it is none of the node's.
func setNode(n *screen.Node, letter byte, v string) bool {
	switch letter {
	case 'n':
		n.Name = unescape(v)
	case 't':
		n.Text = unescape(v)
	case 'T':
		n.Text = n.Name
	case 'v':
		n.Value = unescape(v)
	case 'V':
		n.Value = n.Name
	case 'd':
		n.Description = unescape(v)
	case 'l':
		n.Level = int((&fields{rest: v}).int())
	case 'r':
		g := fields{rest: strings.ReplaceAll(v, ",", "\t")}
		n.Range = &screen.Range{Min: g.float(), Max: g.float(), Now: g.float(), Step: g.float()}
	default:
		return false
	}
	return true
}

// setWeb is setNode for the facts that the web alone has.
func (e *entry) setWeb(letter byte, v string) bool {
	switch letter {
	case 'G':
		e.web.Tag = intern(v)
	case 'i':
		e.web.HTMLID = unescape(v)
	case 'I':
		e.web.TestID = unescape(v)
	case 'c':
		e.web.Class = unescape(v)
	case 'y':
		e.web.InputType = intern(v)
	case 'p':
		e.web.Placeholder = unescape(v)
	case 'h':
		e.web.Href = unescape(v)
	case 'x':
		e.web.Transform = intern(v)
	case 'w':
		e.web.Shadow = true
	case 'z':
		e.cut = true
	case 'o':
		e.web.Options = options(v)
	default:
		return false
	}
	return true
}

func options(v string) []string {
	if v == "" {
		return nil
	}
	out := strings.Split(v, "\x1f")
	for i, s := range out {
		out[i] = unescape(s)
	}
	return out
}

// copy makes the subtree's nodes anew: the mirror lives on, snapshots must not. It sets cut when a
// text in it was cut.
func (e *entry) copy(cut *bool) *screen.Node {
	n := e.node
	*cut = *cut || e.cut
	web := e.web
	n.Native = &web
	if n.Scroll != nil {
		s := *n.Scroll
		n.Scroll = &s
		n.State |= screen.Clickable // scrolling is something to do with it
	}
	if n.Range != nil {
		r := *n.Range
		n.Range = &r
	}
	if len(e.kids) > 0 {
		n.Children = make([]*screen.Node, len(e.kids))
		for i, k := range e.kids {
			n.Children[i] = k.copy(cut)
		}
	}
	return &n
}
