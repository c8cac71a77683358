package screen

import (
	"iter"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// fact is something that a phone's node says of itself.
type fact struct {
	field *phoneField
	want  reflect.Value // the pointer that asks for it in a block
	text  string        // of a text: what it is
	cased bool          // a Maestro text of which the case counts
}

// phoneFacts are the facts of a node by how well they say what it is, each list best first.
type phoneFacts struct {
	block  *phoneBlock
	names  []fact // ids and texts
	shaky  []fact // those that look as if they changed from run to run
	kinds  []fact // its class or role
	places []fact // its row and column in a collection
	traits []fact // what can be done with it, and empty texts
}

// ranks orders the fields that name a node: what developers named comes before what people read.
var ranks = []string{"uniqueId", "resourceIdRegex", "composeTestTagRegex", "testTag", "contentDescriptionRegex", "accessibilityTextRegex", "labelRegex",
	"textRegex", "hintTextRegex", "labeledByTextRegex", "titleRegex", "paneTitleRegex", "roleDescriptionRegex", "customAction"}

// uuid is an id that is drawn anew with every start.
var uuid = regexp.MustCompile(`[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-|0x[0-9a-f]{6,}`)

// facts are what n says. What a person typed or chose is left out, as taps change it.
func (g *generator) facts(n *Node) phoneFacts {
	out := phoneFacts{block: phoneBlocks[reflect.TypeOf(n.Native)]}
	if out.block == nil {
		return out
	}
	v := reflect.ValueOf(n.Native).Elem()
	for i := range out.block.fields {
		f := &out.block.fields[i]
		switch {
		case f.list:
			list, _ := v.Field(f.tell).Interface().([]string)
			for _, s := range list {
				if !g.structural {
					out.names = append(out.names, fact{field: f, want: reflect.ValueOf(new(s)), text: s})
				}
			}
		case f.tell >= 0 && v.Field(f.tell).Kind() == reflect.Bool:
			switch f.key {
			case "isChecked", "isSelected", "isFocused", "checked", "selected", "focused":
			default:
				out.traits = append(out.traits, fact{field: f, want: reflect.ValueOf(new(v.Field(f.tell).Bool() != f.not))})
			}
		case f.tell >= 0 && v.Field(f.tell).Type() == reflect.TypeFor[*int]():
			switch {
			case v.Field(f.tell).IsNil():
			case f.key == "inputType":
				out.traits = append(out.traits, fact{field: f, want: v.Field(f.tell)})
			default:
				out.places = append(out.places, fact{field: f, want: v.Field(f.tell)})
			}
		default:
			if s := f.text(n.Native, v); s != nil {
				g.textFact(&out, f, n.Native, v, *s)
			}
		}
	}
	rank := func(a, b fact) int { return slices.Index(ranks, a.field.key) - slices.Index(ranks, b.field.key) }
	slices.SortStableFunc(out.names, rank)
	slices.SortStableFunc(out.shaky, rank)
	return out
}

// textFact sorts a text of a node into the list it belongs to.
func (g *generator) textFact(out *phoneFacts, f *phoneField, n Native, v reflect.Value, s string) {
	is := fact{field: f, text: s}
	if is.want = reflect.ValueOf(new(s)); f.pattern {
		is.want = reflect.ValueOf(new(exactly(s)))
	}
	switch f.key {
	case "classNameRegex", "roleRegex", "role", "subroleRegex", "typeRegex":
		out.kinds = append(out.kinds, is)
		return
	case "editableTextRegex", "toggleableState":
		return
	case "textRegex":
		if typed(n) || told(n, "hintTextRegex") == s || told(n, "contentDescriptionRegex") == s || told(n, "accessibilityTextRegex") == s {
			return // another field says the same, and says what it is
		}
	}
	switch {
	case g.structural && !slices.Contains(idKeys, f.key):
	case s == "", f.key == "stateDescriptionRegex", f.key == "valueRegex":
		out.traits = append(out.traits, is)
	case variable.MatchString(s) || uuid.MatchString(s) || len(s) > 4*maxSaid:
		out.shaky = append(out.shaky, is)
	default:
		out.names = append(out.names, is)
	}
}

// typed reports whether the text that a node shows may be what a person typed.
func typed(n Native) bool {
	switch d := n.(type) {
	case *AndroidAccessibility:
		return d.IsEditable || d.IsPassword
	case *AndroidMaestro:
		return d.Password
	case *IOSMaestro:
		return d.Password
	case *Compose:
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

// says reports whether the fact is a name or a class.
func (f fact) says() bool { return f.text != "" }

// minded is the fact with its case.
func (f fact) minded() fact {
	if f.field.pattern && f.text != "" {
		f.cased, f.want = true, reflect.ValueOf(new("(?-i)"+exactly(f.text)))
	}
	return f
}

// claim is all of these facts at once.
func (p *phoneFacts) claim(facts ...fact) claim {
	var c claim
	if len(facts) == 0 {
		c.is = func(o *Node) bool { return true }
		return c
	}
	block := reflect.ValueOf(&c.sel).Elem().Field(p.block.place)
	block.Set(reflect.New(block.Type().Elem()))
	for _, f := range facts {
		block.Elem().Field(f.field.ask).Set(f.want)
		if f.text != "" && c.role == "" && !f.field.list {
			c.role = f.field.saying(p.block, f.text)
		}
	}
	c.is = func(o *Node) bool {
		if phoneBlocks[reflect.TypeOf(o.Native)] != p.block {
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

func (f *fact) holds(b *phoneBlock, n Native, v reflect.Value) bool {
	if f.field.tell >= 0 && v.Field(f.field.tell).Kind() != reflect.Pointer || f.want.Type() != reflect.TypeFor[*string]() {
		ok, _ := f.field.holds(nil, f.want.Interface(), n, v, false) //nolint:staticcheck // no pattern is matched
		return ok
	}
	got := f.field.text(n, v)
	switch {
	case got == nil:
		return false
	case b.fold && !f.cased && f.field.pattern:
		return strings.EqualFold(*got, f.text)
	}
	return *got == f.text
}

// saying is the key of a text in the table of texts of a snapshot.
func (f *phoneField) saying(b *phoneBlock, text string) string {
	if b.fold {
		text = strings.ToLower(text)
	}
	return f.key + "\x00" + text
}

// sayings are the places in all of the nodes that say each text, made when they are first asked for.
func (s *Snapshot) sayings() map[string][]int32 {
	s.roles.phones.Do(func() {
		s.roles.said = map[string][]int32{}
		for i, n := range s.all {
			b := phoneBlocks[reflect.TypeOf(n.Native)]
			if b == nil {
				continue
			}
			v := reflect.ValueOf(n.Native).Elem()
			for k := range b.fields {
				f := &b.fields[k]
				if f.list || f.tell >= 0 && v.Field(f.tell).Type() != reflect.TypeFor[*string]() {
					continue
				}
				if t := f.text(n.Native, v); t != nil && *t != "" {
					key := f.saying(b, *t)
					s.roles.said[key] = append(s.roles.said[key], int32(i))
				}
			}
		}
	})
	return s.roles.said
}

// phoneClaims combine the facts of a node: each name, then each with the class, in pairs, and with its case; then the class
// with its place in a collection.
func (g *generator) phoneClaims(n *Node) claims {
	p := g.facts(n)
	if p.block == nil {
		return claims{}
	}
	c := claims{sure: p.combine(p.names, nil), shaky: p.combine(p.shaky, p.names)}
	if len(p.places) > 0 {
		c.sure = append(c.sure, p.claim(append(slices.Clone(p.kinds), p.places...)...))
	}
	if len(p.kinds) > 0 {
		c.kinds = append(c.kinds, p.claim(p.kinds...))
	}
	return c
}

// combine makes claims of each of the names, and of each with the class or another name.
func (p *phoneFacts) combine(names, others []fact) []claim {
	var out []claim
	for _, f := range names {
		out = append(out, p.claim(f))
	}
	if p.block.fold {
		for _, f := range names {
			out = append(out, p.claim(f.minded()))
		}
	}
	for i, f := range names {
		if len(p.kinds) > 0 {
			out = append(out, p.claim(append([]fact{f}, p.kinds...)...))
		}
		for _, o := range slices.Concat(names[i+1:], others) {
			out = append(out, p.claim(f, o))
		}
	}
	return out
}

// combined is the claim of all that n says of itself, without what is not needed to tell it.
func (g *generator) combined(n *Node, shaky bool) (claim, bool) {
	p := g.facts(n)
	if p.block == nil {
		return claim{}, false
	}
	facts := slices.Concat(p.names, p.kinds, p.places, p.traits)
	if shaky {
		facts = append(slices.Clone(p.shaky), facts...)
	}
	for _, minded := range []bool{false, true} {
		if minded && !p.block.fold {
			break
		}
		if minded {
			for i := range facts {
				facts[i] = facts[i].minded()
			}
		}
		c := p.claim(facts...)
		if !g.only(&c, n) {
			continue
		}
		for i := len(facts) - 1; i >= 0 && len(facts) > 1; i-- {
			without := slices.Delete(slices.Clone(facts), i, i+1)
			if facts[i].says() && !slices.ContainsFunc(without, fact.says) {
				continue // a trait alone says too little
			}
			if less := p.claim(without...); g.only(&less, n) {
				facts, c = without, less
			}
		}
		return c, true
	}
	return claim{}, false
}

// phoneCandidates are the strategies for phones. A node's own fields come first, in every combination; then the place it
// is in; then what it holds.
func (g *generator) phoneCandidates() iter.Seq[Selector] {
	return func(yield func(Selector) bool) {
		own := g.own
		whole := func(shaky bool) bool {
			c, ok := g.combined(g.target, shaky)
			return !ok || yield(c.sel)
		}
		p := g.facts(g.target)
		all := []claim{p.claim(slices.Concat(p.names, p.kinds, p.places, p.traits)...)} // as much as it says, where that is not enough
		_ = g.alone(own.sure, yield) && whole(false) && g.within(slices.Concat(own.sure, own.kinds), g.places(), yield) &&
			g.amid(slices.Concat(own.sure, own.kinds), yield) && g.within(all, g.places(), yield) && g.amid(all, yield) && g.container(g.target, yield) &&
			g.alone(own.shaky, yield) && whole(true) && g.within(own.shaky, g.places(), yield) && g.amid(own.shaky, yield) &&
			g.beside(slices.Concat(own.sure, own.kinds), yield) && g.counted(slices.Concat(own.sure, all, own.kinds), yield)
	}
}

// amid puts the target into the closest ancestors that something unique in them tells.
func (g *generator) amid(own []claim, yield func(Selector) bool) bool {
	tried := 0
	for p := g.target.Parent; p != nil && tried < maxItems; p = p.Parent {
		tried++
		fits := slices.IndexFunc(own, func(c claim) bool { return g.countIn(&c, p) == 1 })
		if fits < 0 {
			continue
		}
		if !g.container(p, func(place Selector) bool { return yield(own[fits].sel.in(&place)) }) {
			return false
		}
	}
	return true
}

// container tells a node by something in it that exists once: by its class and a descendant, by a child, or by a child that
// holds such a child, and so on.
func (g *generator) container(p *Node, yield func(Selector) bool) bool {
	kinds := g.phoneClaims(p).kinds
	type path struct {
		node *Node
		up   int // how many levels below p
	}
	queue, budget, told := []path{{p, 0}}, itemNodes, 0
	for len(queue) > 0 && budget > 0 && told < maxTells {
		at := queue[0]
		queue = queue[1:]
		for _, c := range at.node.Children {
			budget--
			if c == g.target || inside(g.target, c) {
				queue = append(queue, path{c, at.up + 1})
				continue
			}
			said, ok := g.unique(c)
			if !ok {
				queue = append(queue, path{c, at.up + 1})
				continue
			}
			told++
			for i := range kinds {
				if g.nearest(&kinds[i], c, p) && !yield(kinds[i].sel.holding(said)) {
					return false
				}
			}
			if at.up >= maxNesting-3 {
				continue
			}
			for range at.up + 1 {
				said = Selector{ContainsChild: new(said)}
			}
			if !yield(said) {
				return false
			}
		}
	}
	return true
}

// nearest reports whether p is the one ancestor of c that a claim holds for.
func (g *generator) nearest(kind *claim, c, p *Node) bool {
	for a := c.Parent; a != nil; a = a.Parent {
		if a != p && kind.is(a) {
			return false
		}
	}
	return true
}

// unique tells a node by its own fields, all of them if need be.
func (g *generator) unique(n *Node) (Selector, bool) {
	if known, ok := g.told[n]; ok {
		return known, known.hasBlock()
	}
	var sel Selector
	said := g.phoneClaims(n)
	for i := range said.sure {
		if g.only(&said.sure[i], n) {
			sel = said.sure[i].sel
			break
		}
	}
	if !sel.hasBlock() {
		if c, ok := g.combined(n, false); ok {
			sel = c.sel
		}
	}
	g.told[n] = sel
	return sel, sel.hasBlock()
}

// counted is a number among equals inside the nearest ancestor that can be told.
func (g *generator) counted(own []claim, yield func(Selector) bool) bool {
	for p := g.target.Parent; p != nil; p = p.Parent {
		var anchors []Selector
		if sel, ok := g.unique(p); ok {
			anchors = append(anchors, sel)
		}
		g.container(p, func(sel Selector) bool {
			anchors = append(anchors, sel)
			return len(anchors) < 3
		})
		for _, anchor := range anchors {
			for i := range own {
				if sel := g.numberedIn(&own[i], anchor, p); sel.Index != nil && !yield(sel) {
					return false
				}
			}
		}
	}
	for i := range own {
		if !yield(g.numberedIn(&own[i], Selector{}, nil)) {
			return false
		}
	}
	return true
}
