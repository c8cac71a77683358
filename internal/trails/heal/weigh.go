package heal

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/trailblaze-dev/trailblaze/screen"
)

// weighing compares what is known of an element with a candidate. Its score orders the candidates; its rules say which
// of them may win at all.
type weighing struct {
	known, it facts
	now, was  *screen.Snapshot // was: of the green run, nil without one
	asserts   bool
	vouched   bool // a model names the element

	score   int
	why     []string
	against string

	name                     likeness
	id, place, near, anchors bool
	title                    bool // the item that it stands in is called the same
	// How many texts were around it; how many of them are there now, on the same side, on the other, or elsewhere on
	// the screen.
	of, along, turned, left int
}

func (w *weighing) speaks(points int, format string, args ...any) {
	w.score += points
	w.why = append(w.why, fmt.Sprintf(format, args...))
}

func (w *weighing) no(format string, args ...any) {
	if w.against == "" {
		w.against = fmt.Sprintf(format, args...)
	}
}

// weigh fills the score and the reasons.
func (w *weighing) weigh() {
	w.weighName()
	w.weighID()
	w.weighKind()
	w.weighSurroundings()
	w.rule()
}

// The points of each agreement.
const (
	forName     = 40
	forMeaning  = 25
	forAWord    = 10
	forID       = 25
	forRole     = 10
	forHref     = 15
	forInput    = 12
	forPlace    = 12
	forTitle    = 12
	forItem     = 25
	forNear     = 6
	forAnchor   = 6
	forOneLabel = 4
)

func (w *weighing) weighName() {
	was, is := w.known.name, w.it.name
	switch {
	case was == "" && is == "":
		w.weighText()
		return
	case was == "" || is == "":
		w.name = conflict
		w.no("one of them has no name")
		return
	}
	switch w.name = alike(was, is); w.name {
	case same:
		w.speaks(forName, "it has the same name")
	case similar:
		w.speaks(forMeaning, "%q says the same as %q", is, was)
	case partial:
		w.speaks(forAWord, "%q has a word of %q", is, was)
	case unlike:
	case conflict:
		w.no("%q says something else than %q", is, was)
	}
}

// weighText compares the texts in elements without a name. A value or a count may change, words may not.
func (w *weighing) weighText() {
	w.name = unlike
	was, is := words(w.known.text), words(w.it.text)
	switch letters := func(w string) bool { return strings.ContainsFunc(w, unicode.IsLetter) }; {
	case !slices.ContainsFunc(was, letters):
	case slices.Equal(was, is):
		w.name = same
		w.speaks(forName, "it says the same")
	case w.known.full && !collects(w.known.print.Role):
		w.no("it says %q, not %q", w.it.text, w.known.text)
	}
}

// collects are roles of elements whose content comes and goes.
func collects(role string) bool {
	switch role {
	case "list", "table", "grid", "tree", "listbox", "menu", "tablist", "rowgroup", "feed", "combobox", "form", "region":
		return true
	}
	return false
}

// weighID compares ids. One that several elements have says nothing.
func (w *weighing) weighID() {
	for _, id := range w.known.ids {
		if !slices.Contains(w.it.ids, id) || holders(w.now, id) != 1 {
			continue
		}
		w.id = true
		w.speaks(forID, "it has the same id %q", id)
		return
	}
}

// holders counts the elements with an id or test id.
func holders(s *screen.Snapshot, id string) int {
	return count(s, func(n *screen.Node) bool { return slices.Contains(n.IDs(), id) })
}

func count(s *screen.Snapshot, is func(*screen.Node) bool) (found int) {
	var walk func(n *screen.Node)
	walk = func(n *screen.Node) {
		if is(n) {
			found++
		}
		for _, c := range n.Children {
			walk(c)
		}
	}
	walk(s.Root)
	return found
}

func (w *weighing) weighKind() {
	if w.known.print.Role == w.it.print.Role {
		w.speaks(forRole, "it is a %s, too", w.it.print.Role)
	} else if w.name != same {
		w.no("its role is %s, not %s", w.it.print.Role, w.known.print.Role)
	}
	if !w.known.full {
		return
	}
	if w.leads() && w.tellingAddress() {
		w.speaks(forHref, "it leads to %s, too", w.it.href)
	}
	switch {
	case w.known.input == w.it.input && distinct(w.it.input):
		w.speaks(forInput, "it takes %s, too", w.it.input)
	case w.known.input != w.it.input && (w.known.input == "password" || w.it.input == "password"):
		w.no("one of them takes a password")
	}
	if w.known.placeholder != "" && w.known.placeholder == w.it.placeholder {
		w.speaks(forNear, "its hint is the same")
	}
}

// distinct are types of fields that a form hardly has two of.
func distinct(input string) bool {
	switch input {
	case "email", "tel", "date", "password", "search", "file", "url", "month", "time", "color", "range":
		return true
	}
	return false
}

