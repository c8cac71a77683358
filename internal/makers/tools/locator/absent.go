package locator

import (
	"context"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/identity"
)

const (
	rest    = 150 * time.Millisecond // a screen that changes no more for so long has settled
	holding = 750 * time.Millisecond // on a screen that never settles, absence must last so long
)

// Absent waits until a person cannot see the element, scrolling included, and keeps looking until that holds on a
// settled screen: an element that is about to appear must not slip through. The error is of kind Degraded when the
// captures were not complete, and of kind Assertion with the element when it stayed.
func Absent(ctx context.Context, dev driver.Device, q Query) (*Found, error) {
	switch {
	case dev == nil:
		return &Found{}, NoDevice()
	case q.Empty():
		return &Found{}, fault.New(fault.Invalid, "look for element", "no element named")
	}
	deadline := time.Now().Add(q.visibilityTimeout(false))
	for {
		var still *screen.Node
		snap, ok, err := Until(ctx, dev, max(time.Until(deadline), 0), q.css(dev), func(s *screen.Snapshot) (bool, error) {
			n, err := q.firstVisible(ctx, dev, s)
			still = n
			return err == nil && n == nil && s.Quality.Verdict != screen.Degraded, err
		})
		found := &Found{Node: still, Snapshot: snap}
		switch {
		case err != nil && ctx.Err() != nil && still != nil:
			return found, outOfTime(err, q.stays(still))
		case err != nil:
			return found, err
		case !ok && still == nil:
			return found, inconclusive(snap).WithDetail(q.Detail(snap))
		case !ok:
			return found, q.stays(still)
		}
		gone, last, err := q.staysAway(ctx, dev, snap)
		if gone || err != nil {
			return &Found{Snapshot: last}, err
		}
	}
}

// stays returns the error for an element that is still there.
func (q Query) stays(still *screen.Node) error {
	d := fault.Detail{Looked: q.String() + " to be gone", Candidates: []string{still.Descriptor()}}
	return fault.New(fault.Assertion, "look for element", "%s is on the screen", still.Descriptor()).WithDetail(d)
}

// firstVisible is the first match that a person could see.
func (q Query) firstVisible(ctx context.Context, dev driver.Device, snap *screen.Snapshot) (*screen.Node, error) {
	nodes, err := q.showing(snap)
	if err != nil {
		return nil, fault.Wrap(err, fault.Invalid, "find element")
	}
	for _, n := range nodes {
		if rank(n) != 0 || q.Fingerprint != nil && !q.Fingerprint.Compare(identity.Of(snap, n)).Same {
			continue
		}
		if why, err := illegible(ctx, dev, n, q.Text); err != nil || why == "" {
			return n, err
		}
	}
	return nil, nil
}

// staysAway watches until the screen rests, or for a while when it never does.
func (q Query) staysAway(ctx context.Context, dev driver.Device, snap *screen.Snapshot) (bool, *screen.Snapshot,
	error) {
	w, ok := driver.As[driver.Waiter](dev)
	if !ok {
		return true, snap, nil
	}
	for end := time.Now().Add(holding); time.Now().Before(end); {
		wctx, cancel := context.WithTimeout(ctx, rest)
		err := w.WaitChange(wctx, snap)
		cancel()
		switch {
		case ctx.Err() != nil:
			return false, snap, fault.Wrap(ctx.Err(), "", "wait for change")
		case err != nil:
			return true, snap, nil // nothing changed: the screen rests
		}
		next, err := dev.Snapshot(ctx, driver.SnapshotOptions{CSS: q.css(dev)})
		if err != nil {
			return false, snap, fault.Wrap(err, "", "capture screen")
		}
		snap = next
		n, err := q.firstVisible(ctx, dev, snap)
		if n != nil || err != nil || snap.Quality.Verdict == screen.Degraded {
			return false, snap, err
		}
	}
	return true, snap, nil
}
