package locator

import (
	"context"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/identity"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Resolve finds the element, waiting for it up to the query's timeout (10 s when zero). With a fingerprint it returns
// only an element that is the same as the recorded one. A failure is a *fault.Error with a Detail: the element looked
// for and those that came nearest. The returned Found is never nil when the error is not: its Snapshot is the last
// capture, if any.
func Resolve(ctx context.Context, dev driver.Device, q Query) (*Found, error) {
	if dev == nil {
		return &Found{}, NoDevice()
	}
	if q.Empty() {
		return &Found{}, fault.New(fault.Invalid, "resolve element", "no element named").
			WithHint("Give ref, nodeSelector, or what else the tool takes to name an element.")
	}
	q.one, q.parts = q.single(), true
	s := search{query: q, live: !tool.IsRecorded(ctx)}
	snap, done, err := Until(ctx, dev, q.Retry(ctx), q.css(dev), s.judge)
	if done {
		return &Found{Node: s.node, Snapshot: snap, Matches: s.matches}, nil
	}
	switch {
	case err == nil:
		err = s.failure(dev, snap)
	case ctx.Err() != nil && snap != nil:
		err = outOfTime(err, s.failure(dev, snap))
	}
	return &Found{Snapshot: snap}, err
}

// Recall finds the element in the device's last capture, and asks it nothing: nil when it cannot be found there. The
// device finds out whether the screen still looks like that; see driver.Target.Seen.
func Recall(ctx context.Context, dev driver.Device, q Query) *Found {
	snap := recalled(dev, q)
	if snap == nil {
		return nil
	}
	q.one, q.parts = q.single(), true
	s := search{query: q, live: !tool.IsRecorded(ctx)}
	if done, err := s.judge(snap); !done || err != nil {
		return nil
	}
	return &Found{Node: s.node, Snapshot: snap, Matches: s.matches}
}

// recalled returns the last capture of the device, nil when that cannot answer the query.
func recalled(dev driver.Device, q Query) *screen.Snapshot {
	r, ok := driver.As[driver.Recaller](dev)
	if !ok || q.Empty() || len(q.css(nil)) > 0 {
		return nil
	}
	return r.Recall()
}

// single reports whether the query must name a single element: a selector of a recording has an order, an index and a
// fingerprint to choose by; a name given live has nothing.
func (q Query) single() bool { return q.NodeSelector == nil && q.Fingerprint == nil && q.Index == nil }

// NoDevice is the answer of every tool that needs a device when the session has none.
func NoDevice() error {
	return fault.New(fault.Unavailable, "use device", "the session has no device").
		WithHint("Open a session with a device first.")
}

// Retry returns how long Resolve looks for the element: as long as the caller says, else by the kind of caller. A
// caller that looks at the screen sees at once that a name is wrong and gives another; a recorded step cannot.
func (q Query) Retry(ctx context.Context) time.Duration {
	t := q.Timeout
	switch {
	case q.Once:
		return 0
	case t == 0 && q.NodeSelector == nil && !tool.IsRecorded(ctx):
		t = liveTimeout
	case t == 0:
		t = ActionTimeout
	}
	if q.NodeSelector == nil && IsSnapshotRef(q.Ref) {
		return min(t, staleTimeout)
	}
	return t
}

// search is one Resolve under way.
type search struct {
	query   Query
	node    *screen.Node
	matches int
	other   *screen.Node      // the best match that is not who was recorded
	differs identity.Likeness // and how it differs
	live    bool
	doubt   doubt
	unsure  *screen.Node // looks like the recorded element, and so do others
}

// judge takes the first match; with a fingerprint, the first match that is the recorded element.
func (s *search) judge(snap *screen.Snapshot) (bool, error) {
	nodes, err := s.query.match(snap)
	if err != nil {
		return false, fault.Wrap(err, fault.Invalid, "find element")
	}
	s.matches, s.other, s.unsure = len(nodes), nil, nil
	if s.query.one {
		if s.doubt.over(nodes, s.live) {
			return false, s.query.several(snap, nodes, s.live)
		}
		if len(nodes) > 1 {
			return false, nil
		}
	}
	for _, n := range nodes {
		if s.query.Fingerprint == nil {
			s.node = n
			return true, nil
		}
		like := s.query.Fingerprint.Compare(identity.Of(snap, n))
		if like.Same && s.query.verified(snap, nodes, n) {
			s.node = n
			return true, nil
		}
		if like.Same {
			s.unsure = n
			return false, nil
		}
		if s.other == nil || len(like.Differences) < len(s.differs.Differences) {
			s.other, s.differs = n, like
		}
	}
	return false, nil
}

// verified reports whether it is known that n is the recorded element and not one of several that look the same. Only
// matches of the selector that are as visible as n are in question.
func (q Query) verified(snap *screen.Snapshot, nodes []*screen.Node, n *screen.Node) bool {
	if q.NodeSelector == nil {
		return true
	}
	rivals := 0
	for _, o := range nodes {
		if rank(o) == rank(n) {
			rivals++
		}
	}
	return identity.Verified(snap, *q.NodeSelector, rivals, *q.Fingerprint, n)
}
