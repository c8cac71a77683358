package perform

import (
	"context"
	"reflect"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/tools/locate"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Job is one action on one element.
type Job struct {
	Query   locate.Query
	Unnamed bool // the query may name nothing: the action then goes to the focus, or to the middle of the screen
	Whole   bool // with Unnamed: the page is meant, not what has the focus
	Expect  Expect
	Did     string                                              // "Clicked"; the element follows
	Onto    string                                              // what follows the element, such as " to the bin"
	NamedBy []string                                            // arguments besides ref that name the element; a recording replaces them
	Keep    bool                                                // the call is durable as it came
	Field   bool                                                // with Unnamed: a recording names the field that had the focus
	Action  func(t driver.Target, n *screen.Node) driver.Action // n is nil when nothing is named and nothing has the focus
}

// Device is the session's device, or why there is none.
func Device(env tool.Env) (driver.Device, error) {
	if dev := env.Device(); dev != nil {
		return dev, nil
	}
	return nil, locate.NoDevice()
}

// Do finds the element, performs the action once and tells what came of it. When the element goes away between being
// found and being acted on, nothing was sent, and it is looked for again as long as the query's time lasts.
func Do(ctx context.Context, env tool.Env, job Job) (*tool.Result, error) {
	dev, err := Device(env)
	if err != nil {
		return nil, err
	}
	deadline := time.Now().Add(patience(job.Query))
	var limit time.Time // of the driver's own waiting: only when the caller said how long
	if job.Query.Timeout > 0 {
		limit = deadline
	}
	again := job.Query.Patience(ctx)
	var log []string
	var first *tool.Evidence // of the element as it was before the mouse came near it: a later run finds that one
	var next *locate.Found
	for {
		found, err := next, error(nil)
		if found == nil {
			found, err = job.find(ctx, dev)
		}
		ev := job.evidence(found)
		if err != nil {
			return &tool.Result{Evidence: ev}, withLog(err, log)
		}
		if first == nil {
			first = ev
		}
		ev.Selector, ev.Target = first.Selector, first.Target
		effect, err := dev.Perform(ctx, job.Action(target(found, limit), found.Node))
		if gone(err) && found.Node != nil && time.Now().Before(deadline) {
			log = append(log, subject(found)+" went away before it could be acted on; looked for it again")
			job.Query.Timeout = max(min(time.Until(deadline), again), time.Millisecond)
			breathe(ctx, dev, found.Snapshot)
			next = job.successor(ctx, dev, found)
			continue
		}
		ev.Effect = effect
		if err != nil {
			return &tool.Result{Evidence: ev}, withLog(fault.Wrap(err, "", lower(job.Did)+" "+subject(found)), log)
		}
		weigh(ctx, dev, found.Snapshot, effect, job.Expect)
		return done(job, found, ev), nil
	}
}

func (j Job) find(ctx context.Context, dev driver.Device) (*locate.Found, error) {
	if !j.Unnamed || !j.Query.Empty() {
		return locate.Resolve(ctx, dev, j.Query)
	}
	snap, err := dev.Snapshot(ctx, driver.SnapshotOptions{})
	if err != nil {
		return &locate.Found{}, fault.Wrap(err, "", "capture screen")
	}
	if j.Whole {
		return &locate.Found{Snapshot: snap}, nil
	}
	return &locate.Found{Snapshot: snap, Node: snap.Node(snap.Focus)}, nil
}

// evidence goes without a selector for what is not recorded by one.
func (j Job) evidence(f *locate.Found) *tool.Evidence {
	if !j.named(f) || j.Keep {
		return Evidence(f, j.Query)
	}
	return Identify(f, j.Query)
}

// named reports whether a recording is to name the element: it was found by its name, or it is the field that had the focus
// and can be named as well as any.
func (j Job) named(f *locate.Found) bool {
	if f.Matches > 0 || f.Node == nil {
		return f.Matches > 0
	}
	seen := f.Node.Visibility == screen.Visible || f.Node.Visibility == screen.Offscreen
	if !j.Field || f.Node.State&(screen.Editable|screen.Password) == 0 || !seen || f.Node.Bounds.W < 4 || f.Node.Bounds.H < 4 {
		return false // what takes the keys of an editor is not what a person sees
	}
	sel, err := f.Snapshot.SelectorFor(f.Node.ID)
	return err == nil && !sel.Counts()
}

// successor is what stands where an element stood that went away under the mouse, when it is called the same and stands
// among the same things: a page that draws an element anew while it is pointed at shows the same one to a person.
func (j Job) successor(ctx context.Context, dev driver.Device, was *locate.Found) *locate.Found {
	q := j.Query
	q.Once = true
	if found, err := locate.Resolve(ctx, dev, q); err == nil {
		return found
	}
	snap, err := dev.Snapshot(ctx, driver.SnapshotOptions{})
	if err != nil || was.Matches == 0 {
		return nil
	}
	then, at := was.Fingerprint(), was.Node.Bounds.Center()
	var found *screen.Node
	for n := range locate.Walk(snap.Root) {
		if !n.Bounds.Contains(at) || n.Visibility != screen.Visible {
			continue
		}
		now := snap.FingerprintOf(n)
		now.Role, now.TestID, now.Class = then.Role, then.TestID, then.Class
		if then.Name != "" && then.Compare(now).Same {
			found = n // the innermost
		}
	}
	if found == nil {
		return nil
	}
	return &locate.Found{Node: found, Snapshot: snap, Matches: 1}
}

func patience(q locate.Query) time.Duration {
	if q.Timeout == 0 {
		return locate.ActionTimeout
	}
	return q.Timeout
}

// target aims at the found element. What is found only because it has the focus is left to the driver: the focus may
// move on its own, and then the keys should follow it.
func target(f *locate.Found, limit time.Time) driver.Target {
	if f.Node == nil || f.Matches == 0 {
		return driver.Target{}
	}
	t := driver.Target{Node: f.Node.ID}
	if !limit.IsZero() {
		t.Wait = max(time.Until(limit), time.Millisecond)
	}
	return t
}

// gone reports that the element was no longer there and therefore nothing was sent.
func gone(err error) bool { return fault.KindOf(err) == fault.NotFound }

// breathe waits for the screen to change, or a moment: a driver that goes on not finding what it shows must not be
// asked in a tight loop.
func breathe(ctx context.Context, dev driver.Device, seen *screen.Snapshot) {
	wctx, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
	defer cancel()
	if w, ok := driver.As[driver.Waiter](dev); ok {
		_ = w.WaitChange(wctx, seen)
		return
	}
	<-wctx.Done()
}

func done(job Job, f *locate.Found, ev *tool.Evidence) *tool.Result {
	r := Told(job.Did+" "+subject(f)+job.Onto, job.Expect, ev)
	if job.named(f) && !job.Keep {
		r.Record = Durable("", ev, job.NamedBy...)
	}
	return r
}

// subject names what was acted on.
func subject(f *locate.Found) string {
	if f == nil || f.Node == nil {
		return "the page"
	}
	return f.Snapshot.Said(f.Node)
}

// Evidence is who and where the found element is.
func Evidence(f *locate.Found, q locate.Query) *tool.Evidence {
	ev := &tool.Evidence{Selector: q.NodeSelector}
	if f == nil {
		return ev
	}
	ev.Screen = f.Snapshot
	if f.Node == nil {
		return ev
	}
	print, box := f.Fingerprint(), f.Node.Bounds
	ev.Target, ev.Bounds = &print, &box
	return ev
}

// Identify is Evidence with a selector that names the element durably. Making one takes time on a large page, so the
// selector the element was found by is kept when it is good enough: it came from a recording, or it says more than a
// place in the markup, or it is CSS that a person chose, that finds nothing else, and that counts nothing. An element that
// has no selector is told by its absence.
func Identify(f *locate.Found, q locate.Query) *tool.Evidence {
	ev := Evidence(f, q)
	if f == nil || f.Node == nil || q.NodeSelector != nil && (q.Fingerprint != nil || !markup(*q.NodeSelector)) {
		return ev
	}
	given := chosen(f, q)
	if given != nil && !given.Counts() {
		ev.Selector = given
		return ev
	}
	sel, err := f.Snapshot.SelectorFor(f.Node.ID)
	switch {
	case err == nil && !(given != nil && sel.Counts()): // to count elements is worse than any mark they have
		ev.Selector = &sel
	case given != nil:
		ev.Selector = given
	}
	return ev
}

// chosen is the CSS that the caller named the element by, when it finds nothing else.
func chosen(f *locate.Found, q locate.Query) *screen.Selector {
	css, ok := strings.CutPrefix(strings.TrimSpace(q.Ref), "css=")
	switch {
	case f.Matches != 1:
		return nil
	case q.NodeSelector != nil:
		return q.NodeSelector
	case ok:
		return &screen.Selector{Web: &screen.WebMatch{CSSSelector: css}}
	}
	return nil
}

// markup reports whether a selector says nothing but where in the markup the element stands: a redesign breaks it, and
// what it then hits may be anything.
func markup(sel screen.Selector) bool {
	if sel.Web == nil {
		return false
	}
	only := screen.Selector{Web: &screen.WebMatch{CSSSelector: sel.Web.CSSSelector, NthIndex: sel.Web.NthIndex}, Index: sel.Index}
	return reflect.DeepEqual(sel, only)
}

// At performs an action that names no element.
func At(ctx context.Context, env tool.Env, want Expect, did string, a driver.Action) (*tool.Result, error) {
	dev, err := Device(env)
	if err != nil {
		return nil, err
	}
	effect, err := dev.Perform(ctx, a)
	ev := &tool.Evidence{Effect: effect}
	if err != nil {
		return &tool.Result{Evidence: ev}, fault.Wrap(err, "", lower(did))
	}
	weigh(ctx, dev, nil, effect, want)
	return Told(did, want, ev), nil
}

// Told is the result of an action that worked: what was done, what changed, and the evidence.
func Told(did string, want Expect, ev *tool.Evidence) *tool.Result {
	if want.Effect == None && ev.Effect != nil && !ev.Effect.Changes.Any() {
		ev.None = "declared"
	}
	return &tool.Result{Content: []tool.Content{{Type: "text", Text: strings.TrimSpace(did + ". " + Say(ev.Effect))}}, Evidence: ev}
}

// withLog puts what was tried in front of a failure's own log.
func withLog(err error, log []string) error {
	if len(log) == 0 {
		return err
	}
	d := fault.Detail{}
	if have := fault.DetailOf(err); have != nil {
		d = *have
	}
	d.Log = append(log, d.Log...)
	return fault.New(fault.KindOf(err), "", "%w", err).WithDetail(d)
}

func lower(s string) string {
	if s == "" {
		return "act on"
	}
	return strings.ToLower(s[:1]) + s[1:]
}
