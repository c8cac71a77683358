// Package network keeps what the pages of a browser ask of the network: a log of the exchanges, and for each tab the
// requests that it waits for and those that its pages send by themselves, outside of actions. It knows no tabs and no
// frames but their names; its owner guards all of it with a lock of its own.
package network

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/chromedp"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
)

// Traffic holds the requests of the pages of one tab. The zero value is ready.
type Traffic struct {
	Background
	started uint64
	open    map[string]*Exchange // not done; without streams that never end
}

const (
	maxRequests = 5000     // exchanges kept
	maxPostData = 8 << 10  // bytes kept of a request body
	maxAddress  = 16 << 10 // and of its address
	maxHeaders  = 16 << 10 // and of its headers, names and values
)

// Log holds the exchanges of all tabs, oldest first. The zero value is ready.
type Log struct {
	list   []*Exchange
	seq    uint64
	byID   map[string]*Exchange // those not done
	mocked map[string]bool      // answered by a route before the request itself was reported
}

// Exchange is one request and its answer.
type Exchange struct {
	driver.Request
	Traffic *Traffic // of the tab that asks
	Frame   string
	Loader  string
	start   float64 // on the browser's monotonic clock, in seconds
	from    *cdp.Session
}

// Document reports whether the exchange loads the document of a frame.
func (x *Exchange) Document(frame string) bool { return x.Type == "document" && x.Frame == frame }

// key identifies requests of one kind: method and address without the query.
func (x *Exchange) key() string {
	url, _, _ := strings.Cut(x.URL, "?")
	return x.Method + " " + url
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

// Answer is the answer of a server to the request for a document.
type Answer struct {
	Frame, Loader, URL string
	Status             int
}

// Watch logs what the pages of a session ask; t is the traffic of their tab. locked runs a function under the owner's
// lock, and answered learns under it how documents were answered.
func (l *Log) Watch(s *cdp.Session, t *Traffic, locked func(func()), answered func(Answer)) {
	on(s, "requestWillBeSent", locked, func(e requestSent) { l.sent(s, t, e) })
	on(s, "responseReceived", locked, func(e responseReceived) {
		l.received(e)
		if e.Type == "Document" {
			answered(Answer{Frame: e.FrameID, Loader: e.LoaderID, URL: e.Response.URL, Status: int(e.Response.Status)})
		}
	})
	on(s, "loadingFinished", locked, func(e loadingFinished) { l.finished(e.RequestID, e.Timestamp, "") })
	on(s, "loadingFailed", locked, func(e loadingFailed) { l.finished(e.RequestID, e.Timestamp, e.ErrorText) })
}

func on[E any](s *cdp.Session, method string, locked func(func()), fn func(E)) {
	s.On("Network."+method, func(raw jsonv2.Value) {
		locked(func() {
			var e E
			if jsonv2.Unmarshal(raw, &e, chromedp.DefaultUnmarshalOptions) == nil {
				fn(e)
			}
		})
	})
}

func (l *Log) sent(from *cdp.Session, t *Traffic, e requestSent) {
	if l.byID == nil {
		l.byID = map[string]*Exchange{}
	}
	if old := l.byID[e.RequestID]; old != nil { // a redirect ends one exchange and begins the next under the same id
		if e.RedirectResponse != nil {
			old.Status = int(e.RedirectResponse.Status)
		}
		old.end(e.Timestamp)
	}
	l.seq++
	x := &Exchange{
		Request: driver.Request{
			ID: e.RequestID, Seq: l.seq, Type: strings.ToLower(e.Type),
			Method: cdp.Clip(e.Request.Method, maxHeaders), URL: cdp.Clip(e.Request.URL, maxAddress),
			Headers: clipHeaders(e.Request.Headers), PostData: cdp.Clip(e.Request.PostData, maxPostData),
			Started: time.UnixMicro(int64(e.WallTime * 1e6)),
		},
		Traffic: t, Frame: e.FrameID, Loader: e.LoaderID, start: e.Timestamp, from: from,
	}
	if l.mocked[e.RequestID] {
		x.Mocked = true
		delete(l.mocked, e.RequestID)
	}
	if len(l.list) >= maxRequests {
		l.list = append(l.list[:0:0], l.list[len(l.list)/2:]...)
	}
	l.list = append(l.list, x)
	l.byID[e.RequestID] = x
	t.begin(x)
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

func (l *Log) received(e responseReceived) {
	x := l.byID[e.RequestID]
	if x == nil {
		return
	}
	x.Status, x.MIME = int(e.Response.Status), cdp.Clip(e.Response.MimeType, maxHeaders)
	if e.Response.MimeType == "text/event-stream" {
		delete(x.Traffic.open, e.RequestID)
	}
}

func (l *Log) finished(id string, at float64, errText string) {
	x := l.byID[id]
	if x == nil {
		return
	}
	x.Error = errText
	x.end(at)
	delete(l.byID, id)
}

func (x *Exchange) end(at float64) {
	x.Done = true
	if at > x.start && x.start > 0 {
		x.Duration = time.Duration((at - x.start) * float64(time.Second))
	}
	delete(x.Traffic.open, x.ID)
}

// Gone ends the open requests of a closed session: the browser no longer reports on them.
func (l *Log) Gone(s *cdp.Session) {
	for id, x := range l.byID {
		if x.from == s {
			l.finished(id, 0, "target closed")
		}
	}
}

// Seq is the number of the newest request.
func (l *Log) Seq() uint64 { return l.seq }

// Open is the exchange with that id, while it is not done.
func (l *Log) Open(id string) *Exchange { return l.byID[id] }

// Newest is the newest exchange of a tab that is as asked, nil when there is none.
func (l *Log) Newest(t *Traffic, is func(*Exchange) bool) *Exchange {
	for _, x := range slices.Backward(l.list) {
		if x.Traffic == t && is(x) {
			return x
		}
	}
	return nil
}

// Since are the exchanges after the one with that number.
func (l *Log) Since(seq uint64) []*Exchange {
	first := len(l.list)
	for first > 0 && l.list[first-1].Seq > seq {
		first--
	}
	return l.list[first:]
}

// MarkMocked notes that a route answers a request.
func (l *Log) MarkMocked(id string) {
	if x := l.byID[id]; x != nil {
		x.Mocked = true
	} else if id != "" && len(l.mocked) < maxRequests {
		if l.mocked == nil {
			l.mocked = map[string]bool{}
		}
		l.mocked[id] = true
	}
}
