package heal

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/identity"
	"github.com/trailblaze-dev/trailblaze/screen/words"
)

// Redo judges what somebody does in place of recorded calls whose element was not found. What stands for such a call
// must be done on the element of the call, by the rules of relocation, and in their order. Before it only what can be
// undone is allowed, and what takes away that which lies over the element.
type Redo struct {
	Wants []Want       // of the recorded calls that are left
	Over  *screen.Node // what lay over the element of the first when that failed; nil where nothing is known to

	stood  int    // how many of them something was done for
	opened bool   // an act was to open something
	typed  string // the parts of a text that went into several fields
}

// Want is the element of a recorded call, and the texts of the call: what is typed or chosen.
type Want struct {
	identity.Target
	Texts   []string
	Checked *bool // the state that it brings a box to, nil where it names none
}

// Deed is an act that is about to be made.
type Deed struct {
	On      *screen.Snapshot
	Node    *screen.Node // nil: on no element
	Text    string       // what is typed or chosen
	Writes  bool         // it changes the value of a field
	Checked *bool        // the state that it brings a box to, nil: a press, which turns a box over
}

// leaves returns the state that an act leaves a box in.
func (d *Deed) leaves() bool {
	if d.Checked != nil {
		return *d.Checked
	}
	return d.Node.Role == "radio" || !d.Node.State.Has(screen.Checked)
}

// Missing names the recorded element for which nothing was done; "" when there is none.
func (r *Redo) Missing() string {
	if r.stood == len(r.Wants) {
		return ""
	}
	return strings.TrimSpace(fmt.Sprintf("%s %q", r.Wants[r.stood].Print.Role, r.Wants[r.stood].Print.Name))
}

// Allows counts an act in that may be made, and says why another may not.
func (r *Redo) Allows(d Deed) string {
	if d.Node == nil || d.On == nil {
		if r.stood > 0 {
			return ""
		}
		return "it is on no element, and nothing was done yet that stands for the recorded call"
	}
	for _, i := range []int{r.stood, r.stood - 1} {
		if i >= 0 && i < len(r.Wants) && r.Wants[i].is(d) {
			return r.stands(i, d)
		}
	}
	if d.Writes && r.splits(d) || r.confirms(d) || r.chosen(d) || r.leads(d) {
		return ""
	}
	return r.refusal(d)
}

// stands counts an act in that is on the element of a recorded call, and says what is wrong with what it gives it.
func (r *Redo) stands(i int, d Deed) string {
	if d.Writes && !slices.Contains(r.Wants[i].Texts, d.Text) {
		return fmt.Sprintf("%q is not what the recorded call gives %s", d.Text, d.Node.Descriptor())
	}
	if want := r.Wants[i].Checked; want != nil && *want != d.leaves() {
		return fmt.Sprintf("it would bring %s to another state than the recorded call does", d.Node.Descriptor())
	}
	r.stood = max(r.stood, i+1)
	return ""
}

// leads reports whether an act can only lead to the recorded element: it gives a part of a field the focus, opens
// something, takes a layer away, or goes on.
func (r *Redo) leads(d Deed) bool {
	switch {
	case d.Writes:
		return false
	case identity.KindOf(d.Node.Role) == "write":
		return r.isPart(d.Node)
	}
	on := opens(d.Node) && r.mayHide(d) || r.uncovers(d) || r.goesOn(d)
	r.opened = r.opened || on
	return on
}

// is reports whether an act is on the element of the recorded call.
func (t *Want) is(d Deed) bool {
	if there := t.In(d.On); there != nil {
		return there == d.Node
	}
	return t.Relocate(d.On).Node == d.Node || t.Confirm(d.On, d.Node).Node == d.Node
}

func (r *Redo) refusal(d Deed) string {
	why := "nothing is left of the recorded step"
	if w := r.now(); w != nil {
		why = w.Confirm(d.On, d.Node).Declined
	}
	return fmt.Sprintf("%s is not known to be the element of the recorded call, and does not only lead to it: %s",
		d.On.Label(d.Node), why)
}

// now is the recorded call that something is to be done for, nil when there is none left.
func (r *Redo) now() *Want {
	if r.stood == len(r.Wants) {
		return nil
	}
	return &r.Wants[r.stood]
}

// opens reports whether all that an element does is to show something.
func opens(n *screen.Node) bool {
	w, _ := n.Native.(*screen.Web)
	return n.Role == "tab" || w != nil && w.Tag == "summary" || n.State&(screen.HasPopup|screen.Expandable) != 0 &&
		n.Role != "link"
}

// uncovers reports whether an act dismisses or accepts a layer in which the recorded element does not stand.
func (r *Redo) uncovers(d Deed) bool {
	w := r.now()
	if w == nil || !says(d.Node, dismissing) {
		return false
	}
	if found(r.Over, func(n *screen.Node) bool { return n.ID == d.Node.ID }) {
		return !r.showed(words.Squeeze(d.Node.Called()))
	}
	there := w.In(d.On)
	layer := layerOf(d.Node, there)
	return layer != nil && (there == nil || !screen.Within(there, layer)) && !r.stoodBefore(layer)
}

// stoodBefore reports whether a layer was there on a green run: what is in it did something then.
func (r *Redo) stoodBefore(layer *screen.Node) bool {
	if layer.Name == "" {
		return false
	}
	return r.known(func(n *screen.Node) bool {
		return n.Role == layer.Role && n.Name == layer.Name && n.OnPage()
	})
}

