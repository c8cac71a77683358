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

// Compare compares an element as it is now with the one that was recorded. Role, name and test id must agree; with
// the same test id a name may differ in its numbers ("Cart (2)"), for then something else identifies it. Where
// several elements have the same name, then or now, and none of them has a text of its own, the title of its item
// and its place must agree too: only they identify it. Alone, it must still be part of the same item, if it was
// part of one. Otherwise its neighbours may go, but when neither the place nor the title above it is left, it is
// another element that happens to be called the same.
func (f Fingerprint) Compare(now Fingerprint) Likeness {
	l := Likeness{Same: true}
	l.identity(&f, &now)
	f.Near = slices.DeleteFunc(slices.Clone(f.Near), func(d string) bool { // early recordings held those too
		_, text, _ := strings.Cut(d, ` "`)
		return measures(strings.TrimSuffix(text, `"`))
	})
	left := f.left(&now)
	l.lost(&f, left)
	// An element with a text that is unique, now as then, needs no other proof among those of the same name.
	alike := (f.Alike > 0 || now.Alike > 0) && (f.Text == "" || f.Text != now.Text)
	if alike && f.otherClass(&now) && !f.fieldOf(now) {
		l.refuse("its class is %s, recorded was %s", strings.Join(now.Class, " "), strings.Join(f.Class, " "))
	}
	l.surroundings(&f, &now, left, alike)
	return l
}

// surroundings compares where an element stands; alike reports whether others have the same name.
func (l *Likeness) surroundings(f, now *Fingerprint, left remains, alike bool) {
	switch {
	case alike && !left.title:
		l.elsewhere("next to", f.Near[0], left.near == 0)
	case alike && !left.place: // the same item in another list
		l.elsewhere("within", f.Within[0], left.within == 0)
	case alike, f.sameTestID(now):
	case f.Item != "" && len(f.Near) > 0:
		if !slices.Contains(skeletons(now.Near), skeleton(f.Near[0])) {
			l.elsewhere("next to", f.Near[0], left.near == 0)
		}
	case f.otherFields(now):
		l.refuse("it comes after %s, recorded was %s", strings.Join(fields(now.Near), " and "),
			strings.Join(fields(f.Near), " and "))
	case len(f.Within)+len(f.Near) > 0 && left.named+left.near == 0:
		l.Same = l.Same && (len(f.Within) == 0 || left.within > 0) && f.outlivesNeighbours(now)
	}
}

// remains counts the parts of the recorded surroundings that are left.
type remains struct {
	within, near int  // how many of the places, of the neighbours
	named        int  // how many of the places have a name, or all where no neighbour was recorded: all lies in main
	place, title bool // whether the closest place, the first neighbour is among them, or none was recorded
}

func (f *Fingerprint) left(now *Fingerprint) remains {
	was, is := skeletons(f.Within), skeletons(now.Within) // a list may be called "Cart (3)"
	named := was
	if len(f.Near) > 0 {
		named = slices.DeleteFunc(slices.Clone(was), func(d string) bool { return !strings.Contains(d, `"`) })
	}
	near := common(f.Near, now.Near)
	if up := f.Under(); up != "" { // the title of the page stands over everything
		near = common(f.Near[1:], now.Near)
		if slices.Contains(now.Near, up) {
			near++
		}
	}
	return remains{
		within: common(was, is), near: near, named: common(named, is),
		place: len(was) == 0 || slices.Contains(is, was[0]),
		title: len(f.Near) == 0 || slices.Contains(now.Near, f.Near[0]),
	}
}

// lost notes when no place or no neighbour is left.
func (l *Likeness) lost(f *Fingerprint, left remains) {
	if len(f.Within) > 0 && left.within == 0 {
		l.differ("it is no longer within %s", f.Within[0])
	}
	if len(f.Near) > 0 && left.near == 0 {
		l.differ("it is no longer next to %s", f.Near[0])
	}
}

