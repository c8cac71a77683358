package identity

import (
	"fmt"
	"slices"

	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/words"
)

// Target is an element that a recorded call looks for.
type Target struct {
	Selector screen.Selector
	Print    Fingerprint
	Asserts  bool               // the call asserts something of the element: its name may not be another
	Others   []Fingerprint      // of elements that the same trail knows apart from this one
	Past     []*screen.Snapshot // of green runs, newest first, on which Selector found the element

	vouched bool // somebody else names the element, so its name may be any other
}

// Verdict says where the element of a target is now.
type Verdict struct {
	Node       *screen.Node // nil: declined
	Selector   screen.Selector
	Print      Fingerprint
	Why        []string // what speaks for Node
	Score      int      // of Node, or of the best that was declined
	Past       int      // how many screens of green runs were asked
	Declined   string   // why there is no Node
	Candidates []Candidate
}

// The scores. No element wins with a name alone: something around it, or its id, must agree too.
const (
	enough = 50
	margin = 15
)

// shown bounds the candidates that a verdict lists.
const shown = 5

// Relocate finds the element on a screen where its selector does not find it. It declines unless one element wins by a
// margin and a selector finds exactly this one, here and on the screens of the past.
func (t Target) Relocate(now *screen.Snapshot) Verdict {
	if now == nil || now.Root == nil || now.Dialog != nil || now.Quality.Verdict == screen.Degraded {
		return Verdict{Declined: "the screen could not be captured whole, or a dialog is open on it"}
	}
	known, then, past := t.known()
	v := Verdict{Past: past}
	v.Candidates = t.candidates(known, then, now)
	var open []Candidate
	for _, c := range v.Candidates {
		if c.Against == "" {
			open = append(open, c)
		}
	}
	if len(v.Candidates) > 0 {
		v.Score = v.Candidates[0].Score
	}
	v.Candidates = v.Candidates[:min(len(v.Candidates), shown)]
	switch {
	case len(open) == 0 && len(v.Candidates) == 0:
		v.Declined = "nothing on the screen is like it"
	case len(open) == 0:
		v.Declined = fmt.Sprintf("%s comes nearest, but %s", v.Candidates[0].Node.Descriptor(), v.Candidates[0].Against)
	case open[0].Score < enough && !t.vouched:
		v.Declined = fmt.Sprintf("too little speaks for %s", open[0].Node.Descriptor())
	case len(open) > 1 && open[0].Score-open[1].Score < margin:
		v.Declined = fmt.Sprintf("%s and %s are both like it", now.Label(open[0].Node), now.Label(open[1].Node))
	default:
		t.propose(&v, open[0], now)
	}
	return v
}

// Confirm holds the element that a model has named against what is known. The model's word stands for the name alone:
// role, place, surroundings and the address that it leads to must be those of then, the element must win over all
// others without a look at what the model said, and a name that says the opposite is still another element. It takes a
// green run: a fingerprint knows too little.
func (t Target) Confirm(now *screen.Snapshot, named *screen.Node) Verdict {
	t.vouched = true
	v := t.Relocate(now)
	switch {
	case v.Past == 0 && v.Declined == "":
		v = Verdict{Declined: "no green run is kept that shows the element"}
	case v.Node != nil && v.Node != named:
		v = Verdict{Declined: fmt.Sprintf("the model names %s, and %s is more like it", now.Label(named),
			now.Label(v.Node))}
	}
	return v
}

// propose makes the selector of the winner, unless it is no good.
func (t Target) propose(v *Verdict, c Candidate, now *screen.Snapshot) {
	v.Score = c.Score
	sel, err := SelectorFor(now, c.Node.ID)
	if err != nil || sel.Counts() {
		v.Declined = fmt.Sprintf("only a number would tell %s from others", c.Node.Descriptor())
		return
	}
	unseen := func(n *screen.Node) bool { return outseen(n, c.Node) }
	found, err := now.Find(sel)
	if found = slices.DeleteFunc(found, unseen); err != nil || len(found) != 1 || found[0] != c.Node {
		v.Declined = fmt.Sprintf("no selector finds exactly %s", c.Node.Descriptor())
		return
	}
	for _, p := range t.Past {
		was := t.In(p)
		found, err := p.Find(sel)
		other := func(n *screen.Node) bool { return n != was && n.OnPage() }
		if err == nil && was != nil && slices.ContainsFunc(found, other) {
			v.Declined = fmt.Sprintf("on a green run %s was another element than that of the step", c.Node.Descriptor())
			return
		}
	}
	v.Node, v.Selector, v.Print, v.Why = c.Node, sel, Of(now, c.Node), c.Why
}

