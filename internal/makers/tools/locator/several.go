package locator

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/identity"
)

// listed limits the elements that an error about several lists.
const listed = 8

// doubt is that a name fits several elements. It may pass: a dialog that goes still shows the button of the one that
// comes.
type doubt struct {
	nodes []*screen.Node
	since time.Time
}

// over notes the elements that the name fits now, and reports whether it has fitted several for so long that a live
// caller gets an error.
func (d *doubt) over(nodes []*screen.Node, live bool) bool {
	if d.nodes = nodes; len(nodes) < 2 {
		*d = doubt{}
		return false
	}
	if d.since.IsZero() {
		d.since = time.Now()
	}
	return live && time.Since(d.since) >= doubtTimeout
}

// Single is the query for the one element that its text fits best.
func (q Query) Single() Query {
	q.one = q.single()
	return q
}

// Several is the error of a query for a single element that matches more than one as well; nil when it does not.
func (q Query) Several(snap *screen.Snapshot, nodes []*screen.Node) error {
	if !q.one || len(nodes) < 2 {
		return nil
	}
	return q.several(snap, nodes, true)
}

// several is the error of a name that does not say which element is meant. In a recording it means that the app has
// more of them than it had.
func (q Query) several(snap *screen.Snapshot, nodes []*screen.Node, live bool) error {
	kind, lines := fault.Conflict, tell(snap, nodes)
	if !live {
		kind = fault.Assertion
	}
	hint := "Give the ref of the one that is meant, or a selector that fits it alone."
	if slices.ContainsFunc(nodes, func(n *screen.Node) bool { return snap.RefFor(n) == "" }) {
		hint = "Name the one that is meant as it is listed."
	}
	return fault.New(kind, "find element", "%s fits %d elements: %s", q, len(nodes), strings.Join(lines, "; ")).
		WithHint("%s", hint).WithDetail(fault.Detail{Looked: q.String(), Candidates: lines})
}

// tell lists the elements so that they can be distinguished, and each named by its line.
func tell(snap *screen.Snapshot, nodes []*screen.Node) []string {
	var lines []string
	for _, n := range nodes[:min(len(nodes), listed)] {
		lines = append(lines, snap.Label(n))
	}
	for i, n := range nodes[:len(lines)] {
		same := slices.ContainsFunc(nodes[:len(lines)],
			func(o *screen.Node) bool { return o != n && snap.Label(o) == snap.Label(n) })
		if sel, err := identity.SelectorFor(snap, n.ID); same && snap.RefFor(n) == "" && err == nil {
			if raw, err := json.Marshal(sel); err == nil { // to be given back as it is
				lines[i] += " (nodeSelector " + string(raw) + ")"
			}
		}
	}
	if more := len(nodes) - len(lines); more > 0 {
		lines = append(lines, "…")
	}
	return lines
}

// clearest keeps the matches that a person sees best, in their order.
func clearest(nodes []*screen.Node) []*screen.Node {
	if len(nodes) < 2 {
		return nodes
	}
	best := rank(slices.MinFunc(nodes, func(a, b *screen.Node) int { return rank(a) - rank(b) }))
	return slices.DeleteFunc(slices.Clone(nodes), func(n *screen.Node) bool { return rank(n) != best })
}
