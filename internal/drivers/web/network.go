package web

import (
	"context"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/frames"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/network"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/route"
)

var (
	_ driver.Network = (*Device)(nil)
	_ driver.Routed  = (*Device)(nil)
)

// watchNetwork logs what the pages of a host ask for, and lets routes answer in place of the network.
func (d *Device) watchNetwork(h *frames.Host) {
	d.network.Watch(h.Session, &h.Tab.Traffic, d.frames.Locked, func(x network.Answer) {
		if m := h.Tab.Main; m != nil && string(m.ID) == x.Frame {
			h.Tab.LastLoad = frames.Load{Loader: proto.LoaderID(x.Loader), Status: x.Status, URL: x.URL}
		}
	})
	d.watchRoutes(h)
}

// Requests implements driver.Network.
func (d *Device) Requests(_ context.Context, since uint64) ([]driver.Request, error) {
	d.frames.Lock()
	defer d.frames.Unlock()
	var out []driver.Request
	for _, x := range d.network.Since(since) {
		out = append(out, x.Request)
	}
	return out, nil
}

// interception holds the rules for requests before they reach the network. The lock guards it.
type interception struct {
	routes []*route.Route // answer in place of the network
	files  bool           // a file page was opened: its requests are checked
}

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
	d.frames.Lock()
	d.intercepted.routes = compiled
	d.frames.Unlock()
	return d.intercept(ctx)
}

// intercept makes all hosts pause the requests that are ours to decide, and no others.
func (d *Device) intercept(ctx context.Context) error {
	d.frames.Lock()
	patterns := d.intercepted.patterns()
	var sessions []*cdp.Session
	for _, h := range d.frames.Hosts {
		sessions = append(sessions, h.Session)
	}
	d.frames.Unlock()
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

// patterns are the URLs whose requests are intercepted.
func (n *interception) patterns() []string {
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
func (n *interception) enableRoutes(h *frames.Host) {
	if p := n.patterns(); len(p) > 0 {
		cdp.Send(h.Session, fetch.Enable, enableFetch(p...))
	}
}

func (d *Device) watchRoutes(h *frames.Host) {
	cdp.On(h.Session, fetch.RequestPaused, frames.Locked(d.frames, func(e fetch.EventRequestPaused) {
		if h.Tab.Private {
			route.Blank(h.Session, e)
			return
		}
		url := e.Request.URL + e.Request.URLFragment
		for _, r := range d.intercepted.routes {
			if r.Wants(e.Request.Method, url) || r.Wants(e.Request.Method, e.Request.URL) {
				r.Use()
				d.network.MarkMocked(string(e.NetworkID))
				r.Answer(h.Session, e)
				return
			}
		}
		if d.intercepted.files && isFileURL(url) && d.mayOpen(url) != nil {
			route.Refuse(h.Session, e)
			return
		}
		cdp.Send(h.Session, fetch.ContinueRequest, fetch.ContinueRequestParams{RequestID: e.RequestID})
	}))
}

// Routes implements driver.Routed: it returns the remaining routes, in the order in which they are asked.
func (d *Device) Routes(context.Context) ([]driver.Route, error) {
	d.frames.Lock()
	defer d.frames.Unlock()
	var out []driver.Route
	for _, r := range d.intercepted.routes {
		if left, ok := r.Left(); ok {
			out = append(out, left)
		}
	}
	return out, nil
}
