package web

import (
	"context"
	"maps"
	"slices"
	"sort"
	"strings"
	"time"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/chromedp"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/route"
)

var _ driver.Network = (*Device)(nil)

const (
	maxRequests = 5000     // exchanges kept
	maxPostData = 8 << 10  // bytes kept of a request body
	maxAddress  = 16 << 10 // and of its address
	maxHeaders  = 16 << 10 // and of its headers, names and values
)

// networkLog holds the exchanges and the routes that answer in place of the network. Device.mu
// guards it.
type networkLog struct {
	log    []*exchange
	seq    uint64
	byID   map[string]*exchange // those not done
	mocked map[string]bool      // answered by a route before the request itself was reported
	routes []*route.Route
	files  bool // a file page was opened: its requests are checked
}

// exchange is one request and its answer.
type exchange struct {
	driver.Request
	tab    *tab
	host   *host
	frame  string
	loader string
	start  float64 // on the browser's monotonic clock, in seconds
}

// inflight holds the requests that a tab waits for.
type inflight struct {
	started uint64               // requests ever
	open    map[string]*exchange // not done; without streams that never end
}

// The events, reduced to the fields we keep: decoding all of Network.Response for every image is
// slow.
type (
	requestSent struct {
		RequestID string  `json:"requestId"`
		LoaderID  string  `json:"loaderId"`
		FrameID   string  `json:"frameId"`
		Type      string  `json:"type"`
		Timestamp float64 `json:"timestamp"`
		WallTime  float64 `json:"wallTime"`
		Request   struct {
			URL      string            `json:"url"`
			Method   string            `json:"method"`
			Headers  map[string]string `json:"headers"`
			PostData string            `json:"postData"`
		} `json:"request"`
		RedirectResponse *response `json:"redirectResponse"`
	}
	response struct {
		URL      string  `json:"url"`
		Status   float64 `json:"status"`
		MimeType string  `json:"mimeType"`
	}
	responseReceived struct {
		RequestID string   `json:"requestId"`
		LoaderID  string   `json:"loaderId"`
		FrameID   string   `json:"frameId"`
		Type      string   `json:"type"`
		Response  response `json:"response"`
	}
	loadingFinished struct {
		RequestID string  `json:"requestId"`
		Timestamp float64 `json:"timestamp"`
	}
	loadingFailed struct {
		RequestID string  `json:"requestId"`
		Timestamp float64 `json:"timestamp"`
		ErrorText string  `json:"errorText"`
		Canceled  bool    `json:"canceled"`
	}
)

func (d *Device) watchNetwork(h *host) {
	on := func(method string, fn func(jsonv2.Value)) {
		h.sess.On("Network."+method, func(raw jsonv2.Value) { d.locked(func() { fn(raw) }) })
	}
	on("requestWillBeSent", func(raw jsonv2.Value) {
		var e requestSent
		if decode(raw, &e) {
			d.network.sent(h, e)
		}
	})
	on("responseReceived", func(raw jsonv2.Value) {
		var e responseReceived
		if decode(raw, &e) {
			d.network.received(h, e)
		}
	})
	on("loadingFinished", func(raw jsonv2.Value) {
		var e loadingFinished
		if decode(raw, &e) {
			d.network.finished(h, e.RequestID, e.Timestamp, "")
		}
	})
	on("loadingFailed", func(raw jsonv2.Value) {
		var e loadingFailed
		if decode(raw, &e) {
			d.network.finished(h, e.RequestID, e.Timestamp, e.ErrorText)
		}
	})
	d.watchRoutes(h)
}

func decode(raw jsonv2.Value, out any) bool {
	return jsonv2.Unmarshal(raw, out, chromedp.DefaultUnmarshalOptions) == nil
}

