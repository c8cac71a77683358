package locator

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/identity"
	"github.com/trailblaze-dev/trailblaze/screen/words"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Accept returns the objection to an element that is in sight, "" when there is none.
type Accept func(*screen.Node) string

// scrolls limits how often an element that is out of view is brought into it before it counts as not visible.
const scrolls = 3

// See waits until a person can see the element: on the screen, not covered, not clipped away, not transparent. An
// element that only needs scrolling is scrolled into view. On a capture that is not complete nothing is concluded:
// after the timeout the error is of kind Degraded. The returned Found is never nil.
func See(ctx context.Context, dev driver.Device, q Query, accept Accept) (*Found, error) {
	switch {
	case dev == nil:
		return &Found{}, NoDevice()
	case q.Empty():
		return &Found{}, fault.New(fault.Invalid, "look for element", "no element named")
	}
	e := visibility{query: q, accept: accept, live: !tool.IsRecorded(ctx)}
	deadline := time.Now().Add(q.visibilityTimeout(e.live))
	e.askAhead(ctx, dev)
	look := func(s *screen.Snapshot) (bool, error) { return e.judge(ctx, dev, s) }
	for range scrolls {
		snap, ok, err := Until(ctx, dev, max(time.Until(deadline), 0), q.css(dev), look)
		switch {
		case err != nil && ctx.Err() != nil && snap != nil:
			return &Found{Node: e.best, Snapshot: snap}, outOfTime(err, e.failure(snap))
		case err != nil:
			return &Found{Snapshot: snap}, err
		case !ok:
			return &Found{Node: e.best, Snapshot: snap}, e.failure(snap)
		case e.seen != nil:
			return &Found{Node: e.seen, Snapshot: snap, Matches: e.matches}, nil
		}
		if _, err := dev.Perform(ctx, driver.ScrollIntoView{Target: driver.Target{Node: e.below.ID}}); err != nil &&
			ctx.Err() != nil {
			return &Found{Snapshot: snap}, fault.Wrap(ctx.Err(), "", "scroll into view")
		}
	}
	snap, err := dev.Snapshot(ctx, driver.SnapshotOptions{CSS: q.css(dev)})
	if err != nil {
		return &Found{}, fault.Wrap(err, "", "capture screen")
	}
	return &Found{Node: e.best, Snapshot: snap}, e.failure(snap)
}

// askAhead asks for the ink of the match in the device's last capture. The answer brings the capture along that the
// first look needs, and holds when that shows the same element: one question less. Nothing is concluded from it here.
func (e *visibility) askAhead(ctx context.Context, dev driver.Device) {
	if e.accept != nil || e.query.Hidden { // to accept may take a question too
		return
	}
	snap := recalled(dev, e.query)
	if snap == nil {
		return
	}
	nodes, err := e.query.showing(snap)
	if err != nil {
		return
	}
	e.nodes = nodes
	for _, n := range nodes {
		if n.Visibility == screen.Visible && e.objection(snap, n) == "" {
			_, _ = illegible(ctx, dev, n, e.query.Text)
			return
		}
	}
}

// visibilityTimeout returns the timeout of an assertion. A ref given live is judged as soon as that of an action is.
func (q Query) visibilityTimeout(live bool) time.Duration {
	switch {
	case q.Once:
		return 0
	case q.Timeout == 0 && live && q.named():
		return liveTimeout
	case q.Timeout == 0:
		return AssertionTimeout
	}
	return q.Timeout
}

// named reports whether the query is a ref that is to name a single element; a CSS selector may match many.
func (q Query) named() bool {
	return q.Ref != "" && q.single() && !strings.HasPrefix(strings.TrimSpace(q.Ref), "css=")
}

// visibility is one See under way.
type visibility struct {
	query   Query
	accept  Accept
	matches int
	nodes   []*screen.Node // all that match
	seen    *screen.Node   // passes
	below   *screen.Node   // would pass once scrolled into view
	best    *screen.Node   // came nearest to passing
	why     string         // what is wrong with best
	dodged  bool           // what is covered has been scrolled once already
	live    bool
	doubt   doubt
}

