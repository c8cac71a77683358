package web

import (
	"fmt"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/screen"
)

var (
	_ driver.StaleRefs = (*Device)(nil)
	_ screen.Namer     = (*Device)(nil)
)

// NameFor implements screen.Namer.
func (d *Device) NameFor(n *screen.Node) string {
	d.frames.Lock()
	defer d.frames.Unlock()
	return d.refs.Of(n)
}

// NamedBy implements screen.Namer.
func (d *Device) NamedBy(ref string) (screen.NodeID, bool) {
	d.frames.Lock()
	defer d.frames.Unlock()
	n, ok := d.refs.Find(ref)
	return n.Node, ok
}

// ExplainRef implements driver.StaleRefs.
func (d *Device) ExplainRef(ref string) string {
	d.frames.Lock()
	defer d.frames.Unlock()
	n, ok := d.refs.Find(ref)
	if !ok {
		return fmt.Sprintf("%s was never given to an element of this session", ref)
	}
	if doc, _ := d.frames.Holder(n.Node); doc == nil {
		return fmt.Sprintf("%s was %s; %s", ref, n.Label, d.frames.WhyGone(n.Node))
	}
	if d.lastHad(n.Node) {
		return fmt.Sprintf("%s is %s", ref, n.Label)
	}
	return fmt.Sprintf("%s was %s; it is no longer on the page", ref, n.Label)
}
