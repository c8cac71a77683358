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
	now       *screen.Snapshot
	asserts   bool
	vouched   bool // a model names the element

	score   int
	why     []string
	against string

	name                              likeness
	id, telling, place, near, anchors bool
	title                             bool // the item that it stands in is called the same
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

// weighText compares what stands in elements without a name. A value or a count may change, words may not.
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
		said := concepts(idWords(id))
		for _, c := range concepts(words(w.known.name)) {
			w.telling = w.telling || slices.ContainsFunc(said, func(o string) bool { return spelled(c, o) })
		}
		w.speaks(forID, "it has the same id %q", id)
		return
	}
}

// holders counts the elements with an id or test id.
func holders(s *screen.Snapshot, id string) int {
	count := 0
	var walk func(n *screen.Node)
	walk = func(n *screen.Node) {
		if d, ok := n.Native.(*screen.Web); ok && (d.TestID == id || d.HTMLID == id) {
			count++
		}
		for _, c := range n.Children {
			walk(c)
		}
	}
	walk(s.Root)
	return count
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
		case i == 0 && len(is) > 0 && is[0] == d:
			w.title, w.near = true, true
			w.speaks(forTitle, "it stands next to %s", d)
		case slices.Contains(is, d):
			w.near = true
			w.speaks(forNear, "%s is near", d)
		}
	}
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
		w.needs(w.surrounded() || w.leads() || w.identical(), "nothing but its name speaks for it")
	case similar:
		w.needs(w.id || w.stands(), "it has another name, and stands elsewhere")
	case partial:
		w.needs(w.typed() || w.named() || w.fits(), "%q may be something else than %q", is, was)
	case unlike:
		if was == "" {
			w.ruleNameless()
			return
		}
		w.needs(w.namedThere() || w.fits(), "%q has nothing of %q", is, was)
	case conflict:
	}
}

// needs is a rule that holds or speaks against the candidate.
func (w *weighing) needs(holds bool, format string, args ...any) {
	if !holds {
		w.no(format, args...)
	}
}

// named reports whether both stand in the same place, with an id that says what the name said.
func (w *weighing) named() bool { return w.id && w.telling && w.place }

// assertable reports whether an assertion may be given the candidate.
func (w *weighing) assertable() bool {
	return !w.asserts || w.name == same || w.known.name == "" && w.id
}

// namedThere reports whether an id says what the name said, among what was there.
func (w *weighing) namedThere() bool { return w.named() && w.stands() }

// surrounded reports whether an id or anything around the candidate is what it was.
func (w *weighing) surrounded() bool { return w.id || w.near || w.anchors }

// stands reports whether the candidate stands in the same place, among what was there.
func (w *weighing) stands() bool { return w.place && (w.near || w.anchors) }

// fits reports whether a model names the candidate, and all but its name is what it was: what it is, where it stands
// among what was there, and where it leads to. An id is not enough: it outlives what its element does.
func (w *weighing) fits() bool {
	return w.vouched && w.known.print.Role == w.it.print.Role && w.stands() && w.leads() && w.tellingAddress()
}

// tellingAddress reports whether the address is one that few links lead to.
func (w *weighing) tellingAddress() bool {
	return w.it.href != "/" && !strings.HasPrefix(w.it.href, "#")
}

// leads reports whether both lead to the same address.
func (w *weighing) leads() bool { return w.known.href != "" && w.known.href == w.it.href }

// typed reports whether both are the only field of their screen that takes the same kind of thing, in the same place.
func (w *weighing) typed() bool {
	return w.place && w.known.full && distinct(w.it.input) && w.known.input == w.it.input && w.onlyOfItsType()
}

// identical reports whether all that a fingerprint keeps agrees, where nothing else is known and nothing is called the
// same.
func (w *weighing) identical() bool {
	return !w.known.full && w.known.print.Alike+w.it.print.Alike == 0 && w.known.print.Compare(w.it.print).Same
}

// ruleNameless is for elements without a name: an id, a title or the label before it must tell them.
func (w *weighing) ruleNameless() {
	labelled := w.known.before != "" && w.known.before == w.it.before
	if !w.id && !(w.place && w.title) && !(w.stands() && labelled) {
		w.no("it has no name, and nothing else tells it")
	}
	was, is := w.known.print.Class, w.it.print.Class
	other := !slices.ContainsFunc(was, func(c string) bool { return slices.Contains(is, c) })
	if len(was) > 0 && len(is) > 0 && other && !w.id {
		w.no("its class is another")
	}
}

// ruleItem is for what stands in an item, or is one of several that are called the same: the title must be that of
// then.
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
	case was.print.Alike > 0 && !was.inItem && !w.title && !w.id && !w.labelled():
		w.no("there were several of its name, and nothing tells that it is the one")
	}
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
