package identity

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/words"
)

// Likeness is the answer to: is this still the element that was recorded?
type Likeness struct {
	Same        bool
	Differences []string // each a sentence
}

// agreement compares what is known of an element with another, feature by feature. Each decision reads it by rules of
// its own: Compare, Verified and Relocate.
type agreement struct {
	Likeness
	was, is      features
	within, near int  // how many of the places, of the neighbours are left
	named        int  // how many of the places have a name, or all where no neighbour was recorded: all lies in main
	place, title bool // whether the closest place, the first neighbour is among them
}

// agree compares the surroundings; where the fingerprints alone are known, it is all that can be compared of them.
func agree(was, is features) agreement {
	was.Near = slices.DeleteFunc(slices.Clone(was.Near), func(d string) bool { // early recordings held those too
		return measures(quoted(d))
	})
	before, now := skeletons(was.Within), skeletons(is.Within) // a list may be called "Cart (3)"
	named := before
	if len(was.Near) > 0 {
		named = onlyNamed(before)
	}
	a := agreement{Likeness: Likeness{Same: true}, was: was, is: is, within: common(before, now),
		near: common(was.Near, is.Near), named: common(named, now),
		place: len(before) > 0 && slices.Contains(now, before[0]),
		title: len(was.Near) > 0 && slices.Contains(is.Near, was.Near[0])}
	if up := was.Under(); up != "" { // the title of the page stands over everything
		a.near = common(was.Near[1:], is.Near)
		if slices.Contains(is.Near, up) {
			a.near++
		}
	}
	return a
}

// Compare compares an element as it is now with the one that was recorded. Role, name and test id must agree; with
// the same test id a name may differ in its numbers ("Cart (2)"), for then something else identifies it. Where
// several elements have the same name, then or now, and none of them has a text of its own, the title of its item
// and its place must agree too: only they identify it. Alone, it must still be part of the same item, if it was
// part of one. Otherwise its neighbours may go, but when neither the place nor the title above it is left, it is
// another element that happens to be called the same.
func (f Fingerprint) Compare(now Fingerprint) Likeness {
	a := agree(features{Fingerprint: f}, features{Fingerprint: now})
	return a.judge()
}

// judge decides by the fingerprints alone.
func (a *agreement) judge() Likeness {
	f, now := &a.was, &a.is
	a.itself()
	if len(f.Within) > 0 && a.within == 0 {
		a.differ("it is no longer within %s", f.Within[0])
	}
	if len(f.Near) > 0 && a.near == 0 {
		a.differ("it is no longer next to %s", f.Near[0])
	}
	// An element with a text that is unique, now as then, needs no other proof among those of the same name.
	alike := (f.Alike > 0 || now.Alike > 0) && (f.Text == "" || f.Text != now.Text)
	if alike && a.otherClass() && !f.fieldOf(now.Fingerprint) {
		a.refuse("its class is %s, recorded was %s", strings.Join(now.Class, " "), strings.Join(f.Class, " "))
	}
	a.surroundings(alike)
	return a.Likeness
}

// itself compares what an element says of itself: its role, its name and its test id.
func (a *agreement) itself() {
	f, now := &a.was, &a.is
	if f.Role != now.Role {
		a.refuse("its role is %s, recorded was %s", now.Role, f.Role)
	}
	switch {
	case words.SameWords(f.Name, now.Name):
	case f.Name == "" && f.Role == "generic": // early recordings left out a generic's text
	case f.Column != "" && f.Column == now.Column && a.title && figure(f.Name) && figure(now.Name):
		a.differ("its name is %q, recorded was %q: only numbers differ, in the same row and column", now.Name, f.Name)
	case a.sameTestID() && !words.Generated(f.TestID) && skeleton(f.Name) == skeleton(now.Name):
		a.differ("its name is %q, recorded was %q: only numbers differ, and the test id is the same", now.Name, f.Name)
	default:
		a.refuse("its name is %q, recorded was %q", now.Name, f.Name)
	}
	if f.TestID != "" && f.TestID != now.TestID &&
		!(words.HasNumbers(f.TestID) && skeleton(f.TestID) == skeleton(now.TestID)) {
		a.refuse("its test id is %q, recorded was %q", now.TestID, f.TestID)
	}
}

// surroundings compares where an element stands; alike reports whether others have the same name.
func (a *agreement) surroundings(alike bool) {
	f, now := &a.was, &a.is
	switch {
	case alike && !a.title && len(f.Near) > 0:
		a.elsewhere("next to", f.Near[0], a.near == 0)
	case alike && !a.place && len(f.Within) > 0: // the same item in another list
		a.elsewhere("within", f.Within[0], a.within == 0)
	case alike, a.sameTestID():
	case f.Item != "" && len(f.Near) > 0:
		if !slices.Contains(skeletons(now.Near), skeleton(f.Near[0])) {
			a.elsewhere("next to", f.Near[0], a.near == 0)
		}
	case a.otherFields():
		a.refuse("it comes after %s, recorded was %s", strings.Join(fields(now.Near), " and "),
			strings.Join(fields(f.Near), " and "))
	case len(f.Within)+len(f.Near) > 0 && a.named+a.near == 0:
		a.Same = a.Same && (len(f.Within) == 0 || a.within > 0) && a.outlivesNeighbours()
	}
}