func (e *visibility) judge(ctx context.Context, dev driver.Device, snap *screen.Snapshot) (bool, error) {
	e.seen, e.below, e.best, e.why = nil, nil, nil, ""
	if snap.Quality.Verdict == screen.Degraded {
		return false, nil
	}
	nodes, err := e.query.showing(snap)
	if err != nil {
		return false, fault.Wrap(err, fault.Invalid, "find element")
	}
	e.matches, e.nodes = len(nodes), nodes
	if e.query.named() {
		if e.doubt.over(nodes, e.live) {
			return false, e.query.several(snap, nodes, e.live)
		}
		if len(nodes) > 1 {
			return false, nil
		}
	}
	var under *screen.Node // a page may have scrolled it below its own header
	for _, n := range nodes {
		why, err := e.speaksAgainst(ctx, dev, snap, n)
		if err != nil {
			return false, err
		}
		if n.Visibility == screen.Covered && under == nil && !e.query.Hidden {
			under = n
		}
		if e.keep(n, why) {
			return true, nil
		}
	}
	if e.below == nil && under != nil && !e.dodged {
		e.below, e.dodged = under, true
	}
	return e.below != nil, nil
}

// keep notes how near a match came to passing, and reports whether it passes.
func (e *visibility) keep(n *screen.Node, why string) bool {
	switch {
	case why == "" && (n.Visibility == screen.Visible || e.query.Hidden):
		e.seen = n
		return true
	case why == "" && n.Visibility == screen.Offscreen && e.below == nil:
		e.below = n
	}
	if e.best == nil {
		if why == "" {
			why = Unseen(n.Visibility)
		}
		e.best, e.why = n, why
	}
	return false
}

// speaksAgainst is the objection to a match, the page having been asked whether a text that should be seen is legible.
func (e *visibility) speaksAgainst(ctx context.Context, dev driver.Device, snap *screen.Snapshot, n *screen.Node) (
	string, error) {
	why := e.objection(snap, n)
	if why != "" || n.Visibility != screen.Visible || e.query.Hidden {
		return why, nil
	}
	return illegible(ctx, dev, n, e.query.Text)
}

// objection returns the reason to refuse a match, visibility aside.
func (e *visibility) objection(snap *screen.Snapshot, n *screen.Node) string {
	if rank(n) != 0 && !e.query.Hidden {
		return Unseen(n.Visibility)
	}
	if e.query.Fingerprint != nil {
		if like := e.query.Fingerprint.Compare(identity.Of(snap, n)); !like.Same {
			return "it is not the recorded element: " + strings.Join(like.Differences, "; ")
		}
		if !e.query.verified(snap, e.nodes, n) {
			return "others look the same, and only its number tells which one is meant"
		}
	}
	if e.query.Text != "" && !e.query.Hidden && !readable(n, e.query.Text) {
		return "a part of the text cannot be seen"
	}
	if e.accept != nil {
		return e.accept(n)
	}
	return ""
}

// readable reports whether the text is in those parts of n that a person can see. An input's label is its name.
func readable(n *screen.Node, text string) bool {
	return words.ContainsWords(contentOf(n, "", isVisible, written), text) ||
		words.ContainsWords(contentOf(n, " ", isVisible, written), text) ||
		words.ContainsWords(contentOf(n, "", isVisible, printed), text) ||
		words.ContainsWords(contentOf(n, " ", isVisible, printed), text) ||
		len(n.Children) == 0 && (words.ContainsWords(n.Name, text) || words.ContainsWords(n.Printed(n.Name), text)) ||
		shows(n, text)
}

func isVisible(n *screen.Node) bool { return rank(n) == 0 }

// Unseen returns the reason why a person does not see an element of this visibility.
func Unseen(v screen.Visibility) string {
	switch v {
	case screen.Visible:
		return "it is visible"
	case screen.Offscreen:
		return "it is outside the view and does not come into it by scrolling"
	case screen.Covered:
		return "something lies on top of it"
	case screen.Clipped:
		return "it is cut off or lies off the page"
	case screen.Transparent:
		return "it is transparent"
	case screen.Hidden:
		return "it is hidden"
	}
	return fmt.Sprintf("its visibility is %d", v)
}