// known returns all that is known of the element, the newest screen that shows it, and how many do.
func (t Target) known() (f features, then *screen.Snapshot, screens int) {
	f = recorded(t.Print, t.Selector)
	for _, p := range t.Past {
		if n := t.In(p); n != nil {
			if screens++; screens == 1 {
				f, then = featuresOf(p, n), p
			}
		}
	}
	return f, then, screens
}

// In finds the element on a screen where nothing has changed, by its selector and its fingerprint.
func (t Target) In(s *screen.Snapshot) *screen.Node {
	found, err := s.Find(t.Selector)
	if err != nil {
		return nil
	}
	found = slices.DeleteFunc(found, func(n *screen.Node) bool {
		return t.Print.Role != "" && !t.Print.Compare(Of(s, n)).Same
	})
	if len(found) != 1 || !Verified(s, t.Selector, 1, t.Print, found[0]) {
		return nil
	}
	return found[0]
}

// candidates are the elements that something speaks for, best first.
func (t Target) candidates(known features, then, now *screen.Snapshot) []Candidate {
	var out []Candidate
	for _, n := range now.Below(now.Root) {
		if !t.worthALook(&known, n) {
			continue
		}
		w := weighing{agreement: agree(known, featuresOf(now, n)), then: then, now: now, asserts: t.Asserts,
			vouched: t.vouched && known.node != nil}
		if w.weigh(); w.score <= 0 {
			continue
		}
		if w.against == "" {
			w.against = t.claimed(&w)
		}
		out = append(out, Candidate{Node: n, Score: w.score, Why: w.why, Against: w.against})
	}
	rank := func(c Candidate) int {
		if c.Against == "" {
			return c.Score + 1000 // more than any score
		}
		return c.Score
	}
	slices.SortStableFunc(out, func(a, b Candidate) int { return rank(b) - rank(a) })
	return out
}

// worthALook drops at once what can be no candidate: the fingerprint of each element costs a walk of the screen.
func (t Target) worthALook(known *features, n *screen.Node) bool {
	if !n.OnPage() && (known.node == nil || known.node.OnPage()) || !SameKind(known.Role, n.Role) {
		return false
	}
	name := words.Squeeze(n.Called())
	switch w, _ := n.Native.(*screen.Web); {
	case slices.ContainsFunc(n.IDs(), func(id string) bool { return slices.Contains(known.ids, id) }):
		return true
	case known.Name == "" || name == "":
		return known.Name == name
	case t.vouched:
		return true
	case w != nil && distinct(w.InputType) && w.InputType == known.input:
		return true
	}
	return words.Alike(known.Name, name) != words.Unlike
}

// claimed says which other element that is known a candidate is: one of the trail's others, or one that stood beside
// the target on a green run.
func (t Target) claimed(w *weighing) string {
	for _, o := range t.Others {
		if !t.Print.Compare(w.is.Fingerprint).Same && o.Compare(w.is.Fingerprint).Same && !o.Compare(t.Print).Same {
			return fmt.Sprintf("it is the %s of another step", w.is.node.Descriptor())
		}
	}
	if w.then == nil {
		return ""
	}
	for _, n := range w.then.Below(w.then.Root) {
		if n == w.was.node || !n.OnPage() || !(Target{}).worthALook(&w.is, n) {
			continue
		}
		back := weighing{agreement: agree(featuresOf(w.then, n), w.is), now: w.now}
		if back.weigh(); back.against == "" && back.score >= w.score {
			return fmt.Sprintf("it is the %s that stood beside the element of the step", w.then.Label(n))
		}
	}
	return ""
}
