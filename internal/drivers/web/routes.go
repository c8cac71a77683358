package web

import (
	"context"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/route"
)

var _ driver.Routed = (*Device)(nil)

// SetRoutes implements driver.Network: the routes replace those before; the first that matches
// answers. Requests are only intercepted while there are routes, since interception costs a round
// trip each.
func (d *Device) SetRoutes(ctx context.Context, routes []driver.Route) error {
	compiled := make([]*route.Route, 0, len(routes))
	for _, r := range routes {
		c, err := route.Compile(r)
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

// confineFiles keeps the pages of a folder from showing what lies outside of it, such as in a
// frame.
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
func (n *networkLog) patterns() []string {
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
func (n *networkLog) enableRoutes(h *host) {
	if p := n.patterns(); len(p) > 0 {
		cdp.Send(h.sess, fetch.Enable, enableFetch(p...))
	}
}

func (d *Device) watchRoutes(h *host) {
	cdp.On(h.sess, fetch.RequestPaused, locked(d, func(e fetch.EventRequestPaused) {
		if h.tab.private {
			route.Blank(h.sess, e)
			return
		}
		url := e.Request.URL + e.Request.URLFragment
		for _, r := range d.network.routes {
			if r.Wants(e.Request.Method, url) || r.Wants(e.Request.Method, e.Request.URL) {
				r.Use()
				d.network.markMocked(string(e.NetworkID))
				r.Answer(h.sess, e)
				return
			}
		}
		if d.network.files && isFileURL(url) && d.mayOpen(url) != nil {
			route.Refuse(h.sess, e)
			return
		}
		cdp.Send(h.sess, fetch.ContinueRequest, fetch.ContinueRequestParams{RequestID: e.RequestID})
	}))
}

func (n *networkLog) markMocked(id string) {
	if x := n.byID[id]; x != nil {
		x.Mocked = true
	} else if id != "" && len(n.mocked) < maxRequests {
		if n.mocked == nil {
			n.mocked = map[string]bool{}
		}
		n.mocked[id] = true
	}
}

// Routes implements driver.Routed: what is left of the routes, in the order in which they are
// asked.
func (d *Device) Routes(context.Context) ([]driver.Route, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	var out []driver.Route
	for _, r := range d.network.routes {
		if left, ok := r.Left(); ok {
			out = append(out, left)
		}
	}
	return out, nil
}
