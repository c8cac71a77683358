// Package route answers requests of a page in place of the network.
package route

import (
	"regexp"
	"strings"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
)

// Route is a driver.Route in force. Its owner guards it.
type Route struct {
	driver.Route
	match *regexp.Regexp
	used  int
}

// Compile turns the glob over the whole URL into an expression: ** is anything, * anything but "/".
func Compile(r driver.Route) (*Route, error) {
	if r.Pattern == "" {
		return nil, fault.New(fault.Invalid, "set route", "a route needs a pattern").
			WithHint("For every request write **.")
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
	return &Route{Route: r, match: re}, nil
}

// Wants reports whether the route answers a request.
func (r *Route) Wants(method, url string) bool {
	return (r.Method == "" || strings.EqualFold(r.Method, method)) &&
		(r.Times == 0 || r.used < r.Times) && r.match.MatchString(url)
}

// Use counts an answer: a route may be good for a number of them.
func (r *Route) Use() { r.used++ }

// Left is the route with the answers that it still has. It reports false for a route that has none.
func (r *Route) Left() (driver.Route, bool) {
	left := r.Route
	if r.Times == 0 {
		return left, true
	}
	left.Times = r.Times - r.used
	return left, left.Times > 0
}

// Blank answers a request with an empty page.
func Blank(s *cdp.Session, e fetch.EventRequestPaused) {
	(&Route{Route: driver.Route{Body: "<!doctype html>"}}).Answer(s, e)
}

// Refuse fails a request.
func Refuse(s *cdp.Session, e fetch.EventRequestPaused) {
	cdp.Send(s, fetch.FailRequest, fetch.FailRequestParams{
		RequestID: e.RequestID, ErrorReason: network.ErrorReasonBlockedByClient,
	})
}

// Answer answers a request instead of the network.
func (r *Route) Answer(s *cdp.Session, e fetch.EventRequestPaused) {
	if r.Abort {
		Refuse(s, e)
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

// headers are the route's, with a content type guessed from the body and, unless the route says
// otherwise, permission for other origins: a mock should answer like the server it stands for, and
// pages call APIs across origins.
func (r *Route) headers() []*fetch.HeaderEntry {
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