// showing returns the matches, and with a text also the fields that show it: the text typed in them, or else their
// hint. Only assertions look at those; a tool that acts means the label, the link or the button of that text.
func (q Query) showing(snap *screen.Snapshot) ([]*screen.Node, error) {
	nodes, err := q.match(snap)
	if err != nil || q.Text == "" || q.ID != "" || q.Index != nil && *q.Index > 0 || q.Enabled != nil ||
		q.Selected != nil {
		return nodes, err
	}
	var holders []*screen.Node
	if q.Within != nil {
		if holders, err = q.Within.match(snap); err != nil {
			return nil, err
		}
	}
	for _, n := range snap.Below(snap.Root) {
		if shows(n, q.Text) && (q.Within == nil || below(n, holders)) {
			nodes = append(nodes, n)
		}
	}
	return sortVisibleFirst(nodes), nil
}

// shows reports whether a field shows the text.
func shows(n *screen.Node, text string) bool {
	field := readField(n)
	return field != "" && (words.ContainsWords(field, text) || words.ContainsWords(n.Printed(field), text))
}

// readField returns the text that a field shows, "" for other elements and for passwords.
func readField(n *screen.Node) string {
	web, ok := n.Native.(*screen.Web)
	if !ok && n.State&(screen.Editable|screen.Password) == screen.Editable {
		return n.Value // of a phone's field
	}
	if !ok || n.State.Has(screen.Password) || web.Tag != "input" && web.Tag != "textarea" && web.Tag != "select" ||
		len(n.Children) > 0 && n.Role == "listbox" {
		return ""
	}
	if n.Value != "" || web.Tag == "select" {
		return n.Value
	}
	return web.Placeholder
}

func (e *visibility) failure(snap *screen.Snapshot) error {
	detail := e.query.Detail(snap)
	switch {
	case len(e.doubt.nodes) > 1:
		return e.query.several(snap, e.doubt.nodes, e.live)
	case snap.Quality.Verdict == screen.Degraded:
		return inconclusive(snap).WithDetail(detail)
	case e.best != nil:
		best := snap.ReplyName(e.best)
		detail.Candidates = append([]string{best + ": " + e.why}, detail.Candidates...)
		return fault.New(fault.Assertion, "look for element", "%s is there, but %s", best, e.why).WithDetail(detail)
	}
	err := fault.New(fault.Assertion, "look for element", "nothing on the screen matches %s%s", e.query,
		screenNote(snap)).WithDetail(detail)
	if len(detail.Candidates) > 0 {
		return err.WithHint("Nearest: %s.", detail.Candidates[0])
	}
	return err
}

// inconclusive is the verdict on an assertion whose capture cannot be trusted.
func inconclusive(snap *screen.Snapshot) *fault.Error {
	err := fault.New(fault.Degraded, "judge capture", "the capture is not complete: %s",
		strings.Join(snap.Quality.Reasons, "; "))
	if snap.Dialog != nil {
		return err.WithHint("The %s dialog %q is open: answer it first.", snap.Dialog.Type, snap.Dialog.Message)
	}
	return err
}

// illegible returns the reason why a person could not read the text in an element that is in sight, or not see the
// element when text is empty; "" when there is none. A device that looks no closer than its captures has nothing to
// add. An element that is gone, or a page that is being left, is an answer too: it is not seen.
func illegible(ctx context.Context, dev driver.Device, n *screen.Node, text string) (string, error) {
	reader, ok := driver.As[driver.Reader](dev)
	if !ok || n.ID == 0 {
		return "", nil
	}
	why, err := reader.Illegible(ctx, n.ID, text)
	switch {
	case ctx.Err() != nil:
		return "", fault.Wrap(ctx.Err(), "", "read element")
	case fault.KindOf(err) == fault.Unsupported:
		return "", nil
	case err != nil:
		return "it could not be looked at: " + err.Error(), nil
	}
	return why, nil
}
