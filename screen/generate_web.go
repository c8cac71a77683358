package screen

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// claims are what can be said of n by itself.
func (g *generator) claims(n *Node) claims {
	if d, ok := n.Native.(*Web); ok {
		return g.webClaims(n, d)
	}
	return claims{}
}

// maxSaid bounds texts and names that say who an element is: a longer one is an article.
const maxSaid = 120

// webClaims prefer what the authors of the page meant for tests and people. An id comes after all texts: it says
// where an element is made and not what it is.
func (g *generator) webClaims(n *Node, d *Web) claims {
	var c claims
	role, name := n.Role, squeeze(n.called())
	kind := criterion{Selector{Web: &WebMatch{AriaRole: role}}, role, func(*Node) bool { return true }}
	beside := "" // the name to put beside an id
	if n.Name != "" && role != "text" && !g.structural && !crowded(n) && !variable.MatchString(name) &&
		utf8.RuneCountInString(name) <= maxSaid {
		beside = name
	}
	with := func(w WebMatch, is func(*Node, *Web) bool) criterion { // beside role and name
		if meaningful(role) != "" || n.Ref != "" {
			w.AriaRole = role
		}
		w.AriaNameRegex = g.pattern(beside)
		return criterion{Selector{Web: &w}, w.AriaRole, func(o *Node) bool {
			od, ok := o.Native.(*Web)
			return ok && is(o, od) && (w.AriaRole == "" || o.Role == role) && (beside == "" || squeeze(o.called()) == beside)
		}}
	}
	if d.TestID != "" {
		t := with(WebMatch{DataTestID: d.TestID}, func(_ *Node, o *Web) bool { return o.TestID == d.TestID })
		if generated(d.TestID) || numbers(d.TestID) && g.sharesSkeleton(d.TestID) {
			c.count = append(c.count, t)
		} else {
			c.sure = append(c.sure, t)
		}
	}
	for _, s := range g.said(n, name) {
		if s.varies {
			c.shaky = append(c.shaky, s.criterion)
		} else {
			c.sure = append(c.sure, s.criterion)
		}
	}
	for _, css := range cssOf(d) {
		t := with(WebMatch{CSSSelector: css}, func(_ *Node, o *Web) bool { return d.HTMLID != "" && o.HTMLID == d.HTMLID })
		switch {
		case generated(d.HTMLID):
		case numbers(d.HTMLID):
			c.count = append(c.count, t)
		default:
			c.ids = append(c.ids, t)
		}
	}
	if name == "" {
		for _, class := range d.classes() {
			w := WebMatch{AriaRole: role, CSSSelector: "." + class}
			c.style = append(c.style, criterion{Selector{Web: &w}, role, func(o *Node) bool {
				od, ok := o.Native.(*Web)
				return ok && od.hasClass(class)
			}})
		}
	}
	if n.Level > 0 {
		w := WebMatch{AriaRole: role, HeadingLevel: &n.Level}
		c.kinds = append(c.kinds, criterion{Selector{Web: &w}, role, func(o *Node) bool { return o.Level == n.Level }})
	}
	c.kinds = append(c.kinds, kind)
	if name == "" && isRegion(n) {
		c.kinds = append(c.kinds, criterion{Selector{Web: &WebMatch{AriaRole: role, CSSSelector: regionCSS}}, role, isRegion})
	}
	if name == "" && control(role) && !g.structural { // the one button without a name
		c.kinds = append(c.kinds,
			criterion{Selector{Web: &WebMatch{AriaRole: role, AriaNameRegex: "^$"}}, role,
				func(o *Node) bool { return squeeze(o.called()) == "" }})
	}
	return c
}

// regionCSS finds what isRegion reports.
const regionCSS = "[contenteditable]:read-write"

// isRegion reports whether n is written into and is not a field: an editor, of whatever role its page gives it.
func isRegion(n *Node) bool {
	d, ok := n.Native.(*Web)
	return ok && n.State.Has(Editable) && d.Tag != "input" && d.Tag != "textarea" && d.Tag != "select"
}

