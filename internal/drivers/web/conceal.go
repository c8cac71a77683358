package web

import (
	"context"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/screen"
)

var _ driver.Concealer = (*Device)(nil)

// Conceal implements driver.Concealer.
func (d *Device) Conceal(secrets func() func(string) bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.conceal = secrets
}

// shown collects the elements that show a secret now, wherever the page has put it, in the documents of out. The page is
// never asked about the secret itself: it would learn it.
func (d *Device) shown(ctx context.Context, out map[*document][]int64) error {
	d.mu.Lock()
	conceal := d.conceal
	d.mu.Unlock()
	if conceal == nil {
		return nil
	}
	hides := conceal()
	if hides == nil {
		return nil
	}
	s, err := d.Snapshot(ctx, driver.SnapshotOptions{})
	if err != nil {
		return err
	}
	if s.Quality.Verdict != screen.Complete && len(s.Root.Children) > 0 {
		return fault.New(fault.Degraded, "look for secrets", "the screen could not be read as a whole: %v", s.Quality.Reasons)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.painted(s.Root, hides, out)
	return nil
}

// painted collects below a node, and says whether it found any. An element that is only named after what is in it is left
// when its inner part is painted over. Device.mu is held.
func (d *Device) painted(n *screen.Node, hides func(string) bool, out map[*document][]int64) bool {
	if n == nil {
		return false
	}
	inside := false
	for _, c := range n.Children {
		inside = d.painted(c, hides, out) || inside
	}
	own := hides(n.Text) || hides(n.Value)
	if !own && (inside || n.Parent == nil || !hides(n.Name) && !hides(n.Description)) {
		return inside
	}
	for at := n; at != nil; at = at.Parent {
		serial, element := splitID(at.ID)
		if doc := d.documents[serial]; doc != nil && out[doc] != nil {
			out[doc] = append(out[doc], element)
		}
		if at.Role != textRole { // a run of text is painted over with the element it is in
			break
		}
	}
	return true
}

const textRole = "text"
