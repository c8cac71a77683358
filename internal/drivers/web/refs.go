package web

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/screen"
)

var (
	_ driver.StaleRefs = (*Device)(nil)
	_ screen.Namer     = (*Device)(nil)
)

// refTable gives elements the short names people and models use. A ref is given once and never again, so a stale one can
// be explained but cannot name another element.
type refTable struct {
	byNode map[screen.NodeID]string
	named  []named // by number, from e1
}

// named is what a ref was given to.
type named struct {
	node  screen.NodeID
	label string // `button "Save"`
}

func (r *refTable) init() { r.byNode = map[screen.NodeID]string{} }

// of returns the node's ref, giving it one when it has none.
func (r *refTable) of(n *screen.Node) string {
	if ref, ok := r.byNode[n.ID]; ok {
		return ref
	}
	r.named = append(r.named, named{n.ID, label(n)})
	ref := "e" + strconv.Itoa(len(r.named))
	r.byNode[n.ID] = ref
	return ref
}

func (r *refTable) find(ref string) (named, bool) {
	ref = strings.Trim(strings.TrimSpace(ref), "[]@")
	n, err := strconv.Atoi(strings.TrimPrefix(ref, "e"))
	if err != nil || n < 1 || n > len(r.named) || !strings.HasPrefix(ref, "e") {
		return named{}, false
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

// NameFor implements screen.Namer.
func (d *Device) NameFor(n *screen.Node) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.refs.of(n)
}

// NamedBy implements screen.Namer.
func (d *Device) NamedBy(ref string) (screen.NodeID, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	n, ok := d.refs.find(ref)
	return n.node, ok
}

// ExplainRef implements driver.StaleRefs.
func (d *Device) ExplainRef(ref string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	n, ok := d.refs.find(ref)
	if !ok {
		return fmt.Sprintf("%s was never given to an element of this session", ref)
	}
	serial, _ := splitID(n.node)
	if d.documents[serial] == nil {
		why := d.ended[serial]
		if why == "" {
			why = "its document is gone"
		}
		return fmt.Sprintf("%s was %s; %s", ref, n.label, why)
	}
	if d.lastHad(n.node) {
		return fmt.Sprintf("%s is %s", ref, n.label)
	}
	return fmt.Sprintf("%s was %s; it is no longer on the page", ref, n.label)
}

// explainDocument notes why the frame's document is about to end, or has just ended, for ExplainRef. Device.mu is held.
func (d *Device) explainDocument(f *frame, why string) {
	if f.doc != nil {
		d.ended[f.doc.serial] = why
	}
	for _, serial := range f.unexplained {
		if d.ended[serial] == "" {
			d.ended[serial] = why
		}
	}
	f.unexplained = nil
}

// explainFrame does the same for everything in the frame.
func (d *Device) explainFrame(f *frame, why string) {
	d.explainDocument(f, why)
	for _, c := range f.tab.children(f) {
		d.explainFrame(c, why)
	}
}
