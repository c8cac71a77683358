package action

import (
	"context"
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/permit"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/locator"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/identity"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Request is one action on one element.
type Request struct {
	Query   locator.Query
	Unnamed bool // the query may name nothing: the action then goes to the focus, or to the middle of the screen
	OnPage  bool // with Unnamed: the page is meant, not what has the focus
	Expect  Expect
	Did     string // "Clicked"; the element follows
	Onto    string // what follows the element, such as " to the bin"
	// arguments besides ref that name the element; a recording replaces them
	NamedBy []string
	Keep    bool // the call is durable as it came
	// with Unnamed: a recording names the field that had the focus
	Field  bool
	Action func(t driver.Target, n *screen.Node) driver.Action // n is nil when nothing is named and nothing has the focus
}

// Device is the session's device, or why there is none.
func Device(env tool.Env) (driver.Device, error) {
	if dev := env.Device(); dev != nil {
		return dev, nil
	}
	return nil, locator.NoDevice()
}

// DefineOn defines a tool that performs one action on an element. The expectation is that of the arguments.
func DefineOn[In interface{ expected() Expect }](s tool.Spec, request func(env tool.Env, in In) Request) tool.Tool {
	return Define(s, func(ctx context.Context, env tool.Env, in In) (*tool.Result, error) {
		req := request(env, in)
		req.Expect = in.expected()
		return Do(ctx, env, req)
	})
}

// Do finds the element, performs the action once and reports the outcome. When the element goes away between being
// found and being acted on, nothing was sent, and it is looked for again as long as the query's time lasts.
func Do(ctx context.Context, env tool.Env, req Request) (*tool.Result, error) {
	dev, err := Device(env)
	if err != nil {
		return nil, err
	}
	deadline := time.Now().Add(searchTime(req.Query))
	var limit time.Time // of the driver's own waiting: only when the caller said how long
	if req.Query.Timeout > 0 {
		limit = deadline
	}
	again := req.Query.Retry(ctx)
	var log []string
	var first *tool.Evidence // of the element as it was before the mouse came near it: a later run finds that one
	next := locator.Recall(ctx, dev, req.Query)
	recalled := next
	for {
		found, err := next, error(nil)
		if found == nil {
			found, err = req.find(ctx, dev)
		}
		ev := req.evidence(found)
		if err != nil {
			return &tool.Result{Evidence: ev}, withLog(err, log)
		}
		if first == nil {
			first = ev
		}
		ev.Selector, ev.Target = first.Selector, first.Target
		aim := target(found, limit)
		if found == recalled {
			aim.Seen = found.Snapshot.Seq
		}
		act := req.Action(aim, found.Node)
		if err := permit.Act(ctx, found.Snapshot, found.Node, act); err != nil {
			return &tool.Result{Evidence: ev}, withLog(err, log)
		}
		effect, err := dev.Perform(ctx, act)
		if gone(err) && found == recalled { // it was to be found again first
			first, next = nil, nil
			continue
		}
		if gone(err) && found.Node != nil && time.Now().Before(deadline) {
			log = append(log, subject(found)+" went away before it could be acted on; looked for it again")
			req.Query.Timeout = max(min(time.Until(deadline), again), time.Millisecond)
			breathe(ctx, dev, found.Snapshot)
			next = req.successor(ctx, dev, found)
			continue
		}
		ev.Effect = effect
		if err != nil {
			return &tool.Result{Evidence: ev}, withLog(fault.Wrap(err, "", lower(req.Did)+" "+subject(found)), log)
		}
		awaitEffect(ctx, dev, found.Snapshot, effect, req.Expect)
		return done(req, found, ev), nil
	}
}

func (r Request) find(ctx context.Context, dev driver.Device) (*locator.Found, error) {
	if !r.Unnamed || !r.Query.Empty() {
		return locator.Resolve(ctx, dev, r.Query)
	}
	snap, err := dev.Snapshot(ctx, driver.SnapshotOptions{})
	if err != nil {
		return &locator.Found{}, fault.Wrap(err, "", "capture screen")
	}
	if r.OnPage {
		return &locator.Found{Snapshot: snap}, nil
	}
	return &locator.Found{Snapshot: snap, Node: snap.Node(snap.Focus)}, nil
}

// evidence returns the evidence, without a selector for elements that are not recorded by one.
func (r Request) evidence(f *locator.Found) *tool.Evidence {
	if !r.named(f) || r.Keep {
		return Evidence(f, r.Query)
	}
	return Identify(f, r.Query)
}

// named reports whether a recording is to name the element: it was found by its name, or it is the field that had the
// focus and can be named as well as any.
func (r Request) named(f *locator.Found) bool {
	if f.Matches > 0 || f.Node == nil {
		return f.Matches > 0
	}
	if !r.Field || f.Node.State&(screen.Editable|screen.Password) == 0 || !f.Node.InSight() || f.Node.Bounds.W < 4 ||
		f.Node.Bounds.H < 4 {
		return false // what takes the keys of an editor is not what a person sees
	}
	sel, err := identity.SelectorFor(f.Snapshot, f.Node.ID)
	return err == nil && !sel.Counts()
}

// successor returns the element in the place of one that went away under the mouse, when it has the same name and
// surroundings: a page that draws an element anew while it is pointed at shows the same one to a person.
func (r Request) successor(ctx context.Context, dev driver.Device, was *locator.Found) *locator.Found {
	q := r.Query
	q.Once = true
	if found, err := locator.Resolve(ctx, dev, q); err == nil {
		return found
	}
	snap, err := dev.Snapshot(ctx, driver.SnapshotOptions{})
	if err != nil || was.Matches == 0 {
		return nil
	}
	then, at := was.Fingerprint(), was.Node.Bounds.Center()
	var found *screen.Node
	for _, n := range snap.Below(snap.Root) {
		if !n.Bounds.Contains(at) || n.Visibility != screen.Visible {
			continue
		}
		now := identity.Of(snap, n)
		now.Role, now.TestID, now.Class = then.Role, then.TestID, then.Class
		if then.Name != "" && then.Compare(now).Same {
			found = n // the innermost
		}
	}
	if found == nil {
		return nil
	}
	return &locator.Found{Node: found, Snapshot: snap, Matches: 1}
}

func searchTime(q locator.Query) time.Duration {
	if q.Timeout == 0 {
		return locator.ActionTimeout
	}
	return q.Timeout
}

// target aims at the found element. An element found only by its focus is left to the driver: the focus may move on
// its own, and then the keys should follow it.
func target(f *locator.Found, limit time.Time) driver.Target {
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

// breathe waits for the screen to change, or a moment: a driver that repeatedly fails to find an element that it shows
// must not be asked in a tight loop.
func breathe(ctx context.Context, dev driver.Device, seen *screen.Snapshot) {
	wctx, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
	defer cancel()
	if w, ok := driver.As[driver.Waiter](dev); ok {
		_ = w.WaitChange(wctx, seen)
		return
	}
	<-wctx.Done()
}

func done(req Request, f *locator.Found, ev *tool.Evidence) *tool.Result {
	r := Result(req.Did+" "+subject(f)+req.Onto, req.Expect, ev)
	if req.named(f) && !req.Keep {
		r.Record = Durable("", ev, req.NamedBy...)
	}
	return r
}

// subject names the element acted on.
func subject(f *locator.Found) string {
	if f == nil || f.Node == nil {
		return "the page"
	}
	return f.Snapshot.ReplyName(f.Node)
}

// Evidence identifies and locates the found element.
func Evidence(f *locator.Found, q locator.Query) *tool.Evidence {
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
// place in the markup, or it is CSS that a person chose, that finds nothing else, and that counts nothing. An element
// without a selector has an empty one.
func Identify(f *locator.Found, q locator.Query) *tool.Evidence {
	ev := Evidence(f, q)
	if f == nil || f.Node == nil || q.NodeSelector != nil && (q.Fingerprint != nil || !markup(*q.NodeSelector)) {
		return ev
	}
	given := chosen(f, q)
	if given != nil && !given.Counts() {
		ev.Selector = given
		return ev
	}
	sel, err := identity.SelectorFor(f.Snapshot, f.Node.ID)
	switch {
	case err == nil && !(given != nil && sel.Counts()): // to count elements is worse than any mark they have
		ev.Selector = &sel
	case given != nil:
		ev.Selector = given
	}
	return ev
}

// chosen is the CSS that the caller named the element by, when it finds nothing else.
func chosen(f *locator.Found, q locator.Query) *screen.Selector {
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

// markup reports whether a selector is only a position in the markup: a redesign breaks it, and it may then match
// anything.
func markup(sel screen.Selector) bool {
	if sel.Web == nil {
		return false
	}
	only := screen.Selector{Web: &screen.WebMatch{CSSSelector: sel.Web.CSSSelector, NthIndex: sel.Web.NthIndex},
		Index: sel.Index}
	return reflect.DeepEqual(sel, only)
}

// At performs an action that names no element.
func At(ctx context.Context, env tool.Env, want Expect, did string, a driver.Action) (*tool.Result, error) {
	dev, err := Device(env)
	if err != nil {
		return nil, err
	}
	if err := permit.Act(ctx, nil, nil, a); err != nil {
		return nil, err
	}
	effect, err := dev.Perform(ctx, a)
	ev := &tool.Evidence{Effect: effect}
	if err != nil {
		return &tool.Result{Evidence: ev}, fault.Wrap(err, "", lower(did))
	}
	awaitEffect(ctx, dev, nil, effect, want)
	return Result(did, want, ev), nil
}

// Result builds the result of an action that worked: the deed, the changes, and the evidence.
func Result(did string, want Expect, ev *tool.Evidence) *tool.Result {
	if want.Effect == tool.NoEffect && ev.Effect != nil && !ev.Effect.Changes.Any() {
		ev.None = "declared"
	}
	return &tool.Result{Content: []tool.Content{{Type: "text", Text: strings.TrimSpace(did + ". " + Summary(ev.Effect))}},
		Evidence: ev}
}

// withLog puts the attempts in front of a failure's own log.
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

// Output is the schema of the data that a tool returns in a Result it makes itself. A type that has none gives nil,
// which the test over all built-in tools refuses.
func Output[T any]() tool.Schema {
	return sync.OnceValue(func() *jsonschema.Schema {
		s, _ := tool.SchemaFor(reflect.TypeFor[T]())
		return s
	})
}

// Capability returns an ability of the device beyond the common ones, or the reason why it has none.
func Capability[T any](env tool.Env, what string) (T, error) {
	var zero T
	dev, err := Device(env)
	if err != nil {
		return zero, err
	}
	c, ok := driver.As[T](dev)
	if !ok {
		return zero, fault.New(fault.Unsupported, what, "device %s (%s) cannot do this", dev.Info().ID, dev.Info().Platform).
			WithHint("Use a device of another platform, or a tool that this one has: the tool toolbox lists them.")
	}
	return c, nil
}

// NoEffect is the result of an action that by its nature leaves nothing to be seen, and why.
func NoEffect(why, format string, args ...any) *tool.Result {
	r := tool.TextResult(format, args...)
	r.Evidence = &tool.Evidence{None: why}
	return r
}