func (w *weighing) weighSurroundings() {
	was, is := w.known.print, w.it.print
	bare := len(was.Within)+len(is.Within) == 0
	if bare || len(was.Within) > 0 && len(is.Within) > 0 && alike(was.Within[0], is.Within[0]) == same {
		w.place = true
		w.speaks(forPlace, "it stands in the same place")
	}
	w.weighNear()
	w.weighAround()
	w.besideText(w.known.before, w.it.before, "before")
	w.besideText(w.known.after, w.it.after, "after")
	if i := slices.IndexFunc(w.known.anchors, func(a string) bool { return slices.Contains(w.it.anchors, a) }); i >= 0 {
		w.anchors = true
		w.speaks(forAnchor, "it lies in %s", w.known.anchors[i])
	}
}

func (w *weighing) weighNear() {
	is := w.it.print.Near
	for i, d := range w.known.print.Near {
		switch {
		case i == 0 && len(is) > 0 && (is[0] == d || w.it.inItem && w.known.inItem && quoted(is[0]) == quoted(d)):
			w.title, w.near = true, true
			points := forTitle
			if w.inItemOf() {
				points = forItem
			}
			w.speaks(points, "it stands next to %s", d)
		case slices.Contains(is, d):
			w.near = true
			w.speaks(forNear, "%s is near", d)
		}
	}
}

// weighAround compares what is read around both, whatever it is made of.
func (w *weighing) weighAround() {
	var all map[string]bool
	for _, text := range w.known.around {
		w.of++
		switch {
		case w.it.reads(text):
			w.along++
			continue
		case w.it.reads(eitherSide + text[1:]):
			w.turned++
			continue
		}
		if all == nil {
			all = texts(w.now)
		}
		if all[text[1:]] {
			w.left++
		}
	}
	if w.among() {
		w.near = true
		there := w.along + w.turned
		w.speaks(forNear+min(there, 3)*forOneLabel, "%d of %d texts around it are the same", there, w.of)
	}
	if w.under() {
		w.speaks(forOneLabel, "it stands under %q", w.it.under)
	}
}

// under reports whether both stand under the same heading.
func (w *weighing) under() bool {
	return w.known.under != "" && plain(w.known.under) == plain(w.it.under)
}

// among reports whether at least half of what was around the element is around the candidate.
func (w *weighing) among() bool { return w.along+w.turned > 0 && 2*(w.along+w.turned) >= w.of }

// texts are what can be read on a screen.
func texts(s *screen.Snapshot) map[string]bool {
	out := map[string]bool{}
	var walk func(n *screen.Node)
	walk = func(n *screen.Node) {
		if inSight(n) {
			out[plain(n.Name)], out[plain(n.Text)] = true, true
		}
		for _, c := range n.Children {
			walk(c)
		}
	}
	walk(s.Root)
	return out
}

func (w *weighing) besideText(was, is, side string) {
	if was != "" && was == is {
		w.near = true
		w.speaks(forOneLabel, "%q stands %s it", short(is), side)
	}
}

func short(s string) string {
	if r := []rune(s); len(r) > 30 {
		return string(r[:29]) + "…"
	}
	return s
}

// rule says whether the candidate may win. Each kind of likeness of names needs its own proof beside it.
func (w *weighing) rule() {
	w.ruleItem()
	is, was := w.it.name, w.known.name
	w.needs(w.assertable(), "an assertion is not given an element of another name")
	switch w.name {
	case same:
		w.needs(w.settled() || w.leads() || w.identical(), "nothing but its name speaks for it")
	case similar:
		w.needs(w.settled() && !w.wasNeighbour(), "it has another name, and stands elsewhere")
	case partial:
		w.needs(w.reads(), "%q may be something else than %q", is, was)
	case unlike:
		if was == "" {
			w.ruleNameless()
			return
		}
		w.needs(w.fits() || w.translated() || w.hinted(), "%q has nothing of %q", is, was)
	case conflict:
	}
	w.needs(!w.leftBehind() || w.translated(), "what stood around %q is still there, without it", was)
}

// reads reports whether a name with a word in common says the same: the words in which they differ distinguish nothing
// here, or a model says so and all but the name is what it was.
func (w *weighing) reads() bool {
	return w.settled() && (w.explained() || w.typed() || w.hinted()) || w.fits() || w.translated()
}

// needs is a rule that holds or speaks against the candidate.
func (w *weighing) needs(holds bool, format string, args ...any) {
	if !holds {
		w.no(format, args...)
	}
}

// assertable reports whether an assertion may be given the candidate.
func (w *weighing) assertable() bool {
	return !w.asserts || w.name == same || w.known.name == "" && w.id
}

