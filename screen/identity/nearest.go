package identity

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/words"
)

// Candidate is an element that may be the one looked for.
type Candidate struct {
	Node    *screen.Node
	Score   int
	Why     []string // each a sentence that speaks for it
	Against string   // a sentence: why it cannot be the element; "" when nothing speaks against it
}

// Nearest returns the n elements closest to the description of sel, nearest first, each with its differences. An
// element that matches but could not be seen is among them, with the reason.
func Nearest(s *screen.Snapshot, sel screen.Selector, n int) []Candidate {
	role, name := sel.Wants()
	id := sel.WantsID()
	type scored struct {
		Candidate
		distance int
	}
	ctx, cancel := context.WithTimeout(context.Background(), words.Limit)
	defer cancel()
	var all []scored
	for _, node := range screen.Preorder(s.Root) {
		called := name
		if sel.NameMatches(ctx, node) {
			called = words.Squeeze(node.Name)
		}
		says, d := apart(node, role, called, id)
		if why := node.Visibility.Reason(); why != "" {
			d++
			says = append(says, "it "+why)
		}
		if len(says) == 0 {
			says = append(says, "it matches role and name, but not the rest of the selector")
		}
		if limit := max(6, len(cmp.Or(name, id))/2+6); d <= limit {
			all = append(all, scored{Candidate{Node: node, Against: strings.Join(says, "; ")}, d})
		}
	}
	slices.SortStableFunc(all, func(a, b scored) int { return cmp.Compare(a.distance, b.distance) })
	var out []Candidate
	for _, c := range all[:min(n, len(all))] {
		out = append(out, c.Candidate)
	}
	return out
}

// Resembling returns the elements that agree with a fingerprint in their name or their test id, those first that are
// the recorded element, then by the number of their differences.
func Resembling(s *screen.Snapshot, f Fingerprint, n int) []*screen.Node {
	all := screen.Pick(s.Below(s.Root), func(o *screen.Node) bool {
		w, _ := o.Native.(*screen.Web)
		return o.Role != "text" && (f.Name != "" && words.SameWords(o.Called(), f.Name) ||
			f.TestID != "" && w != nil && w.TestID == f.TestID)
	})
	all = all[:min(len(all), maxTwins)]
	differences := map[*screen.Node]int{}
	for _, o := range all {
		like := f.Compare(Of(s, o))
		if differences[o] = len(like.Differences); !like.Same {
			differences[o] += far
		}
	}
	slices.SortStableFunc(all, func(a, b *screen.Node) int { return differences[a] - differences[b] })
	return all[:min(len(all), n)]
}

// Around describes the surroundings of an element, for people: ` in listitem next to heading "Mug"`; "" when there are
// none.
func Around(s *screen.Snapshot, n *screen.Node) string {
	f, out := Of(s, n), ""
	if len(f.Within) > 0 {
		out = " in " + f.Within[0]
	}
	if len(f.Near) > 0 {
		out += " next to " + f.Near[0]
	}
	return out
}

const far = 1000 // no candidate

// apart returns the differences between a node and the one looked for, and their distance.
func apart(node *screen.Node, role, name, id string) (says []string, d int) {
	label := cmp.Or(words.Squeeze(node.Name), words.Squeeze(node.Text))
	switch {
	case name != "" && label == "" && node.Role != role, name == "" && role == "" && id == "":
		return nil, far
	case name != "":
		d = nameDistance(strings.ToLower(name), strings.ToLower(label))
	case id != "" && role == "":
		return apartByID(node, id)
	}
	if role != "" && node.Role != role && screen.RoleWord(node.Role) != role {
		d += 6
		says = append(says, fmt.Sprintf("its role is %s, not %s", node.Role, role))
	}
	if name != "" && label != name {
		says = append(says, fmt.Sprintf("its name is %q, looked for %q", words.Short(label), words.Short(name)))
	}
	return says, d
}

// nameDistance is smaller where one name holds the other: "Save draft" is nearer to "Save" than "Name" is.
func nameDistance(want, has string) int {
	d := words.PartDistance(want, has)
	if words.HoldsWords(has, want) || has != "" && words.HoldsWords(want, has) {
		return min(d, 2+d/10)
	}
	return d
}

func apartByID(node *screen.Node, id string) (says []string, d int) {
	switch has := node.IDs(); {
	case len(has) == 0:
		return nil, far
	case slices.Contains(has, id):
		return nil, 0
	default:
		return []string{fmt.Sprintf("its id is %q, looked for %q", words.Short(has[0]), words.Short(id))},
			words.Distance(id, has[0], words.MaxDistance)
	}
}
