package identity

import (
	"iter"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/words"
)

// fact is something that a phone's node says of itself.
type fact struct {
	field *screen.PhoneField
	want  reflect.Value // the pointer that asks for it in a block
	text  string        // of a text: what it is
	cased bool          // a Maestro text of which the case counts
	place bool          // a row or a column
}

// phoneFacts are the facts of a node by how well they say what it is, each list best first.
type phoneFacts struct {
	block  *screen.PhoneBlock
	names  []fact // ids and texts
	shaky  []fact // those that look as if they changed from run to run
	kinds  []fact // its class or role
	places []fact // its row and column in a collection
	traits []fact // what can be done with it, and empty texts
	stable []fact // all of these but shaky
}

// ranks orders the fields that name a node: names by developers come before the texts that people read.
var ranks = []string{"uniqueId", "resourceIdRegex", "composeTestTagRegex", "testTag", "contentDescriptionRegex",
	"accessibilityTextRegex", "labelRegex",
	"textRegex", "hintTextRegex", "labeledByTextRegex", "titleRegex", "paneTitleRegex", "roleDescriptionRegex",
	"customAction"}

// uuid is an id that is drawn anew with every start.
var uuid = regex.Lazy(`[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-|0x[0-9a-f]{6,}`)

// facts returns the fields that identify n. Text and choices that a person entered are left out, as taps change
// them.
func (g *generator) facts(n *screen.Node) *phoneFacts {
	if known := g.known[n]; known != nil {
		return known
	}
	out := &phoneFacts{block: screen.PhoneBlocks()[reflect.TypeOf(n.Native)]}
	g.known[n] = out
	if out.block == nil {
		return out
	}
	v := reflect.ValueOf(n.Native).Elem()
	for i := range out.block.Fields {
		f := &out.block.Fields[i]
		switch {
		case f.List:
			list, _ := v.Field(f.Tell).Interface().([]string)
			if len(list) > 0 && !g.structural {
				out.names = append(out.names, fact{field: f, want: reflect.ValueOf(new(list[0])), text: list[0]})
			}
		case f.Tell >= 0 && v.Field(f.Tell).Kind() == reflect.Bool:
			switch f.Key {
			case "isChecked", "isSelected", "isFocused", "checked", "selected", "focused":
			default:
				out.traits = append(out.traits, fact{field: f, want: reflect.ValueOf(new(v.Field(f.Tell).Bool() != f.Not))})
			}
		case f.Tell >= 0 && v.Field(f.Tell).Type() == reflect.TypeFor[*int]():
			switch {
			case v.Field(f.Tell).IsNil():
			case f.Key == "inputType":
				out.traits = append(out.traits, fact{field: f, want: v.Field(f.Tell)})
			default:
				out.places = append(out.places, fact{field: f, want: v.Field(f.Tell), place: true})
			}
		default:
			if s := f.TextOf(n.Native, v); s != nil {
				g.textFact(out, f, n.Native, v, *s)
			}
		}
	}
	rank := func(a, b fact) int { return slices.Index(ranks, a.field.Key) - slices.Index(ranks, b.field.Key) }
	slices.SortStableFunc(out.names, rank)
	slices.SortStableFunc(out.shaky, rank)
	out.stable = slices.Concat(out.names, out.kinds, out.places, out.traits)
	return out
}

// textFact sorts a text of a node into the list it belongs to.
func (g *generator) textFact(out *phoneFacts, f *screen.PhoneField, n screen.Native, v reflect.Value, s string) {
	is := fact{field: f, text: s}
	if is.want = reflect.ValueOf(new(s)); f.Pattern {
		is.want = reflect.ValueOf(new(exactly(s)))
	}
	switch f.Key {
	case "classNameRegex", "roleRegex", "role", "subroleRegex", "typeRegex":
		out.kinds = append(out.kinds, is)
		return
	case "editableTextRegex", "toggleableState":
		return
	case "textRegex":
		if typed(n) || s != "" && saidElsewhere(n, s) {
			return
		}
	}
	switch {
	case g.structural && !slices.Contains(screen.IDKeys, f.Key):
	case s == "", f.Key == "stateDescriptionRegex", f.Key == "valueRegex":
		out.traits = append(out.traits, is)
	case words.Variable().MatchString(s) || uuid().MatchString(s) || len(s) > 4*maxSaid:
		out.shaky = append(out.shaky, is)
	default:
		out.names = append(out.names, is)
	}
}

// saidElsewhere reports whether another field says the text of a node, and says what it is.
func saidElsewhere(n screen.Native, text string) bool {
	return screen.FirstOf(n, "hintTextRegex") == text || screen.FirstOf(n, "contentDescriptionRegex") == text ||
		screen.FirstOf(n, "accessibilityTextRegex") == text
}

// typed reports whether the text that a node shows may be what a person typed.
func typed(n screen.Native) bool {
	switch d := n.(type) {
	case *screen.AndroidAccessibility:
		return d.IsEditable || d.IsPassword
	case *screen.AndroidMaestro:
		return d.Password
	case *screen.IOSMaestro:
		return d.Password
	case *screen.Compose:
		return d.EditableText != nil || d.IsPassword
	}
	return false
}