// settled reports whether the candidate stands among what was there: in the item or under the label of then, in a place
// of that name, or among the texts of then. An id alone proves nothing, for ids are used again.
func (w *weighing) settled() bool {
	return w.among() || w.anchors || w.inItemOf() || w.of == 0 && (w.near || w.under() || w.id)
}

// inItemOf reports whether both stand in the item of one title.
func (w *weighing) inItemOf() bool {
	return w.title && w.known.inItem && w.it.inItem
}

// leftBehind reports whether more of what stood around the element is elsewhere than came along.
func (w *weighing) leftBehind() bool {
	if w.inItemOf() || w.leads() {
		return false
	}
	other := w.known.under != "" && !w.under() && !w.anchors && texts(w.now)[plain(w.known.under)]
	return w.left > w.along+w.turned || other && !(w.known.full && 2*w.along > w.of)
}

// wasNeighbour reports whether the candidate is called as something that stood beside the element.
func (w *weighing) wasNeighbour() bool {
	return slices.Contains(w.known.print.Near, w.it.node.Descriptor()) || w.known.reads(eitherSide+plain(w.it.name))
}

// explained reports whether the words in which the two names differ are said by the heading, the form or the page that
// the element stood in then and stands in now. Any other word may distinguish it from what it was.
func (w *weighing) explained() bool {
	var context []string
	for _, text := range slices.Concat([]string{w.known.under, w.it.under}, headings(w.known.print.Near),
		w.known.print.Within, w.it.print.Within) {
		if _, name, ok := strings.Cut(text, `"`); ok {
			text = strings.TrimSuffix(name, `"`)
		}
		context = append(context, concepts(words(text))...)
	}
	differ := apart(w.known.name, w.it.name)
	for i, a := range differ {
		if slices.ContainsFunc(differ[i+1:], func(b string) bool { return spelled(a, b) }) || !hasLetter(a) ||
			strings.HasPrefix(a, deed) || !slices.ContainsFunc(context, func(c string) bool { return spelled(a, c) }) {
			return false
		}
	}
	return true
}

// stands reports whether the candidate is in the same place, among the same neighbours.
func (w *weighing) stands() bool { return w.place && (w.near || w.anchors) }

// fits reports whether a model names the candidate, and all but its name is the same: its kind, its place among the
// same neighbours, and its target. An id is not enough: it outlives the purpose of its element.
func (w *weighing) fits() bool {
	return w.vouched && w.known.print.Role == w.it.print.Role && w.stands() && w.leads() && w.tellingAddress()
}

// tellingAddress reports whether the address tells the element from others: it is that of a page of its own, and no
// link of another name led there on the green run.
func (w *weighing) tellingAddress() bool {
	return w.it.href != "/" && !strings.HasPrefix(w.it.href, "#") && w.was != nil &&
		count(w.was, func(n *screen.Node) bool {
			web, ok := n.Native.(*screen.Web)
			name := callName(n)
			return ok && path(web.Href) == w.it.href && name != "" && name != w.known.name
		}) == 0
}

// leads reports whether both lead to the same address.
func (w *weighing) leads() bool { return w.known.href != "" && w.known.href == w.it.href }

func headings(near []string) []string {
	return filter(near, func(d string) bool { return strings.HasPrefix(d, "heading ") })
}

// translated reports whether a model names the candidate on a page whose words are all others, and whose controls are
// the same, in the same order: the candidate is the one of the same number.
func (w *weighing) translated() bool {
	if !w.vouched || w.known.node == nil || w.known.print.Role != w.it.print.Role {
		return false
	}
	if len(w.known.ids) > 0 && len(w.it.ids) > 0 && !w.id {
		return false
	}
	return w.reworded(partOf(w.known.node), partOf(w.it.node)) || w.reworded(w.was.Root, w.now.Root)
}

// reworded reports whether most controls of a part of the page are called otherwise, and all are of the kind and in the
// place of then.
func (w *weighing) reworded(then, now *screen.Node) bool {
	was, is := pressable(then, nil), pressable(now, nil)
	i := slices.Index(is, w.it.node)
	if len(was) != len(is) || i < 0 || was[i] != w.known.node {
		return false
	}
	kept, all := 0, 0
	for k, n := range was {
		if n.Role != is[k].Role {
			return false
		}
		if name := callName(n); k != i && name != "" {
			if all++; alike(name, callName(is[k])) >= partial {
				kept++
			}
		}
	}
	return all >= fewest && 2*kept <= all
}

// fewest is how many other named controls must show that a page is translated.
const fewest = 3

// pressable are the controls of a page that can be seen, in reading order.
func pressable(n *screen.Node, out []*screen.Node) []*screen.Node {
	if n.Control() && inSight(n) {
		out = append(out, n)
	}
	for _, c := range n.Children {
		out = pressable(c, out)
	}
	return out
}