func (l *Likeness) differ(format string, args ...any) {
	l.Differences = append(l.Differences, fmt.Sprintf(format, args...))
}

// refuse notes a difference that only another element has.
func (l *Likeness) refuse(format string, args ...any) {
	l.Same = false
	l.differ(format, args...)
}

// elsewhere refuses an element for where it stands; a difference that was noted before is not repeated.
func (l *Likeness) elsewhere(relation, recorded string, noted bool) {
	if l.Same = false; !noted {
		l.differ("it is no longer %s %s", relation, recorded)
	}
}

func (a *agreement) sameTestID() bool { return a.was.TestID != "" && a.was.TestID == a.is.TestID }

// figure reports whether a text is nothing or a number.
func figure(name string) bool { return !strings.ContainsFunc(name, unicode.IsLetter) }

// otherClass reports whether both have classes, and none in common.
func (a *agreement) otherClass() bool {
	return len(a.was.Class) > 0 && len(a.is.Class) > 0 && common(a.was.Class, a.is.Class) == 0
}

// otherFields reports whether both are beside fields of a form, none of them the same, in no place of one name.
func (a *agreement) otherFields() bool {
	was, is := fields(a.was.Near), fields(a.is.Near)
	return len(was) > 0 && len(is) > 0 && common(was, is) == 0 &&
		common(skeletons(onlyNamed(a.was.Within)), skeletons(a.is.Within)) == 0
}

// outlivesNeighbours reports whether an element that is alone of its name is still the recorded one when nothing that
// it stood among is left.
func (a *agreement) outlivesNeighbours() bool {
	f := &a.was
	if slices.ContainsFunc(f.Near, describesField) { // the fields of a form stay with its button
		return false
	}
	return f.Name != "" && len(onlyNamed(f.Within)) == 0 && len(f.Near) > 0 &&
		(isItem(f.Role) || a.is.Item == "" && !titles(f.Near[0]))
}

// onlyNamed returns the places that have a name.
func onlyNamed(places []string) []string {
	return slices.DeleteFunc(slices.Clone(places), func(d string) bool { return !strings.Contains(d, `"`) })
}

// fieldOf reports whether both are fields beside the same words: the only such box of this row, or the field after
// that label while there are no more and no fewer of them. Its place identifies it then. A button's class may be all
// that shows its purpose.
func (f Fingerprint) fieldOf(now Fingerprint) bool {
	return (isField(f.Role) || f.Role == "generic" && f.Editor && now.Editor) && f.Item == now.Item &&
		(f.Item != "" || f.Alike == now.Alike) && len(f.Near) > 0 && slices.Contains(now.Near, f.Near[0])
}

// fields returns the neighbours that a person fills in.
func fields(near []string) []string {
	return slices.DeleteFunc(slices.Clone(near), func(d string) bool { return !describesField(d) })
}

func describesField(d string) bool {
	role, _, _ := strings.Cut(d, " ")
	return isField(role)
}

// titles reports whether a neighbour is a title of the text after it.
func titles(d string) bool { return strings.HasPrefix(d, "heading ") || strings.HasPrefix(d, "link ") }

func skeletons(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = skeleton(n)
	}
	return out
}

// skeleton is a name without its numbers.
func skeleton(name string) string { return digits().ReplaceAllString(words.Squeeze(name), "0") }

var digits = regex.Lazy(`\d+(?:[.,:/-]\d+)*`)

func common(a, b []string) int {
	n := 0
	for _, x := range a {
		if slices.Contains(b, x) {
			n++
		}
	}
	return n
}

// Verified reports whether n, one of the matches of sel, is known to be the element that was recorded, and not one
// of several that look the same. It asks only where a number leads to n, or the selector to several: then the
// fingerprint must distinguish n from visible nodes of the same name, or hold its position among them in a named
// place.
func Verified(s *screen.Snapshot, sel screen.Selector, matches int, f Fingerprint, n *screen.Node) bool {
	if matches < 2 && !sel.Counts() {
		return true
	}
	twins := twinsOf(s, n)
	if len(twins) == 0 {
		return true
	}
	found := agree(features{Fingerprint: f}, features{Fingerprint: fingerprint(n, twins)})
	if found.samePlace() {
		return true
	}
	for i, t := range twins {
		if i == maxTwins {
			return false
		}
		if outseen(t, n) {
			continue
		}
		others := append(append([]*screen.Node{n}, twins[:i]...), twins[i+1:]...)
		other := agree(found.was, features{Fingerprint: fingerprint(t, others)})
		if other.judge().Same || f.Alike == 0 && other.shared() >= found.shared() {
			return false
		}
	}
	return true
}

// samePlace reports whether an element stands where it stood among those alike in a named place.
func (a *agreement) samePlace() bool {
	f, now := &a.was, &a.is
	return len(f.Within) > 0 && len(now.Within) > 0 && skeleton(f.Within[0]) == skeleton(now.Within[0]) &&
		(f.Place == now.Place || f.Place == "") && f.Alike == now.Alike
}

// shared counts the recorded surroundings and classes of an element that are there now. It decides where the
// element was alone when it was recorded: nothing that distinguishes it from its new twins was needed then.
func (a *agreement) shared() int { return common(a.was.Class, a.is.Class) + a.near + a.within }

// maxTwins bounds how many elements that are called the same are looked at closely.
const maxTwins = 50