// exactly is a pattern that matches this text and no other, white space included.
func exactly(text string) string {
	switch {
	case regexp.QuoteMeta(text) == text:
		return text
	case strings.Contains(text, `\E`):
		return regexp.QuoteMeta(text)
	}
	return `\Q` + text + `\E`
}

// minded is the fact with its case.
func (f fact) minded() fact {
	if f.field.Pattern && f.text != "" {
		f.cased, f.want = true, reflect.ValueOf(new("(?-i)"+exactly(f.text)))
	}
	return f
}

// criterion is all of these facts at once.
func (p *phoneFacts) criterion(facts ...fact) criterion {
	var c criterion
	if len(facts) == 0 {
		c.is = func(o *screen.Node) bool { return true }
		return c
	}
	block := reflect.ValueOf(&c.sel).Elem().Field(p.block.Place)
	block.Set(reflect.New(block.Type().Elem()))
	for _, f := range facts {
		block.Elem().Field(f.field.Ask).Set(f.want)
		if f.text != "" && c.role == "" && !f.field.List {
			c.role = f.field.Saying(p.block, f.text)
		}
	}
	c.is = func(o *screen.Node) bool {
		if screen.PhoneBlocks()[reflect.TypeOf(o.Native)] != p.block {
			return false
		}
		v := reflect.ValueOf(o.Native).Elem()
		for i := range facts {
			if !facts[i].holds(p.block, o.Native, v) {
				return false
			}
		}
		return true
	}
	return c
}

func (f *fact) holds(b *screen.PhoneBlock, n screen.Native, v reflect.Value) bool {
	if f.field.Tell >= 0 && v.Field(f.field.Tell).Kind() != reflect.Pointer ||
		f.want.Type() != reflect.TypeFor[*string]() {
		ok, _ := f.field.Holds(nil, f.want.Interface(), n, v, false) //nolint:staticcheck // no pattern is matched
		return ok
	}
	got := f.field.TextOf(n, v)
	switch {
	case got == nil:
		return false
	case b.Fold && !f.cased && f.field.Pattern:
		return strings.EqualFold(*got, f.text)
	}
	return *got == f.text
}

// combined returns a fitting claim of n's own facts, without those that are not needed. The case of a text counts
// where nothing else does.
func (g *generator) combined(n *screen.Node, shaky bool, fits func(*criterion) bool) (criterion, bool) {
	p := g.facts(n)
	if p.block == nil {
		return criterion{}, false
	}
	facts := p.stable
	if shaky {
		facts = slices.Concat(p.shaky, p.stable)
	}
	c := p.criterion(facts...)
	if !fits(&c) {
		if !p.block.Fold {
			return criterion{}, false
		}
		facts = slices.Clone(facts)
		for i := range facts {
			facts[i] = facts[i].minded()
		}
		minded := p.criterion(facts...) // not c: the holders of a claim are kept by its address
		if c = minded; !fits(&minded) {
			return criterion{}, false
		}
	}
	for i := len(facts) - 1; i >= 0; i-- {
		if i >= len(facts) {
			continue // a row went with its column
		}
		drop := facts[i].field
		without := slices.DeleteFunc(slices.Clone(facts),
			func(f fact) bool { return f.field == drop || f.place && facts[i].place })
		if speaking(without) < speaking(facts) {
			continue // a class or a trait alone says too little
		}
		if less := p.criterion(without...); fits(&less) {
			facts, c = without, less
		}
	}
	return c, true
}

// speaking returns how well facts identify a node: by a name, a class, or by less.
func speaking(facts []fact) int {
	best := 0
	for _, f := range facts {
		switch {
		case slices.Contains(ranks, f.field.Key) && f.text != "":
			return 2
		case f.text != "":
			best = 1
		}
	}
	return best
}

// shaken yields selectors of the target by texts that look as if they changed from run to run.
func (g *generator) shaken(yield func(screen.Selector) bool) bool {
	c, ok := g.combined(g.target, true, func(c *criterion) bool { return g.only(c, g.target) })
	return !ok || yield(c.sel)
}

// amid yields selectors of the target in the closest unique ancestors.
func (g *generator) amid(shaky bool, yield func(screen.Selector) bool) bool {
	tried := 0
	for p := g.target.Parent; p != nil && tried < maxItems; p = p.Parent {
		c, ok := g.combined(g.target, shaky, func(c *criterion) bool { return g.countIn(c, p) == 1 })
		if !ok {
			return true // a larger ancestor holds more of the kind
		}
		tried++
		if !g.anchors(p, func(place screen.Selector) bool { return yield(in(c.sel, &place)) }) {
			return false
		}
	}
	return true
}

// anchors yields selectors of an ancestor of the target by its own fields or by its content.
func (g *generator) anchors(p *screen.Node, yield func(screen.Selector) bool) bool {
	if sel, ok := g.unique(p); ok {
		return yield(sel)
	}
	return g.container(p, yield)
}