// typed reports whether both are the only field of their screen that takes the same kind of thing, in the same place.
func (w *weighing) typed() bool {
	generic := func(word string) bool { return slices.Contains([]string{"address", "number"}, word) }
	return w.place && w.known.full && distinct(w.it.input) && w.known.input == w.it.input && w.onlyOfItsType() &&
		len(filter(apart(w.known.name, w.it.name), func(a string) bool { return !generic(a) })) == 0
}

// hinted reports whether both are called by a hint alone, which is an example of what they take, and come right after a
// label of the same words, between the same texts; or the same hint stands in both, and that label names the candidate.
func (w *weighing) hinted() bool {
	was := w.known.label()
	switch {
	case was == "" || w.known.input != w.it.input:
		return false
	case w.it.name != w.it.placeholder:
		return was == plain(w.it.name) && w.known.placeholder == w.it.placeholder
	}
	return was == w.it.label() && w.labelled()
}

// label is the text of the label right before a field that only a hint names.
func (f *facts) label() string {
	if f.placeholder == "" || f.placeholder != f.name || f.node == nil || f.node.Parent == nil {
		return ""
	}
	kin := f.node.Parent.Children
	i := slices.Index(kin, f.node) - 1
	if i < 0 {
		return ""
	}
	if d, ok := kin[i].Native.(*screen.Web); !ok || d.Tag != "label" {
		return ""
	}
	return plain(kin[i].WholeText())
}

// identical reports whether all that a fingerprint keeps agrees, where nothing else is known and nothing is called the
// same.
func (w *weighing) identical() bool {
	return !w.known.full && w.known.print.Alike+w.it.print.Alike == 0 && w.known.print.Compare(w.it.print).Same
}

// ruleNameless is for elements without a name: an id, a title or the label before it must identify them.
func (w *weighing) ruleNameless() {
	labelled := w.known.before != "" && w.known.before == w.it.before
	if !w.id && !(w.place && w.title) && !(w.stands() && labelled) {
		w.no("it has no name, and nothing else tells it")
	}
	was, is := w.known.print.Class, w.it.print.Class
	other := !slices.ContainsFunc(was, func(c string) bool { return slices.Contains(is, c) })
	if len(was) > 0 && len(is) > 0 && other && !w.id && !(w.inItemOf() && filled(w.it.print.Role)) {
		w.no("its class is another")
	}
}

// filled are the roles of what is filled in: in an item of a title its place tells it, whatever its class.
func filled(role string) bool {
	switch kindOf(role) {
	case "write", "choose", "check":
		return true
	}
	return false
}

// ruleItem is for elements in an item, or of several with the same name: the title must be the recorded one.
func (w *weighing) ruleItem() {
	was, is := w.known, w.it
	if w.id && was.print.Alike == 0 && is.print.Alike == 0 {
		return
	}
	switch {
	case was.inItem != is.inItem:
		w.no("one of them is part of an item, such as a card or a row")
	case was.inItem && was.item != "" && alike(was.item, is.item) < similar:
		w.no("it belongs to %q, not to %q", short(is.item), short(was.item))
	case was.print.Alike > 0 && !was.inItem && !w.title && !w.id && !w.labelled() && !w.onlyOfItsPart():
		w.no("there were several of its name, and nothing tells that it is the one")
	}
}

// onlyOfItsPart reports whether both are alone of their name in the same part of the page: the others of that name
// stand in other landmarks.
func (w *weighing) onlyOfItsPart() bool {
	if w.known.node == nil {
		return false
	}
	then, now := partOf(w.known.node), partOf(w.it.node)
	page := then.Parent == nil && now.Parent == nil // whose name is its title
	return (page || then.Role == now.Role && then.Name == now.Name) && alone(then, w.known.node) && alone(now, w.it.node)
}

// alone reports whether a part of the page has no other element that is called as n, landmarks in it left out.
func alone(part, n *screen.Node) bool {
	return !slices.ContainsFunc(part.Children, func(c *screen.Node) bool {
		twin := c != n && c.Role == n.Role && alike(callName(c), callName(n)) == same
		return !c.State.Has(screen.Landmark) && (twin || !alone(c, n))
	})
}

// labelled reports whether what is read before and after the candidate is what was read then.
func (w *weighing) labelled() bool {
	return w.place && w.known.full && w.known.before != "" && w.known.before == w.it.before && w.known.after == w.it.after
}

// onlyOfItsType reports whether no other field of the screen takes the same kind of thing.
func (w *weighing) onlyOfItsType() bool {
	count := 0
	var walk func(n *screen.Node)
	walk = func(n *screen.Node) {
		if d, ok := n.Native.(*screen.Web); ok && d.InputType == w.it.input {
			count++
		}
		for _, c := range n.Children {
			walk(c)
		}
	}
	walk(w.now.Root)
	return count == 1
}