// known reports whether something was there on a green run.
func (r *Redo) known(is func(*screen.Node) bool) bool {
	for _, t := range r.Wants {
		for _, p := range t.Past {
			if found(p.Root, is) {
				return true
			}
		}
	}
	return false
}

func found(n *screen.Node, is func(*screen.Node) bool) bool {
	return n != nil && (is(n) || slices.ContainsFunc(n.Children, func(c *screen.Node) bool { return found(c, is) }))
}

// layerOf is the dialog that an element stands in, or what lies over another element with it.
func layerOf(n, over *screen.Node) *screen.Node {
	for p := n.Parent; p != nil && p.Role != "document"; p = p.Parent {
		switch {
		case p.Role == "dialog" || p.Role == "alertdialog" || p.State.Has(screen.Modal):
			return p
		case over != nil && !screen.Within(over, p) && p.Bounds.Contains(over.Bounds.Center()):
			return p
		}
	}
	return nil
}

// goesOn reports whether an element is new, and says no more than that something follows.
func (r *Redo) goesOn(d Deed) bool {
	name := words.Squeeze(d.Node.Called())
	all := words.Split(name)
	return d.Node.Role == "button" && len(all) > 0 && r.isNew(name) &&
		!slices.ContainsFunc(all, func(w string) bool { return !slices.Contains(following, w) })
}

// mayHide reports whether what an element opens may hide the recorded one: that is on the page, or the element is new.
// What was there on a green run was not the way to it then.
func (r *Redo) mayHide(d Deed) bool {
	w := r.now()
	return w != nil && (w.In(d.On) != nil || r.isNew(words.Squeeze(d.Node.Called())))
}

// isNew reports whether a green run is known, and showed nothing of a name.
func (r *Redo) isNew(name string) bool {
	past := slices.ContainsFunc(r.Wants, func(w Want) bool { return len(w.Past) > 0 })
	return past && !r.showed(name)
}

// showed reports whether an element of a name was on a green run.
func (r *Redo) showed(name string) bool {
	return r.known(func(n *screen.Node) bool { return n.OnPage() && words.Squeeze(n.Called()) == name })
}

// confirms reports whether an element stands in a dialog that came after an act, and says a part of what the recorded
// one said, or only yes where something was done for the recorded call.
func (r *Redo) confirms(d Deed) bool {
	dialog := layerOf(d.Node, nil)
	if dialog == nil || d.Writes || r.stoodBefore(dialog) {
		return false
	}
	is := func(w *Want) words.Likeness {
		if !identity.SameKind(w.Print.Role, d.Node.Role) {
			return words.Conflicting
		}
		return words.Alike(w.Print.Name, words.Squeeze(d.Node.Called()))
	}
	if w := r.now(); w != nil && r.opened && is(w) >= words.Partial {
		r.stood++
		return true
	}
	if r.stood == 0 {
		return false
	}
	how := is(&r.Wants[r.stood-1])
	return how >= words.Partial || how != words.Conflicting && says(d.Node, agreeing)
}

// chosen reports whether an element is the option of a list that was opened, with the text that the recorded call
// chooses.
func (r *Redo) chosen(d Deed) bool {
	w := r.now()
	if w == nil || !r.opened || !slices.Contains(w.Texts, words.Squeeze(d.Node.Called())) {
		return false
	}
	switch d.Node.Role {
	case "option", "menuitemradio", "radio":
		r.stood++
		return true
	}
	return false
}

// isPart reports whether a field is called by a part of what the recorded one was called, and was not there on a green
// run.
func (r *Redo) isPart(n *screen.Node) bool {
	w, name := r.now(), words.Squeeze(n.Called())
	return w != nil && identity.KindOf(n.Role) == "write" && words.Alike(w.Print.Name, name) >= words.Partial &&
		!r.known(func(o *screen.Node) bool { return o.Role == n.Role && words.Squeeze(o.Called()) == name })
}

// splits reports whether a part of the recorded text goes into a field for a part of it.
func (r *Redo) splits(d Deed) bool {
	if !r.isPart(d.Node) {
		return false
	}
	for _, text := range r.now().Texts {
		if d.Text == text || !slices.Contains(strings.Fields(text), d.Text) {
			continue
		}
		r.typed = strings.TrimSpace(r.typed + " " + d.Text)
		if len(strings.Fields(r.typed)) == len(strings.Fields(text)) {
			r.stood, r.typed = r.stood+1, ""
		}
		return true
	}
	return false
}

// says reports whether a name has one of the words, and no deed beside them. A mark such as × dismisses.
func says(n *screen.Node, of []string) bool {
	all := words.Split(words.Squeeze(n.Called()))
	if len(all) == 0 {
		return slices.Contains(of, "close") && strings.ContainsAny(n.Name+n.FullText(), "×✕✖✗xX")
	}
	return slices.ContainsFunc(all, func(w string) bool { return slices.Contains(of, w) }) &&
		!slices.ContainsFunc(all, func(w string) bool {
			return words.Deed(w) && !slices.Contains(of, w)
		})
}

// The words of what may be done on the way. Whatever else an element says, it is refused.
var (
	following  = strings.Fields("continue next proceed more menu options actions details")
	agreeing   = strings.Fields("ok okay yes confirm continue sure proceed")
	dismissing = strings.Fields("close dismiss accept agree allow decline reject refuse cancel ok okay later skip " +
		"got understood thanks continue no not necessary")
)
