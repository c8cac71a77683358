// Package refs gives elements the short names, such as e12, that people and models use.
package refs

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/trailblaze-dev/trailblaze/screen"
)

// Table maps refs to elements. A ref is given once and never again, so a stale one can be explained
// but cannot name another element. The zero value is empty; its owner guards it.
type Table struct {
	byNode map[screen.NodeID]string
	named  []Named // by number, from e1
}

// Named is the element that a ref was given to.
type Named struct {
	Node  screen.NodeID
	Label string // `button "Save"`
}

// Of returns the node's ref and gives it one when it has none.
func (r *Table) Of(n *screen.Node) string {
	if ref, ok := r.byNode[n.ID]; ok {
		return ref
	}
	if r.byNode == nil {
		r.byNode = map[screen.NodeID]string{}
	}
	r.named = append(r.named, Named{n.ID, label(n)})
	ref := "e" + strconv.Itoa(len(r.named))
	r.byNode[n.ID] = ref
	return ref
}

// RefOf returns the element's ref, if it has one.
func (r *Table) RefOf(id screen.NodeID) (ref string, n Named, ok bool) {
	if ref, ok = r.byNode[id]; ok {
		n, ok = r.Find(ref)
	}
	return ref, n, ok
}

// Find returns the element that a ref was given to.
func (r *Table) Find(ref string) (Named, bool) {
	ref = strings.Trim(strings.TrimSpace(ref), "[]@")
	n, err := strconv.Atoi(strings.TrimPrefix(ref, "e"))
	if err != nil || n < 1 || n > len(r.named) || !strings.HasPrefix(ref, "e") {
		return Named{}, false
	}
	return r.named[n-1], true
}

func label(n *screen.Node) string {
	name := n.Name
	if name == "" {
		name = n.Text
	}
	if len(name) > 60 {
		name = strings.ToValidUTF8(name[:60], "") + "…"
	}
	if name == "" {
		return n.Role
	}
	return fmt.Sprintf("%s %q", n.Role, name)
}