// control reports whether a person acts on what has this role: such elements have names, as a rule.
func control(role string) bool {
	switch role {
	case "button", "link", "checkbox", "radio", "switch", "textbox", "searchbox", "combobox", "spinbutton", "slider",
		"menuitem", "tab":
		return true
	}
	return false
}

// saying is a claim that rests on words.
type saying struct {
	criterion
	varies bool
}

// said are the claims by name and text, best first.
func (g *generator) said(n *Node, name string) []saying {
	if g.structural {
		return nil
	}
	var out []saying
	if n.Name != "" && n.Role != "text" {
		long := utf8.RuneCountInString(name) > maxSaid
		w := WebMatch{AriaRole: n.Role, AriaNameRegex: g.pattern(name)}
		is := func(o *Node) bool { return squeeze(o.called()) == name }
		out = append(out, saying{criterion{Selector{Web: &w}, n.Role, is}, long || variable.MatchString(name)})
		if n.Level > 0 {
			l := w
			l.HeadingLevel = &n.Level
			out = append(out, saying{criterion{Selector{Web: &l}, n.Role,
				func(o *Node) bool { return o.Level == n.Level && is(o) }}, long || variable.MatchString(name)})
		}
		if !crowded(n) {
			return out
		}
		for i := range out {
			out[i].varies = true
		}
	}
	switch {
	case n.State&(Editable|Password) != 0, n.Role == "combobox", n.Role == "listbox", n.Role == "document":
		return out
	}
	own, leaf := n.OwnText(), n.Text != "" || n.Role == "text"
	if legible(own) {
		w := WebMatch{AriaRole: n.Role, OwnTextRegex: g.pattern(own)}
		if leaf {
			w.OwnTextRegex, w.TextRegex = "", w.OwnTextRegex
		}
		out = append(out, saying{criterion{Selector{Web: &w}, n.Role, func(o *Node) bool { return o.OwnText() == own }},
			variable.MatchString(own)})
	}
	if leaf || len(n.Children) == 0 || collects(n.Role) || actsInside(n) {
		return out
	}
	text, short := n.whole(false, true, 4*maxSaid)
	if text = squeeze(text); short && legible(text) && text != own {
		w := WebMatch{AriaRole: n.Role, TextRegex: g.pattern(text)}
		is := func(o *Node) bool {
			t, short := o.whole(false, true, 2*len(text)+64)
			return short && squeeze(t) == text
		}
		out = append(out, saying{criterion{Selector{Web: &w}, n.Role, is}, variable.MatchString(text)})
	}
	return out
}

// crowded reports whether the name of n is all that stands in it, and something that one can act on by itself does:
// such a name changes with the state of what is in it.
func crowded(n *Node) bool { return namedByContent(n.Role) && actsInside(n) }

// legible reports whether a text can say who an element is.
func legible(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) &&
		utf8.RuneCountInString(text) <= maxSaid
}

// actsInside reports whether there is something in n that one can act on by itself.
func actsInside(n *Node) bool {
	for _, c := range n.Children {
		if c.Ref != "" || actsInside(c) {
			return true
		}
	}
	return false
}

// pattern writes a text as people do where its punctuation means nothing to a pattern.
func (g *generator) pattern(text string) string {
	if text == "" || g.structural {
		return ""
	}
	if compile(text, false).literal() {
		return text
	}
	return literal(text)
}

// cssOf are the selectors that an element's id gives.
func cssOf(d *Web) []string {
	var out []string
	if d.CSS != "" && d.TestID == "" {
		out = append(out, d.CSS)
	}
	if plainID.MatchString(d.HTMLID) && d.CSS != "#"+d.HTMLID {
		out = append(out, "#"+d.HTMLID)
	}
	return out
}

// sharesSkeleton reports whether another test id differs from this one in its numbers only: then they number elements.
func (g *generator) sharesSkeleton(id string) bool {
	bones := skeleton(id)
	for _, n := range g.all {
		if d, ok := n.Native.(*Web); ok && d.TestID != "" && d.TestID != id && skeleton(d.TestID) == bones {
			return true
		}
	}
	return false
}
