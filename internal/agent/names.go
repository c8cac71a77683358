package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/identity"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// act is a call that changed something.
type act struct {
	description string   // the call and what it was made on
	names       string   // of its element, item and place, and what was put in
	after       string   // lines that came to the screen by it
	twins       []string // the names of each element of the same role and name, its item and its place
	others      []string // the names of the other controls
}

// actOf is the act of a call. A tool that acts on no element is known by its own words and its arguments, such as an
// address.
func actOf(s *tool.Spec, c tool.Call, ev *tool.Evidence) act {
	var args map[string]any
	_ = json.Unmarshal(c.Args, &args) // a call that was made has them
	maps.DeleteFunc(args, func(k string, _ any) bool { return k == "ref" || strings.HasSuffix(k, "Ref") })
	put, _ := json.Marshal(args) // they were JSON
	out := act{description: c.Name + " " + string(put), names: strings.Join(scalars(args), " ")}
	if ev == nil || ev.Target == nil {
		out.names += " " + s.Name + " " + s.Title
		return out
	}
	t := ev.Target
	out.description = c.Name + " on " + strings.TrimSpace(fmt.Sprintf("%s %q", t.Role, t.Name+t.Text))
	if title := t.Title(); title != "" {
		out.description += fmt.Sprintf(" at %q", title)
	}
	if len(t.Within) > 0 {
		out.description += " in " + t.Within[0]
	}
	if len(args) > 0 {
		out.description += " " + string(put)
	}
	out.names += " " + namesOf(t)
	return out
}

// namesOf returns the names of an element, of its item and of its place.
func namesOf(f *identity.Fingerprint) string {
	names := []string{f.Name, f.Text, f.TestID, f.Column, f.Title()}
	for _, place := range f.Within {
		if name := identity.NameIn(place); name != "" { // the nearest that has one
			return strings.Join(append(names, name), " ")
		}
	}
	return strings.Join(names, " ")
}

// maxTwins limits the elements of the same role and name that an act is compared with.
const maxTwins = 200

// noteOtherControls notes the other controls of the screen that an act was made on.
func (x *act) noteOtherControls(snap *screen.Snapshot, t *identity.Fingerprint) {
	if snap == nil || t == nil {
		return
	}
	var walk func(n *screen.Node)
	walk = func(n *screen.Node) {
		switch {
		case n.Visibility == screen.Hidden || n.Ref == "":
		case n.Role == t.Role && strings.Join(strings.Fields(n.Name), " ") == t.Name:
			if len(x.twins) < maxTwins {
				f := identity.Of(snap, n)
				x.twins = append(x.twins, namesOf(&f))
			}
		case n.State&(screen.Clickable|screen.Editable) != 0 && n.Name != "":
			x.others = append(x.others, n.Name)
		}
		for _, c := range n.Children {
			walk(c)
		}
	}
	walk(snap.Root)
}

// named holds the words of a step against the names of what it acted on. Where an act shares none with it, or nothing
// was done because a condition does not hold, the judge must say that the calls carry out the step: a model that
// presses something else, or leaves what is to be done, leaves a recording that plays well.
func (a *Agent) named(ctx context.Context, step string, acts []act) error {
	if a.Unjudged {
		return nil
	}
	words := terms(a.plain(step), leastTerm)
	var odd, all []string
	what := "Calls that were made for it, and that changed something"
	if len(acts) == 0 && a.Outer == nil { // what an outer agent does beside the device is no act
		what, odd = "Calls that were made for it, none of which changed anything", []string{"no call that changes anything"}
		for _, d := range a.done {
			all = append(all, clip(d.call.Name+" "+string(d.call.Args), 300)+" -> "+d.summary)
		}
	}
	for _, x := range acts {
		all = append(all, clip(x.description, 300))
		if !related(words, terms(a.plain(x.names), leastTerm)) {
			odd = append(odd, clip(x.description, 120))
		}
	}
	if odd = append(odd, a.unlike(step, acts)...); len(odd) == 0 {
		return nil
	}
	j, err := a.rule(ctx, "Judge this step: "+step, what, all)
	if err != nil || j.Ruling == Holds {
		return err
	}
	return fault.New(fault.Degraded, op, "the step was carried out by %s, and the judge (%s) says %q: %s",
		a.mask(strings.Join(odd, ", ")), j.Model, j.Ruling, j.Why).
		WithHint("What was done stays done in the app. Word the step by what is on the screen, or choose another model.")
}