// identity compares what an element says of itself: its role, its name and its test id.
func (l *Likeness) identity(f, now *Fingerprint) {
	if f.Role != now.Role {
		l.refuse("its role is %s, recorded was %s", now.Role, f.Role)
	}
	switch {
	case words.Squeeze(f.Name) == words.Squeeze(now.Name):
	case f.Name == "" && f.Role == "generic": // early recordings left out a generic's text
	case f.sameCell(now) && figure(f.Name) && figure(now.Name):
		l.differ("its name is %q, recorded was %q: only numbers differ, in the same row and column", now.Name, f.Name)
	case f.sameTestID(now) && !words.Generated(f.TestID) && skeleton(f.Name) == skeleton(now.Name):
		l.differ("its name is %q, recorded was %q: only numbers differ, and the test id is the same", now.Name, f.Name)
	default:
		l.refuse("its name is %q, recorded was %q", now.Name, f.Name)
	}
	if f.TestID != "" && f.TestID != now.TestID &&
		!(words.HasNumbers(f.TestID) && skeleton(f.TestID) == skeleton(now.TestID)) {
		l.refuse("its test id is %q, recorded was %q", now.TestID, f.TestID)
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

func (f *Fingerprint) sameTestID(now *Fingerprint) bool {
	return f.TestID != "" && f.TestID == now.TestID
}

// sameCell reports whether both are the cell of one column beside what their row is known by.
func (f *Fingerprint) sameCell(now *Fingerprint) bool {
	return f.Column != "" && f.Column == now.Column && len(f.Near) > 0 && slices.Contains(now.Near, f.Near[0])
}

// figure reports whether a text is nothing or a number.
func figure(name string) bool { return !strings.ContainsFunc(name, unicode.IsLetter) }

// otherClass reports whether both have classes, and none in common.
func (f *Fingerprint) otherClass(now *Fingerprint) bool {
	return len(f.Class) > 0 && len(now.Class) > 0 && common(f.Class, now.Class) == 0
}

// outlivesNeighbours reports whether an element that is alone of its name is still the recorded one when nothing that
// it stood among is left.
func (f *Fingerprint) outlivesNeighbours(now *Fingerprint) bool {
	if slices.ContainsFunc(f.Near, isField) { // the fields of a form stay with its button
		return false
	}
	bare := !slices.ContainsFunc(f.Within, func(d string) bool { return strings.Contains(d, `"`) })
	return f.Name != "" && bare && len(f.Near) > 0 && (isItem(f.Role) || now.Item == "" && !titles(f.Near[0]))
}

// fieldOf reports whether both are fields beside the same words: the only such box of this row, or the field after
// that label while there are no more and no fewer of them. Its place identifies it then. A button's class may be all
// that shows its purpose.
func (f Fingerprint) fieldOf(now Fingerprint) bool {
	switch f.Role {
	case "checkbox", "radio", "switch", "textbox", "searchbox", "combobox", "listbox", "spinbutton", "slider", "generic":
		return (f.Role != "generic" || f.Editor && now.Editor) && f.Item == now.Item &&
			(f.Item != "" || f.Alike == now.Alike) &&
			len(f.Near) > 0 && slices.Contains(now.Near, f.Near[0])
	}
	return false
}

// otherFields reports whether both stand beside the fields of a form, none of them the same, in no place of one name.
func (f *Fingerprint) otherFields(now *Fingerprint) bool {
	was, is := fields(f.Near), fields(now.Near)
	named := slices.DeleteFunc(slices.Clone(f.Within), func(d string) bool { return !strings.Contains(d, `"`) })
	return len(was) > 0 && len(is) > 0 && common(was, is)+common(skeletons(named), skeletons(now.Within)) == 0
}

func fields(near []string) []string {
	return slices.DeleteFunc(slices.Clone(near), func(d string) bool { return !isField(d) })
}

// isField reports whether a neighbour is something that a person fills in.
func isField(d string) bool {
	role, _, _ := strings.Cut(d, " ")
	switch role {
	case "textbox", "searchbox", "combobox", "listbox", "spinbutton", "checkbox", "radio", "switch", "slider":
		return true
	}
	return false
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
	now := fingerprint(n, twins)
	if f.samePlace(now) {
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
		other := fingerprint(t, others)
		if f.Compare(other).Same || f.Alike == 0 && f.shared(other) >= f.shared(now) {
			return false
		}
	}
	return true
}

// samePlace reports whether an element stands where it stood among those alike in a named place.
func (f Fingerprint) samePlace(now Fingerprint) bool {
	return len(f.Within) > 0 && len(now.Within) > 0 && skeleton(f.Within[0]) == skeleton(now.Within[0]) &&
		(f.Place == now.Place || f.Place == "") && f.Alike == now.Alike
}

// shared counts the recorded surroundings and classes of an element that are there now. It decides where the
// element was alone when it was recorded: nothing that distinguishes it from its new twins was needed then.
func (f Fingerprint) shared(now Fingerprint) int {
	return common(f.Class, now.Class) + common(f.Near, now.Near) + common(skeletons(f.Within), skeletons(now.Within))
}

// maxTwins bounds how many elements that are called the same are looked at closely.
const maxTwins = 50
