package capture

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/screen"
)

var (
	_ driver.StaleRefs  = (*Camera)(nil)
	_ driver.RefQuerier = (*Camera)(nil)
	_ screen.Namer      = (*Camera)(nil)
)

// NameFor implements screen.Namer.
func (c *Camera) NameFor(n *screen.Node) string {
	c.frames.Lock()
	defer c.frames.Unlock()
	if c.last != nil {
		for css, ids := range c.last.CSS {
			if slices.Contains(ids, n.ID) {
				c.selected[n.ID] = css
			}
		}
	}
	return c.refs.Of(n)
}

// Select gives an element a ref by which a capture finds it, whether other captures show it or not. The lock is held.
func (c *Camera) Select(id screen.NodeID) (ref string) {
	if _, ok := c.selected[id]; !ok {
		c.selected[id] = "" // found by its number alone
	}
	return c.refs.Of(&screen.Node{ID: id, Role: "generic"})
}

// RefQuery implements driver.RefQuerier.
func (c *Camera) RefQuery(ref string) (out []string) {
	c.frames.Lock()
	defer c.frames.Unlock()
	n, ok := c.refs.Find(ref)
	css, hidden := c.selected[n.Node]
	if !ok || !hidden {
		return nil
	}
	if css != "" {
		out = append(out, css)
	}
	_, element := c.frames.Holder(n.Node)
	return append(out, screen.ElementCSS+strconv.FormatInt(element, 10))
}

// NamedBy implements screen.Namer.
func (c *Camera) NamedBy(ref string) (screen.NodeID, bool) {
	c.frames.Lock()
	defer c.frames.Unlock()
	n, ok := c.refs.Find(ref)
	return n.Node, ok
}

// ExplainRef implements driver.StaleRefs.
func (c *Camera) ExplainRef(ref string) string {
	c.frames.Lock()
	defer c.frames.Unlock()
	n, ok := c.refs.Find(ref)
	if !ok {
		return fmt.Sprintf("%s was never given to an element of this session", ref)
	}
	if doc, _ := c.frames.Holder(n.Node); doc == nil {
		return fmt.Sprintf("%s was %s; %s", ref, n.Label, c.frames.WhyGone(n.Node))
	}
	if c.lastHad(n.Node) {
		return fmt.Sprintf("%s is %s", ref, n.Label)
	}
	return fmt.Sprintf("%s was %s; it is no longer on the page", ref, n.Label)
}