// unlike returns the acts that share words with a step, and may still be others: the last one where a quoted text, a
// number or a name of the step is in none of them, in no assertion and in nothing that came to the screen; each that
// was made more often than the step says; and each that left out a thing which the step names.
func (a *Agent) unlike(step string, acts []act) (odd []string) {
	times, names := map[string]int{}, words(strings.Join(a.ledger.passed(), " "))
	for _, x := range acts {
		times[x.description]++
		names += words(a.plain(x.description + " " + x.names + " " + x.after))
	}
	said, known := terms(a.plain(step), leastMark), terms(names, leastMark)
	for _, x := range acts {
		if a.passedBy(x, said, known) {
			odd = append(odd, clip(x.description, 120))
		}
	}
	for said, n := range times {
		if n > 1 && n != largest(step) {
			odd = append(odd, fmt.Sprintf("%s, %d times", clip(said, 120), n))
		}
	}
	if len(acts) > 0 && slices.ContainsFunc(particulars(step), func(p string) bool {
		return !strings.Contains(names, words(p))
	}) {
		odd = append(odd, clip(acts[len(acts)-1].description, 120))
	}
	return odd
}

// passedBy reports whether an act left out a thing that the step names: an element of the same name in another item or
// place, which has the words of the step, or a control with words of the step that nothing else has.
func (a *Agent) passedBy(x act, step, known []string) bool {
	own := terms(a.plain(x.names), leastMark)
	left := func(word string) bool {
		return utf8.RuneCountInString(word) >= leastTerm && among(word, step) && !among(word, known)
	}
	for _, twin := range x.twins {
		other := terms(twin, leastMark)
		its := lacking(other, own)
		if slices.ContainsFunc(its, left) || related(step, its) && !related(step, lacking(own, other)) {
			return true
		}
	}
	return slices.ContainsFunc(x.others, func(name string) bool {
		its := lacking(terms(name, leastTerm), own)
		missed := 0
		for _, w := range its {
			if left(w) {
				missed++
			}
		}
		return missed > 0 && 2*missed >= len(its)
	})
}

func among(word string, all []string) bool { return related([]string{word}, all) }

// lacking are the words that another text does not have.
func lacking(words, other []string) (out []string) {
	for _, w := range words {
		if !among(w, other) {
			out = append(out, w)
		}
	}
	return out
}

// plain is a text with its tokens and what they stand for, to compare words by.
func (a *Agent) plain(text string) string {
	if a.Memory != nil {
		if full, _, err := a.Memory.ExpandString(text); err == nil {
			text += " " + full
		}
	}
	return tokenHeads().ReplaceAllString(text, " ")
}

var (
	tokenHeads = regex.Lazy(`\{\{\??(?:memory|args|params)\.|https?://`)
	humps      = regex.Lazy(`(\p{Ll})(\p{Lu})`)
)

const (
	leastMark = 3 // letters of a word that tells an element from one of the same name
	leastTerm = 4 // letters of a word that tells things apart, and of a stem
	leastPart = 5 // letters of a word within a compound
)

// terms are the words of a text by which two texts can be compared in any language: numbers, and those of at least
// this many letters, since shorter ones are mostly articles and prepositions. Where no blank separates words they are
// pairs of characters.
func terms(text string, least int) (out []string) {
	for w := range strings.FieldsSeq(words(humps().ReplaceAllString(text, "$1 $2"))) {
		rs := []rune(w)
		switch {
		case unicode.In(rs[0], unicode.Han, unicode.Katakana):
			for i := range len(rs) - 1 {
				out = append(out, string(rs[i:i+2]))
			}
		case unicode.IsDigit(rs[0]), len(rs) >= least:
			out = append(out, w)
		}
	}
	return out
}

// related says whether a word of one text is a word of the other, or has the same stem or a part in common with one.
func related(one, other []string) bool {
	return slices.ContainsFunc(one, func(a string) bool {
		return slices.ContainsFunc(other, func(b string) bool { return a == b || kin(a, b) })
	})
}

func kin(a, b string) bool {
	x, y := []rune(a), []rune(b)
	if len(x) > len(y) {
		x, y, a, b = y, x, b, a
	}
	if unicode.IsDigit(x[0]) || unicode.IsDigit(y[0]) {
		return false
	}
	n := 0
	for n < len(x) && x[n] == y[n] {
		n++
	}
	if n >= leastMark && n == len(x) && n+1 >= len(y) { // one with an ending
		return true
	}
	return n >= leastTerm && 3*n >= 2*len(y) || utf8.RuneCountInString(a) >= leastPart && strings.Contains(b, a)
}