// container yields selectors of a node by something in it that exists once: by its class and a descendant, by a
// child, or by a child that holds such a child, and so on.
func (g *generator) container(p *screen.Node, yield func(screen.Selector) bool) bool {
	said := g.facts(p)
	kind := said.criterion(said.kinds...)
	for c, up := range g.held(p) {
		sel, _ := g.unique(c)
		if len(said.kinds) > 0 && g.nearest(&kind, c, p) && !yield(holding(kind.sel, sel)) {
			return false
		}
		if up > screen.MaxNesting-3 {
			continue
		}
		for range up {
			sel = screen.Selector{ContainsChild: new(sel)}
		}
		if !yield(sel) {
			return false
		}
	}
	return true
}

// held yields the closest nodes in p that are unique on the screen, and how many levels below p they are. It leaves
// out the target and its ancestors.
func (g *generator) held(p *screen.Node) iter.Seq2[*screen.Node, int] {
	return func(yield func(*screen.Node, int) bool) {
		level, budget, told := []*screen.Node{p}, itemNodes, 0
		for up := 1; len(level) > 0; up++ {
			var below []*screen.Node
			for _, n := range level {
				for _, c := range n.Children {
					if budget--; budget < 0 {
						return
					}
					if _, ok := g.unique(c); !ok || c == g.target || screen.Within(g.target.Parent, c) {
						below = append(below, c)
						continue
					}
					if told++; !yield(c, up) || told >= maxTells {
						return
					}
				}
			}
			level = below
		}
	}
}

// nearest reports whether p is the one ancestor of c that a claim holds for.
func (g *generator) nearest(kind *criterion, c, p *screen.Node) bool {
	for a := c.Parent; a != nil; a = a.Parent {
		if a != p && kind.is(a) {
			return false
		}
	}
	return true
}

// unique returns a selector of a node by its own fields, all of them if need be.
func (g *generator) unique(n *screen.Node) (screen.Selector, bool) {
	if known, ok := g.selectors[n]; ok {
		return known, known.HasBlock()
	}
	var sel screen.Selector
	p := g.facts(n)
	for _, f := range p.names {
		if c := p.criterion(f); g.only(&c, n) {
			sel = c.sel
			break
		}
	}
	if !sel.HasBlock() {
		if c, ok := g.combined(n, false, func(c *criterion) bool { return g.only(c, n) }); ok {
			sel = c.sel
		}
	}
	g.selectors[n] = sel
	return sel, sel.HasBlock()
}

// next yields the first node of its kind on one side of a unique sibling.
func (g *generator) next(yield func(screen.Selector) bool) bool {
	if g.target.Parent == nil || g.structural {
		return true
	}
	p := g.facts(g.target)
	kin := g.target.Parent.Children
	at := slices.Index(kin, g.target)
	for _, i := range []int{at - 1, at + 1, at - 2, at + 2} {
		if i < 0 || i >= len(kin) {
			continue
		}
		anchor, ok := g.unique(kin[i])
		if !ok || !screen.Boxed(g.target) {
			continue
		}
		sel := p.criterion(slices.Concat(p.names, p.kinds)...).sel
		for _, side := range []**screen.Selector{&sel.RightOf, &sel.Below} {
			*side, sel.Index = &anchor, new(0)
			if !yield(sel) {
				return false
			}
			*side = nil
		}
	}
	return true
}

// counted yields numbers inside the nearest unique ancestor: among the nodes with the same content as the target,
// else among those with the same fields.
func (g *generator) counted(yield func(screen.Selector) bool) bool {
	said := g.facts(g.target)
	same := said.criterion(said.stable...)
	number := func(place *screen.Selector, p *screen.Node) bool {
		for c := range g.held(g.target) {
			var peers []*screen.Node
			for a := c.Parent; a != p; a = a.Parent {
				peers = append(peers, a)
			}
			slices.Reverse(peers)
			screen.Order(peers)
			sel, _ := g.unique(c)
			sel = in(holding(screen.Selector{}, sel), place)
			if sel.Index = new(slices.Index(peers, g.target)); !yield(sel) {
				return false
			}
			break
		}
		if p == nil {
			p = g.snap.Root
		}
		all := g.countIn(&same, p)
		c, ok := g.combined(g.target, false, func(c *criterion) bool { return g.countIn(c, p) == all })
		if !ok {
			c = same
		}
		var peers []*screen.Node
		for _, i := range g.holders(&c) {
			if place == nil || screen.Within(g.all[i].Parent, p) {
				peers = append(peers, g.all[i])
			}
		}
		screen.Order(peers)
		sel := in(c.sel, place)
		sel.Index = new(slices.Index(peers, g.target))
		return yield(sel)
	}
	for p := g.target.Parent; p != nil; p = p.Parent {
		if !g.anchors(p, func(place screen.Selector) bool { return number(&place, p) }) {
			return false
		}
	}
	return number(nil, nil)
}
