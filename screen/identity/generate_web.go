package identity

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/words"
)

// claims returns everything that identifies n without its surroundings.
func (g *generator) claims(n *screen.Node) claims {
	if d, ok := n.Native.(*screen.Web); ok {
		return g.webClaims(n, d)
	}
	return claims{}
}

// webClaims prefer what the authors of the page meant for tests and people. An id comes after all texts: it says
// where an element is made and not what it is.
func (g *generator) webClaims(n *screen.Node, d *screen.Web) claims {
	e := &webElement{g: g, n: n, d: d, name: words.Squeeze(n.Called())}
	if n.Name != "" && n.Role != "text" && !g.structural && !crowded(n) && !words.Variable().MatchString(e.name) &&
		utf8.RuneCountInString(e.name) <= maxSaid {
		e.beside = e.name
	}
	var c claims
	e.testID(&c)
	for _, s := range g.said(n, e.name) {
		if s.varies {
			c.shaky = append(c.shaky, s.criterion)
		} else {
			c.sure = append(c.sure, s.criterion)
		}
	}
	e.ids(&c)
	e.classes(&c)
	e.kinds(&c)
	return c
}

// webElement makes the claims of one element of a page.
type webElement struct {
	g      *generator
	n      *screen.Node
	d      *screen.Web
	name   string
	beside string // the name to put beside an id, "" when it may change
}

// marked is a claim by an id, beside role and name.
func (e *webElement) marked(w screen.WebMatch, is func(*screen.Web) bool) criterion {
	role, name := e.n.Role, e.beside
	if meaningful(role) != "" || e.n.Ref != "" {
		w.AriaRole = role
	}
	w.AriaNameRegex = e.g.pattern(name)
	return criterion{screen.Selector{Web: &w}, w.AriaRole, func(o *screen.Node) bool {
		od, ok := o.Native.(*screen.Web)
		return ok && is(od) && (w.AriaRole == "" || o.Role == role) && (name == "" || words.Squeeze(o.Called()) == name)
	}}
}

// kind returns a claim by the sort of the element.
func (e *webElement) kind(w screen.WebMatch, is func(*screen.Node) bool) criterion {
	w.AriaRole = e.n.Role
	return criterion{screen.Selector{Web: &w}, e.n.Role, is}
}

func (e *webElement) testID(c *claims) {
	id := e.d.TestID
	if id == "" {
		return
	}
	t := e.marked(screen.WebMatch{DataTestID: id}, func(o *screen.Web) bool { return o.TestID == id })
	if words.Generated(id) || words.HasNumbers(id) && e.g.sharesSkeleton(id) {
		c.count = append(c.count, t)
	} else {
		c.sure = append(c.sure, t)
	}
}

func (e *webElement) ids(c *claims) {
	id := e.d.HTMLID
	for _, css := range cssOf(e.d) {
		t := e.marked(screen.WebMatch{CSSSelector: css}, func(o *screen.Web) bool { return id != "" && o.HTMLID == id })
		switch {
		case words.Generated(id):
		case words.HasNumbers(id):
			c.count = append(c.count, t)
		default:
			c.ids = append(c.ids, t)
		}
	}
}

func (e *webElement) classes(c *claims) {
	if e.name != "" {
		return
	}
	for _, class := range e.d.Classes() {
		c.style = append(c.style, e.kind(screen.WebMatch{CSSSelector: "." + class}, func(o *screen.Node) bool {
			od, ok := o.Native.(*screen.Web)
			return ok && od.HasClass(class)
		}))
	}
}

func (e *webElement) kinds(c *claims) {
	n := e.n
	if n.Level > 0 {
		c.kinds = append(
			c.kinds,
			e.kind(screen.WebMatch{HeadingLevel: &n.Level}, func(o *screen.Node) bool { return o.Level == n.Level }),
		)
	}
	c.kinds = append(c.kinds, e.kind(screen.WebMatch{}, func(*screen.Node) bool { return true }))
	if e.name == "" && screen.IsEditor(n) {
		c.kinds = append(c.kinds, e.kind(screen.WebMatch{CSSSelector: screen.EditorCSS}, screen.IsEditor))
	}
	if e.name == "" && control(n.Role) && !e.g.structural { // the one button without a name
		c.kinds = append(c.kinds,
			e.kind(screen.WebMatch{AriaNameRegex: "^$"}, func(o *screen.Node) bool { return words.Squeeze(o.Called()) == "" }))
	}
}

