package locator

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/identity"
)

const nearest = 5 // candidates a failure lists

// failure returns the reason why the search found nothing that it may use.
func (s *search) failure(dev driver.Device, snap *screen.Snapshot) error {
	if len(s.doubt.nodes) > 1 && snap != nil {
		return s.query.several(snap, s.doubt.nodes, s.live)
	}
	detail := s.query.Detail(snap)
	if s.unsure != nil {
		return fault.New(fault.Degraded, "check identity",
			"several elements look like the recorded %s, and only its number tells which one is meant", s.unsure.Descriptor()).
			WithHint("Record the step again, or give the element a name or a test id.").WithDetail(detail)
	}
	if s.other != nil {
		line := s.other.Descriptor() + ": " + strings.Join(s.differs.Differences, "; ")
		if len(detail.Candidates) == 0 || !strings.HasPrefix(detail.Candidates[0], "like the recorded one: ") {
			detail.Candidates = append([]string{line}, detail.Candidates...)
		}
		return fault.New(fault.Assertion, "check identity", "%s is not the recorded element: %s",
			s.other.Descriptor(), strings.Join(s.differs.Differences, "; ")).
			WithHint("If the app changed on purpose, record the step again.").WithDetail(detail)
	}
	q := s.query
	if q.NodeSelector == nil && IsSnapshotRef(q.Ref) {
		// Upstream's stale-ref recovery reads this beginning.
		err := fault.New(fault.NotFound, "resolve ref", "Element ref '%s' not found on current screen%s", q.Ref,
			explain(dev, q.Ref)).
			WithDetail(detail)
		return err.WithHint("Take a new snapshot and use a ref from it.")
	}
	kind := fault.NotFound
	if snap != nil && snap.Dialog == nil && snap.Quality.Verdict == screen.Degraded {
		kind = fault.Degraded // it may stand in what was not captured
	}
	err := fault.New(kind, "find element", "nothing on the screen matches %s%s", q, screenNote(snap)).WithDetail(detail)
	if len(detail.Candidates) > 0 {
		return err.WithHint("Nearest: %s.", detail.Candidates[0])
	}
	return err
}

// outOfTime returns the error of a search that the caller's deadline cut short: it has the text of giving up, but is a
// deadline, since with the time it is allowed elsewhere the element might still have come.
func outOfTime(ended, why error) error {
	if fault.KindOf(ended) != fault.Timeout || why == nil {
		return ended
	}
	return &fault.Error{Kind: fault.Timeout, Err: cutShort{why, ended}}
}

// cutShort has the text of the known failure, and is the deadline as well.
type cutShort struct{ known, ended error }

func (c cutShort) Error() string   { return c.known.Error() }
func (c cutShort) Unwrap() []error { return []error{c.known, c.ended} }

func explain(dev driver.Device, ref string) string {
	s, ok := driver.As[driver.StaleRefs](dev)
	if !ok {
		return ""
	}
	if why := s.ExplainRef(strings.Trim(strings.TrimSpace(ref), "[]@")); why != "" {
		return ": " + why
	}
	return ""
}

// screenNote returns the reason why a capture cannot be trusted, or that there is no page yet.
func screenNote(snap *screen.Snapshot) string {
	switch {
	case snap == nil:
		return ""
	case snap.Dialog != nil:
		return fmt.Sprintf(" (a %s dialog is open: %q)", snap.Dialog.Type, snap.Dialog.Message)
	case snap.Quality.Verdict == screen.Degraded:
		return fmt.Sprintf(" (the capture is degraded: %s)", strings.Join(snap.Quality.Reasons, "; "))
	case snap.URL == "about:blank":
		return " (the page is blank: open one with web_navigate)"
	}
	return ""
}

// Detail describes a failure of this query: the element looked for, and those on the screen that come nearest.
func (q Query) Detail(snap *screen.Snapshot) fault.Detail {
	d := fault.Detail{Looked: q.String()}
	if snap == nil {
		return d
	}
	if q.Fingerprint != nil {
		for _, n := range identity.Resembling(snap, *q.Fingerprint, nearest) {
			d.Candidates = append(d.Candidates, "like the recorded one: "+n.Descriptor()+identity.Around(snap, n))
		}
	}
	for _, c := range identity.Nearest(snap, q.approximate(), 4*nearest) {
		if len(d.Candidates) == nearest {
			break
		}
		line := snap.ReplyName(c.Node)
		if c.Against != "" {
			line += ": " + c.Against
		}
		if c.Node == snap.Root || slices.Contains(d.Candidates, line) {
			continue // nobody looks for the page itself; the buttons of many rows read alike
		}
		if d.Candidates = append(d.Candidates, line); len(d.Candidates) == nearest {
			break
		}
	}
	return d
}

var descriptor = regex.Lazy(`^(\w+) "(.*)"$`)

// approximate returns the query as a selector, for finding similar elements.
func (q Query) approximate() screen.Selector {
	if q.NodeSelector != nil {
		return *q.NodeSelector
	}
	if css, ok := strings.CutPrefix(q.Ref, "css="); ok {
		return screen.Selector{Web: &screen.WebMatch{CSSSelector: css}}
	}
	role, name := screen.RefWants(q.Ref)
	if q.Text+q.Name != "" {
		name = q.Text + q.Name
	}
	return screen.Selector{Web: &screen.WebMatch{AriaRole: role, AriaNameRegex: name, DataTestID: q.ID}}
}
