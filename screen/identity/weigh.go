package identity

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/words"
)

// weighing compares what is known of an element with a candidate. Its score orders the candidates; its rules say which
// of them may win at all.
type weighing struct {
	agreement
	then, now *screen.Snapshot // then: of the green run, nil without one
	asserts   bool
	vouched   bool // a model names the element

	score   int
	why     []string
	against string

	name                words.Likeness
	id, beside, anchors bool
	// How many texts were around it; how many of them are there now, on the same side, on the other, or elsewhere on
	// the screen.
	of, along, turned, left int
}

func (w *weighing) speaks(points int, format string, args ...any) {
	w.score += points
	w.why = append(w.why, fmt.Sprintf(format, args...))
}

func (w *weighing) no(format string, args ...any) { w.needs(false, format, args...) }

// needs is a rule that holds or speaks against the candidate.
func (w *weighing) needs(holds bool, format string, args ...any) {
	if !holds && w.against == "" {
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
	was, is := w.was.Name, w.is.Name
	switch {
	case was == "" && is == "":
		w.weighText()
		return
	case was == "" || is == "":
		w.name = words.Conflicting
		w.no("one of them has no name")
		return
	}
	switch w.name = words.Alike(was, is); w.name {
	case words.Same:
		w.speaks(forName, "it has the same name")
	case words.Similar:
		w.speaks(forMeaning, "%q says the same as %q", is, was)
	case words.Partial:
		w.speaks(forAWord, "%q has a word of %q", is, was)
	case words.Unlike:
	case words.Conflicting:
		w.no("%q says something else than %q", is, was)
	}
}

// weighText compares the texts in elements without a name. A value or a count may change, words may not.
func (w *weighing) weighText() {
	w.name = words.Unlike
	was, is := words.Split(w.was.content), words.Split(w.is.content)
	switch {
	case !slices.ContainsFunc(was, hasLetter):
	case slices.Equal(was, is):
		w.name = words.Same
		w.speaks(forName, "it says the same")
	case w.was.node != nil && !changes(w.was.Role):
		w.no("it says %q, not %q", w.is.content, w.was.content)
	}
}

// weighID compares ids. One that several elements have says nothing.
func (w *weighing) weighID() {
	for _, id := range w.was.ids {
		holds := func(n *screen.Node) bool { return slices.Contains(n.IDs(), id) }
		if slices.Contains(w.is.ids, id) && count(w.now, holds) == 1 {
			w.id = true
			w.speaks(forID, "it has the same id %q", id)
			return
		}
	}
}

// changes reports whether the text in an element of a role comes and goes.
func changes(role string) bool {
	return collects(role) || role == "combobox" || role == "form" || role == "region"
}

// count returns how many elements of a screen are so.
func count(s *screen.Snapshot, is func(*screen.Node) bool) int {
	return len(screen.Pick(s.Below(s.Root), is))
}

func (w *weighing) weighKind() {
	if w.was.Role == w.is.Role {
		w.speaks(forRole, "it is a %s, too", w.is.Role)
	} else if w.name != words.Same {
		w.no("its role is %s, not %s", w.is.Role, w.was.Role)
	}
	if w.was.node == nil {
		return
	}
	if w.leads() && w.tellingAddress() {
		w.speaks(forHref, "it leads to %s, too", w.is.href)
	}
	switch {
	case w.was.input == w.is.input && distinct(w.is.input):
		w.speaks(forInput, "it takes %s, too", w.is.input)
	case w.was.input != w.is.input && (w.was.input == "password" || w.is.input == "password"):
		w.no("one of them takes a password")
	}
	if w.was.placeholder != "" && w.was.placeholder == w.is.placeholder {
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

// weighSurroundings reads the place and the title more strictly than Compare; docs/adr/0021-same-element.md says why.
func (w *weighing) weighSurroundings() {
	was, is := w.was.Within, w.is.Within
	w.place = len(was)+len(is) == 0 || len(was) > 0 && len(is) > 0 && words.Alike(was[0], is[0]) == words.Same
	if w.place {
		w.speaks(forPlace, "it stands in the same place")
	}
	w.weighNear()
	w.weighAround()
	w.besideText(w.was.before, w.is.before, "before")
	w.besideText(w.was.after, w.is.after, "after")
	if i := slices.IndexFunc(w.was.anchors, func(a string) bool { return slices.Contains(w.is.anchors, a) }); i >= 0 {
		w.anchors = true
		w.speaks(forAnchor, "it lies in %s", w.was.anchors[i])
	}
}

func (w *weighing) weighNear() {
	was, is := w.was.Near, w.is.Near
	w.title = len(was) > 0 && len(is) > 0 &&
		(was[0] == is[0] || w.was.inItem && w.is.inItem && quoted(was[0]) == quoted(is[0]))
	for i, d := range was {
		switch {
		case i == 0 && w.inItemOf():
			w.speaks(forItem, "it stands next to %s", d)
		case i == 0 && w.title:
			w.speaks(forTitle, "it stands next to %s", d)
		case slices.Contains(is, d):
			w.speaks(forNear, "%s is near", d)
		default:
			continue
		}
		w.beside = true
	}
}

// weighAround compares what is read around both, whatever it is made of.
func (w *weighing) weighAround() {
	var all map[string]bool
	for _, text := range w.was.around {
		w.of++
		switch {
		case w.is.reads(text):
			w.along++
			continue
		case w.is.reads(eitherSide + text[1:]):
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
		w.beside = true
		there := w.along + w.turned
		w.speaks(forNear+min(there, 3)*forOneLabel, "%d of %d texts around it are the same", there, w.of)
	}
	if w.under() {
		w.speaks(forOneLabel, "it stands under %q", w.is.under)
	}
}

// under reports whether both have the same heading over them.
func (w *weighing) under() bool {
	return w.was.under != "" && words.Plain(w.was.under) == words.Plain(w.is.under)
}

// among reports whether at least half of what was around the element is around the candidate.
func (w *weighing) among() bool { return w.along+w.turned > 0 && 2*(w.along+w.turned) >= w.of }

// texts returns the texts on a screen.
func texts(s *screen.Snapshot) map[string]bool {
	out := map[string]bool{}
	for _, n := range s.Below(s.Root) {
		if n.OnPage() {
			out[words.Plain(n.Name)], out[words.Plain(n.Text)] = true, true
		}
	}
	return out
}

func (w *weighing) besideText(was, is, side string) {
	if was != "" && was == is {
		w.beside = true
		w.speaks(forOneLabel, "%q stands %s it", short(is), side)
	}
}

func short(s string) string {
	if r := []rune(s); len(r) > 30 {
		return string(r[:29]) + "…"
	}
	return s
}

// rule says whether the candidate may win. Each likeness of names needs its own proof beside it.
func (w *weighing) rule() {
	w.ruleItem()
	is, was := w.is.Name, w.was.Name
	w.needs(w.assertable(), "an assertion is not given an element of another name")
	switch w.name {
	case words.Same:
		w.needs(w.settled() || w.leads() || w.identical(), "nothing but its name speaks for it")
	case words.Similar:
		w.needs(w.settled() && !w.wasNeighbour(), "it has another name, and stands elsewhere")
	case words.Partial:
		w.needs(w.reads(), "%q may be something else than %q", is, was)
	case words.Unlike:
		if was == "" {
			w.ruleNameless()
			return
		}
		w.needs(w.fits() || w.translated() || w.hinted(), "%q has nothing of %q", is, was)
	case words.Conflicting:
	}
	w.needs(!w.leftBehind() || w.translated(), "what stood around %q is still there, without it", was)
}

// reads reports whether a name with a word in common says the same: the words in which they differ distinguish nothing
// here, or a model says so and all but the name is what it was.
func (w *weighing) reads() bool {
	return w.settled() && (w.explained() || w.typed() || w.hinted()) || w.fits() || w.translated()
}

// assertable reports whether an assertion may be given the candidate.
func (w *weighing) assertable() bool {
	return !w.asserts || w.name == words.Same || w.was.Name == "" && w.id
}

// settled reports whether the candidate stands among what was there: in the item or under the label of then, in a place
// of that name, or among the texts of then. An id alone proves nothing, for ids are used again.
func (w *weighing) settled() bool {
	return w.among() || w.anchors || w.inItemOf() || w.of == 0 && (w.beside || w.under() || w.id)
}

// inItemOf reports whether both stand in the item of one title.
func (w *weighing) inItemOf() bool {
	return w.title && w.was.inItem && w.is.inItem
}

// leftBehind reports whether more of what stood around the element is elsewhere than came along.
func (w *weighing) leftBehind() bool {
	if w.inItemOf() || w.leads() {
		return false
	}
	other := w.was.under != "" && !w.under() && !w.anchors && texts(w.now)[words.Plain(w.was.under)]
	return w.left > w.along+w.turned || other && !(w.was.node != nil && 2*w.along > w.of)
}

// wasNeighbour reports whether the candidate is called as something that stood beside the element.
func (w *weighing) wasNeighbour() bool {
	return slices.Contains(w.was.Near, w.is.node.Descriptor()) || w.was.reads(eitherSide+words.Plain(w.is.Name))
}

// explained reports whether the words in which the two names differ are said by the heading, the form or the page that
// the element stood in then and stands in now. Any other word may distinguish it from what it was.
func (w *weighing) explained() bool {
	untitled := func(d string) bool { return !strings.HasPrefix(d, "heading ") }
	headings := slices.DeleteFunc(slices.Clone(w.was.Near), untitled)
	says := slices.Concat([]string{w.was.under, w.is.under}, headings, w.was.Within, w.is.Within)
	for i, d := range says {
		if _, _, named := strings.Cut(d, `"`); named {
			says[i] = quoted(d)
		}
	}
	return words.Explained(w.was.Name, w.is.Name, says...)
}

// stands reports whether the candidate is in the same place, among the same neighbours.
func (w *weighing) stands() bool { return w.place && (w.beside || w.anchors) }

// fits reports whether a model names the candidate, and all but its name is the same: its kind, its place among the
// same neighbours, and its target. An id is not enough: it outlives the purpose of its element.
func (w *weighing) fits() bool {
	return w.vouched && w.was.Role == w.is.Role && w.stands() && w.leads() && w.tellingAddress()
}

// tellingAddress reports whether the address tells the element from others: it is that of a page of its own, and no
// link of another name led there on the green run.
func (w *weighing) tellingAddress() bool {
	return w.is.href != "/" && !strings.HasPrefix(w.is.href, "#") && w.then != nil &&
		count(w.then, func(n *screen.Node) bool {
			web, ok := n.Native.(*screen.Web)
			name := words.Squeeze(n.Called())
			return ok && path(web.Href) == w.is.href && name != "" && name != w.was.Name
		}) == 0
}

// leads reports whether both lead to the same address.
func (w *weighing) leads() bool { return w.was.href != "" && w.was.href == w.is.href }

// translated reports whether a model names the candidate on a page whose words are all others, and whose controls are
// the same, in the same order: the candidate is the one of the same number.
func (w *weighing) translated() bool {
	if !w.vouched || w.was.node == nil || w.was.Role != w.is.Role {
		return false
	}
	if len(w.was.ids) > 0 && len(w.is.ids) > 0 && !w.id {
		return false
	}
	return w.reworded(landmarkOf(w.was.node), landmarkOf(w.is.node)) || w.reworded(w.then.Root, w.now.Root)
}

// reworded reports whether most controls of a part of the page are called otherwise, and all are of the kind and in the
// place of then.
func (w *weighing) reworded(then, now *screen.Node) bool {
	was, is := pressable(then), pressable(now)
	i := slices.Index(is, w.is.node)
	if len(was) != len(is) || i < 0 || was[i] != w.was.node {
		return false
	}
	kept, all := 0, 0
	for k, n := range was {
		if n.Role != is[k].Role {
			return false
		}
		if name := words.Squeeze(n.Called()); k != i && name != "" {
			if all++; words.Alike(name, words.Squeeze(is[k].Called())) >= words.Partial {
				kept++
			}
		}
	}
	return all >= fewest && 2*kept <= all
}

// fewest is the number of other named controls that must show that a page is translated.
const fewest = 3

// pressable returns the controls in a part of a page that can be seen, in reading order.
func pressable(n *screen.Node) []*screen.Node {
	return screen.Pick(screen.Preorder(n), func(n *screen.Node) bool { return n.Control() && n.OnPage() })
}

// typed reports whether both are the only field of their screen that takes the same kind of thing, in the same place.
func (w *weighing) typed() bool {
	return w.place && w.was.node != nil && distinct(w.is.input) && w.was.input == w.is.input && w.onlyOfItsType() &&
		words.Explained(w.was.Name, w.is.Name, "address number")
}

// hinted reports whether both are called by a hint alone, which is an example of what they take, and come right after a
// label of the same words, between the same texts; or the same hint stands in both, and that label names the candidate.
func (w *weighing) hinted() bool {
	was := w.was.label()
	switch {
	case was == "" || w.was.input != w.is.input:
		return false
	case w.is.Name != w.is.placeholder:
		return was == words.Plain(w.is.Name) && w.was.placeholder == w.is.placeholder
	}
	return was == w.is.label() && w.labelled()
}

// label is the text of the label right before a field that only a hint names.
func (f *features) label() string {
	if f.placeholder == "" || f.placeholder != f.Name || f.node == nil || f.node.Parent == nil {
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
	return words.Plain(kin[i].FullText())
}

// identical reports whether all that a fingerprint keeps agrees, where nothing else is known and nothing is called the
// same.
func (w *weighing) identical() bool {
	return w.was.node == nil && w.was.Alike+w.is.Alike == 0 && w.was.Compare(w.is.Fingerprint).Same
}

// ruleNameless asks of an element without a name that an id, a title or the label before it identifies it.
func (w *weighing) ruleNameless() {
	labelled := w.was.before != "" && w.was.before == w.is.before
	if !w.id && !(w.place && w.title) && !(w.stands() && labelled) {
		w.no("it has no name, and nothing else tells it")
	}
	if w.otherClass() && !w.id && !(w.inItemOf() && isField(w.is.Role)) {
		w.no("its class is another")
	}
}

// ruleItem asks of an element in an item, or of several with the same name, that the title is the recorded one.
func (w *weighing) ruleItem() {
	was, is := &w.was, &w.is
	if w.id && was.Alike == 0 && is.Alike == 0 {
		return
	}
	switch {
	case was.inItem != is.inItem:
		w.no("one of them is part of an item, such as a card or a row")
	case was.inItem && was.item != "" && words.Alike(was.item, is.item) < words.Similar:
		w.no("it belongs to %q, not to %q", short(is.item), short(was.item))
	case was.Alike > 0 && !was.inItem && !w.title && !w.id && !w.labelled() && !w.onlyOfItsPart():
		w.no("there were several of its name, and nothing tells that it is the one")
	}
}

// onlyOfItsPart reports whether both are alone of their name in the same part of the page: the others of that name
// stand in other landmarks.
func (w *weighing) onlyOfItsPart() bool {
	if w.was.node == nil {
		return false
	}
	then, now := landmarkOf(w.was.node), landmarkOf(w.is.node)
	page := then.Parent == nil && now.Parent == nil // whose name is its title
	return (page || then.Role == now.Role && then.Name == now.Name) && alone(then, w.was.node) && alone(now, w.is.node)
}

// alone reports whether a part of the page has no other element that is called as n, landmarks in it left out.
func alone(part, n *screen.Node) bool {
	return !slices.ContainsFunc(part.Children, func(c *screen.Node) bool {
		twin := c != n && c.Role == n.Role && words.Alike(words.Squeeze(c.Called()), words.Squeeze(n.Called())) == words.Same
		return !c.State.Has(screen.Landmark) && (twin || !alone(c, n))
	})
}

// labelled reports whether what is read before and after the candidate is what was read then.
func (w *weighing) labelled() bool {
	return w.place && w.was.node != nil && w.was.before != "" && w.was.before == w.is.before &&
		w.was.after == w.is.after
}

// onlyOfItsType reports whether no other field of the screen takes the same kind of thing.
func (w *weighing) onlyOfItsType() bool {
	return count(w.now, func(n *screen.Node) bool {
		d, ok := n.Native.(*screen.Web)
		return ok && d.InputType == w.is.input
	}) == 1
}