// saying is a claim that rests on words.
type saying struct {
	criterion
	varies bool
}

// said are the claims by name and text, best first.
func (g *generator) said(n *screen.Node, name string) []saying {
	if g.structural {
		return nil
	}
	var out []saying
	if n.Name != "" && n.Role != "text" {
		full := crowded(n)
		if out = g.saidByName(n, name, full); !full {
			return out
		}
	}
	switch {
	case n.State&(screen.Editable|screen.Password) != 0, n.Role == "combobox", n.Role == "listbox", n.Role == "document":
		return out
	}
	return g.saidByText(out, n)
}

// saidByName are the claims by name, and by name and level of a heading. A crowded name varies.
func (g *generator) saidByName(n *screen.Node, name string, crowded bool) []saying {
	varies := crowded || utf8.RuneCountInString(name) > maxSaid || words.Variable().MatchString(name)
	w := screen.WebMatch{AriaRole: n.Role, AriaNameRegex: g.pattern(name)}
	is := func(o *screen.Node) bool { return words.Squeeze(o.Called()) == name }
	out := []saying{{criterion{screen.Selector{Web: &w}, n.Role, is}, varies}}
	if n.Level > 0 {
		l := w
		l.HeadingLevel = &n.Level
		out = append(out, saying{criterion{screen.Selector{Web: &l}, n.Role,
			func(o *screen.Node) bool { return o.Level == n.Level && is(o) }}, varies})
	}
	return out
}

// saidByText adds the claims by the text directly in n, then by all the text in it.
func (g *generator) saidByText(out []saying, n *screen.Node) []saying {
	own, leaf := n.OwnText(), n.Text != "" || n.Role == "text"
	if legible(own) {
		w := screen.WebMatch{AriaRole: n.Role, OwnTextRegex: g.pattern(own)}
		if leaf {
			w.OwnTextRegex, w.TextRegex = "", w.OwnTextRegex
		}
		out = append(
			out,
			saying{criterion{screen.Selector{Web: &w}, n.Role, func(o *screen.Node) bool { return o.OwnText() == own }},
				words.Variable().MatchString(own)},
		)
	}
	if leaf || len(n.Children) == 0 || collects(n.Role) || screen.ActsBelow(n) {
		return out
	}
	text, short := n.TextWithin(false, true, 4*maxSaid)
	if text = words.Squeeze(text); short && legible(text) && text != own {
		w := screen.WebMatch{AriaRole: n.Role, TextRegex: g.pattern(text)}
		is := func(o *screen.Node) bool {
			t, short := o.TextWithin(false, true, 2*len(text)+64)
			return short && words.Squeeze(t) == text
		}
		out = append(out, saying{criterion{screen.Selector{Web: &w}, n.Role, is}, words.Variable().MatchString(text)})
	}
	return out
}

// pattern writes a text as people do where its punctuation means nothing to a pattern.
func (g *generator) pattern(text string) string {
	if text == "" || g.structural {
		return ""
	}
	if words.Compile(text, false).Literal() {
		return text
	}
	return literal(text)
}

// literal is a pattern that matches exactly this text, written plainly where that means the same.
func literal(text string) string {
	text = words.Squeeze(text)
	if text == "" || regexp.QuoteMeta(text) == text {
		return text
	}
	if !strings.Contains(text, `\E`) {
		return `\Q` + text + `\E`
	}
	return regexp.QuoteMeta(text)
}

// cssOf are the selectors that an element's id gives.
func cssOf(d *screen.Web) []string {
	var out []string
	if d.CSS != "" && d.TestID == "" {
		out = append(out, d.CSS)
	}
	if words.PlainID().MatchString(d.HTMLID) && d.CSS != "#"+d.HTMLID {
		out = append(out, "#"+d.HTMLID)
	}
	return out
}

// sharesSkeleton reports whether another test id differs from this one in its numbers only: then they number elements.
func (g *generator) sharesSkeleton(id string) bool {
	bones := skeleton(id)
	for _, n := range g.all {
		if d, ok := n.Native.(*screen.Web); ok && d.TestID != "" && d.TestID != id && skeleton(d.TestID) == bones {
			return true
		}
	}
	return false
}