func (n *networkLog) sent(h *host, e requestSent) {
	if n.byID == nil {
		n.byID = map[string]*exchange{}
	}
	if old := n.byID[e.RequestID]; old != nil { // a redirect ends one exchange and begins the next under the same id
		if e.RedirectResponse != nil {
			old.Status = int(e.RedirectResponse.Status)
		}
		n.end(old, e.Timestamp)
	}
	n.seq++
	x := &exchange{
		Request: driver.Request{
			ID: e.RequestID, Seq: n.seq, Type: strings.ToLower(e.Type),
			Method: cdp.Clip(e.Request.Method, maxHeaders), URL: cdp.Clip(e.Request.URL, maxAddress),
			Headers: clipHeaders(e.Request.Headers), PostData: cdp.Clip(e.Request.PostData, maxPostData),
			Started: time.UnixMicro(int64(e.WallTime * 1e6)),
		},
		tab: h.tab, host: h, frame: e.FrameID, loader: e.LoaderID, start: e.Timestamp,
	}
	if n.mocked[e.RequestID] {
		x.Mocked = true
		delete(n.mocked, e.RequestID)
	}
	if len(n.log) >= maxRequests {
		n.log = append(n.log[:0:0], n.log[len(n.log)/2:]...)
	}
	n.log = append(n.log, x)
	n.byID[e.RequestID] = x
	t := h.tab
	t.net.started++
	if t.net.open == nil {
		t.net.open = map[string]*exchange{}
	}
	if x.Type != "eventsource" && x.Type != "websocket" && x.Type != "ping" && x.Type != "media" {
		t.net.open[e.RequestID] = x
	}
}

func clipHeaders(all map[string]string) map[string]string {
	left := maxHeaders
	for k, v := range all {
		left -= len(k) + len(v)
	}
	if left >= 0 {
		return all
	}
	left = maxHeaders
	out := map[string]string{}
	for _, k := range slices.Sorted(maps.Keys(all)) {
		if left -= len(k); left <= 0 {
			break
		}
		out[k] = cdp.Clip(all[k], left)
		left -= len(out[k])
	}
	return out
}

func (n *networkLog) received(h *host, e responseReceived) {
	x := n.byID[e.RequestID]
	if x != nil {
		x.Status, x.MIME = int(e.Response.Status), cdp.Clip(e.Response.MimeType, maxHeaders)
		if e.Response.MimeType == "text/event-stream" {
			delete(h.tab.net.open, e.RequestID)
		}
	}
	if e.Type == "Document" && h.tab.main != nil && string(h.tab.main.id) == e.FrameID {
		h.tab.lastLoad = navigationResult{loader: proto.LoaderID(e.LoaderID), status: int(e.Response.Status),
			url: e.Response.URL}
	}
}

func (n *networkLog) finished(h *host, id string, at float64, errText string) {
	x := n.byID[id]
	if x == nil {
		return
	}
	x.Error = errText
	n.end(x, at)
	delete(n.byID, id)
}

func (n *networkLog) end(x *exchange, at float64) {
	x.Done = true
	if at > x.start && x.start > 0 {
		x.Duration = time.Duration((at - x.start) * float64(time.Second))
	}
	delete(x.tab.net.open, x.ID)
}

// failure is the reason why the newest document of a tab did not load.
func (n *networkLog) failure(t *tab) string {
	for i := len(n.log) - 1; i >= 0; i-- {
		if x := n.log[i]; x.tab == t && x.Type == "document" && x.frame == string(t.main.id) && x.Error != "" {
			return x.Error
		}
	}
	return "the browser shows an error page"
}

// hostGone ends the open requests of a closed target: the browser no longer reports on them.
func (n *networkLog) hostGone(h *host) {
	for id, x := range n.byID {
		if x.host == h {
			x.Error = "target closed"
			n.end(x, 0)
			delete(n.byID, id)
		}
	}
}

// pending are the requests the tab waits for, oldest first. Device.mu is held.
func (t *tab) pending() []*exchange {
	out := make([]*exchange, 0, len(t.net.open))
	for _, x := range t.net.open {
		out = append(out, x)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Seq < out[j].Seq })
	return out
}

// abandon stops waiting for the requests of a replaced document, its own included: when its process
// ends too, the browser does not report how they ended. Device.mu is held.
func (t *tab) abandon(frame, loader string) {
	for id, x := range t.net.open {
		if loader != "" && x.frame == frame && x.loader == loader {
			delete(t.net.open, id)
		}
	}
}

// abandonFrame stops waiting for the requests of a removed frame: the browser does not report how
// they ended. Device.mu is held.
func (t *tab) abandonFrame(frame string) {
	for id, x := range t.net.open {
		if x.frame == frame {
			delete(t.net.open, id)
		}
	}
}

// Requests implements driver.Network.
func (d *Device) Requests(_ context.Context, since uint64) ([]driver.Request, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	var out []driver.Request
	for _, x := range d.network.log {
		if x.Seq > since {
			out = append(out, x.Request)
		}
	}
	return out, nil
}
