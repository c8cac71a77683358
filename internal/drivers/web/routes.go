package web

import (
	"context"
	"regexp"
	"strings"

	"github.com/chromedp/cdproto/fetch"
	protonet "github.com/chromedp/cdproto/network"

	proto "github.com/chromedp/cdproto/cdp"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
)

// route is a Route that is in force.
type route struct {
	driver.Route
	match *regexp.Regexp
	used  int
}

func lower(s string) string { return strings.ToLower(s) }

// compileRoute turns the glob over the whole URL into an expression: ** is anything, * anything but "/".
func compileRoute(r driver.Route) (*route, error) {
	if r.Pattern == "" {
		return nil, fault.New(fault.Invalid, "set route", "a route needs a pattern").WithHint("For every request write **.")
	}
	if r.Status != 0 && (r.Status < 100 || r.Status > 599) {
		return nil, fault.New(fault.Invalid, "set route", "%d is no HTTP status", r.Status)
	}
	var b strings.Builder
	b.WriteString("(?s)^")
	for i, run := range strings.Split(r.Pattern, "**") {
		if i > 0 {
			b.WriteString(".*")
		}
		for j, literal := range strings.Split(run, "*") {
			if j > 0 {
				b.WriteString("[^/]*")
			}
			b.WriteString(regexp.QuoteMeta(literal))
		}
	}
	re, err := regexp.Compile(b.String() + "$")
	if err != nil {
		return nil, fault.Wrap(err, fault.Invalid, "set route")
	}
	return &route{Route: r, match: re}, nil
}

func (r *route) wants(method, url string) bool {
	return (r.Method == "" || strings.EqualFold(r.Method, method)) &&
		(r.Times == 0 || r.used < r.Times) && r.match.MatchString(url)
}

// SetRoutes implements driver.Network: the routes replace those before; the first that matches answers. Requests are
// only intercepted while there are routes, since interception costs a round trip each.
func (d *Device) SetRoutes(ctx context.Context, routes []driver.Route) error {
	compiled := make([]*route, 0, len(routes))
	for _, r := range routes {
		c, err := compileRoute(r)
		if err != nil {
			return err
		}
		compiled = append(compiled, c)
	}
	d.mu.Lock()
	d.network.routes = compiled
	d.mu.Unlock()
	return d.intercept(ctx)
}

// intercept makes all hosts pause the requests that are ours to decide, and no others.
func (d *Device) intercept(ctx context.Context) error {
	d.mu.Lock()
	patterns := d.network.patterns()
	var sessions []*cdp.Session
	for _, h := range d.hosts {
		sessions = append(sessions, h.sess)
	}
	d.mu.Unlock()
	for _, s := range sessions {
		var err error
		if len(patterns) > 0 {
			err = cdp.Do(ctx, s, fetch.Enable, enableFetch(patterns...))
		} else {
			err = cdp.Do(ctx, s, fetch.Disable, proto.Empty{})
		}
		if err != nil && ctx.Err() != nil {
			return fault.Wrap(err, "", "intercept requests")
		}
	}
	return nil
}

// confineFiles keeps the pages of a folder from showing what lies outside of it, such as in a frame.
func (d *Device) confineFiles(ctx context.Context) error {
	d.mu.Lock()
	done := d.network.files
	d.network.files = true
	d.mu.Unlock()
	if done {
		return nil
	}
	return d.intercept(ctx)
}

// patterns are the URLs whose requests are intercepted.
func (n *traffic) patterns() []string {
	switch {
	case len(n.routes) > 0:
		return []string{"*"}
	case n.files:
		return []string{"file://*"}
	}
	return nil
}

func enableFetch(urls ...string) fetch.EnableParams {
	var p fetch.EnableParams
	for _, u := range urls {
		p.Patterns = append(p.Patterns, &fetch.RequestPattern{URLPattern: u})
	}
	return p
}

// enableRoutes makes a new host obey the routes in force.
func (n *traffic) enableRoutes(h *host) {
	if p := n.patterns(); len(p) > 0 {
		cdp.Send(h.sess, fetch.Enable, enableFetch(p...))
	}
}

func (d *Device) watchRoutes(h *host) {
	cdp.On(h.sess, fetch.RequestPaused, locked(d, func(e fetch.EventRequestPaused) {
		if h.tab.private {
			(&route{Route: driver.Route{Body: "<!doctype html>"}}).answer(h.sess, e)
			return
		}
		url := e.Request.URL + e.Request.URLFragment
		for _, r := range d.network.routes {
			if r.wants(e.Request.Method, url) || r.wants(e.Request.Method, e.Request.URL) {
				r.used++
				d.network.markMocked(string(e.NetworkID))
				r.answer(h.sess, e)
				return
			}
		}
		if d.network.files && isFileURL(url) && d.mayOpen(url) != nil {
			(&route{Route: driver.Route{Abort: true}}).answer(h.sess, e)
			return
		}
		cdp.Send(h.sess, fetch.ContinueRequest, fetch.ContinueRequestParams{RequestID: e.RequestID})
	}))
}

func (n *traffic) markMocked(id string) {
	if x := n.byID[id]; x != nil {
		x.Mocked = true
	} else if id != "" && len(n.mocked) < maxRequests {
		if n.mocked == nil {
			n.mocked = map[string]bool{}
		}
		n.mocked[id] = true
	}
}

func (r *route) answer(s *cdp.Session, e fetch.EventRequestPaused) {
	if r.Abort {
		cdp.Send(s, fetch.FailRequest, fetch.FailRequestParams{RequestID: e.RequestID, ErrorReason: protonet.ErrorReasonBlockedByClient})
		return
	}
	status := r.Status
	if status == 0 {
		status = 200
	}
	cdp.Send(s, fetch.FulfillRequest, fetch.FulfillRequestParams{
		RequestID: e.RequestID, ResponseCode: int64(status), ResponseHeaders: r.headers(), Body: []byte(r.Body),
	})
}

// headers are the route's, with a content type guessed from the body and, unless the route says otherwise, permission
// for other origins: a mock should answer like the server it stands for, and pages call APIs across origins.
func (r *route) headers() []*fetch.HeaderEntry {
	has := map[string]bool{}
	var out []*fetch.HeaderEntry
	for k, v := range r.Headers {
		has[strings.ToLower(k)] = true
		out = append(out, &fetch.HeaderEntry{Name: k, Value: v})
	}
	if !has["content-type"] && r.Body != "" {
		out = append(out, &fetch.HeaderEntry{Name: "Content-Type", Value: guessType(r.Body)})
	}
	if !has["access-control-allow-origin"] {
		out = append(out, &fetch.HeaderEntry{Name: "Access-Control-Allow-Origin", Value: "*"})
	}
	return out
}

func guessType(body string) string {
	switch b := strings.TrimSpace(body); {
	case strings.HasPrefix(b, "{"), strings.HasPrefix(b, "["):
		return "application/json"
	case strings.HasPrefix(b, "<"):
		return "text/html; charset=utf-8"
	default:
		return "text/plain; charset=utf-8"
	}
}
