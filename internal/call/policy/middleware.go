package policy

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// leaveTime bounds taking a page away from where it may not be.
const leaveTime = 5 * time.Second

// Middleware enforces the policy around every call: tool, addresses and files before it runs, and the page's address
// when it is done. The content of a denied page is not passed on.
func (p *Policy) Middleware() dispatch.Middleware {
	return func(next dispatch.Handler) dispatch.Handler {
		return func(ctx context.Context, inv *dispatch.Invocation) (*tool.Result, error) {
			for _, q := range p.each() {
				for _, d := range q.before(ctx, inv) {
					if err := q.tell(ctx, inv, d); err != nil {
						return nil, err
					}
				}
			}
			res, err := next(tool.WithDial(ctx, p.connect), inv)
			p.tellBlocked(ctx, inv)
			if denial := p.after(ctx, inv); denial != nil {
				return nil, denial
			}
			return res, err
		}
	}
}

// before decides about a call, by the rules of this policy alone.
func (p *Policy) before(ctx context.Context, inv *dispatch.Invocation) []decision {
	out := []decision{p.actions.decide(inv.Spec(), inv.Spec().Effects.Done(inv.Args), p.limit())}
	if !out[0].Allowed {
		return out
	}
	opens, reads, writes := inv.Spec().Effects.Touched(inv.Args)
	for _, raw := range opens {
		out = append(out, p.opens(ctx, raw)...)
	}
	if e := inv.Spec().Effects; e != nil {
		for _, host := range e.Fetches {
			out = append(out, p.fetches(ctx, host)...)
		}
	}
	for _, name := range reads {
		out = append(out, p.files.reads(name))
	}
	for _, name := range writes {
		out = append(out, p.files.writes(name))
	}
	return append(out, p.ties(ctx, inv, opens)...)
}

// limit returns a rule that a tool of unknown effects may get around, "" when there is none.
func (p *Policy) limit() string {
	switch {
	case p.hosts.closed():
		return "hosts.allow"
	case p.hosts.private == no:
		return "hosts.private"
	}
	for _, key := range []string{"files.write", "files.read", "hosts.schemes", "hosts.ports", "hosts.deny"} {
		if p.listed(key) {
			return key
		}
	}
	return ""
}

// opens decides about opening a URL. A URL without a scheme is a path of the page's own site or the name of a host;
// the tool knows which, and the final address of the page is checked after it. Only URLs that are surely harmful are
// refused.
func (p *Policy) opens(ctx context.Context, raw string) []decision {
	a, err := readURL(raw)
	switch {
	case err != nil:
		return nil // the tool says it better
	case a.scheme == "file":
		return []decision{p.files.reads(a.path)}
	case a.scheme == "" || ports[a.scheme] == 0:
		if a, err = readURL("http://" + strings.TrimLeft(strings.TrimSpace(raw), "/")); err == nil && a.isMetadata() {
			return []decision{p.hosts.decide(a)}
		}
		return nil
	}
	d := p.hosts.decide(a)
	if d.Allowed && !p.hosts.closed() {
		if r := p.hosts.resolves(ctx, a, p.sampled); !r.Allowed {
			return []decision{r}
		}
	}
	return []decision{d}
}

// after checks the page's address. The middleware's own context may be over; a page must not stay for that.
func (p *Policy) after(ctx context.Context, inv *dispatch.Invocation) error {
	nav, ok := navigator(inv)
	if !ok {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaveTime)
	defer cancel()
	here, err := nav.URL(ctx)
	if err != nil || here == "" {
		return nil //nolint:nilerr // a device that cannot say has no page to judge; the call has its own error
	}
	d, denied := p.stands(here)
	if !denied {
		return nil
	}
	err = p.tell(ctx, inv, d)
	if _, e := nav.Navigate(ctx, driver.Navigation{URL: "about:blank"}); e != nil {
		return fault.New(fault.Denied, "leave page", "%w; and the page could not be left: %v", err, e)
	}
	return err
}

// stands decides about an address that a page shows already.
func (p *Policy) stands(here string) (decision, bool) {
	a, err := readURL(here)
	if err != nil {
		return decision{}, false
	}
	var d decision
	switch {
	case a.scheme == "file":
		d = p.decide(func(q *Policy) decision { return q.files.reads(a.path) })
	case a.scheme == "http", a.scheme == "https":
		d = p.decide(func(q *Policy) decision { return q.hosts.decide(a) })
	default:
		return decision{}, false
	}
	return d, !d.Allowed
}

func navigator(inv *dispatch.Invocation) (driver.Navigator, bool) {
	if inv.Session == nil || inv.Session.Device == nil {
		return nil, false
	}
	return driver.As[driver.Navigator](inv.Session.Device)
}

// tell logs a decision and returns a denial as an error.
func (p *Policy) tell(ctx context.Context, inv *dispatch.Invocation, d decision) error {
	p.log.DebugContext(ctx, "policy", "allowed", d.Allowed, "subject", d.Subject, "rule", d.Rule, "where", d.Where,
		"call", inv.ID)
	if d.Allowed && (p.plain() || !p.sampled.first(inv.Session.ID, d.Subject)) {
		return nil
	}
	if _, err := inv.Session.Log.Append(event.Event{Type: event.PolicyDecision, Policy: &event.Decision{
		Call: inv.ID, Tool: inv.Call.Name, Allowed: d.Allowed, Subject: d.Subject, Rule: d.Rule, Where: d.Where,
		Profile: string(p.profile),
	}}); err != nil {
		return err
	}
	if d.Allowed {
		return nil
	}
	f := d.fault("call " + inv.Call.Name)
	f.Tool = inv.Call.Name
	return f
}

// refusals are the errors of requests that the browser or its gate refused; other requests may fail with them as well.
var refusals = []string{"ERR_NAME_NOT_RESOLVED", "ERR_SOCKS_CONNECTION_FAILED",
	"ERR_SOCKS_CONNECTION_HOST_UNREACHABLE", "ERR_CONNECTION_CLOSED", "ERR_EMPTY_RESPONSE"}

// tellBlocked logs the hosts that pages asked for and the browser refused, each once in a session.
func (p *Policy) tellBlocked(ctx context.Context, inv *dispatch.Invocation) {
	if p.plain() || inv.Session == nil || inv.Session.Device == nil {
		return
	}
	network, ok := driver.As[driver.Network](inv.Session.Device)
	if !ok {
		return
	}
	id := inv.Session.ID
	requests, err := network.Requests(ctx, p.sampled.since(id))
	if err != nil {
		return
	}
	for _, r := range requests {
		p.sampled.noteSequence(id, r.Seq)
		if !slices.ContainsFunc(refusals, func(e string) bool { return strings.Contains(r.Error, e) }) {
			continue
		}
		a, err := readURL(r.URL)
		if err != nil {
			continue
		}
		d := p.decide(func(q *Policy) decision { return q.hosts.decide(a) })
		if d.Allowed && p.gated() {
			d = p.decide(func(q *Policy) decision { return q.hosts.resolves(ctx, a, q.sampled) })
		}
		if !d.Allowed && p.sampled.first(id, "blocked "+d.Subject) {
			_ = p.tell(ctx, inv, d)
		}
	}
}
