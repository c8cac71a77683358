package network

import (
	"sort"
	"strings"
	"time"
)

func (t *Traffic) begin(x *Exchange) {
	t.started++
	if t.open == nil {
		t.open = map[string]*Exchange{}
	}
	if x.Type != "eventsource" && x.Type != "websocket" && x.Type != "ping" && x.Type != "media" {
		t.open[x.ID] = x
	}
}

// Started counts all requests there ever were.
func (t *Traffic) Started() uint64 { return t.started }

// Pending are the requests that the tab waits for, oldest first.
func (t *Traffic) Pending() []*Exchange {
	out := make([]*Exchange, 0, len(t.open))
	for _, x := range t.open {
		out = append(out, x)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Seq < out[j].Seq })
	return out
}

// Abandon stops waiting for requests: the browser does not report how those of a replaced document
// or a removed frame ended.
func (t *Traffic) Abandon(which func(*Exchange) bool) {
	for id, x := range t.open {
		if which(x) {
			delete(t.open, id)
		}
	}
}

// Background is the activity of a tab's pages outside of actions: requests that they send by
// themselves, requests that never end, and an address that keeps changing. An action waits for none
// of it and does not count it as its effect.
type Background struct {
	spans   [][2]uint64     // request numbers that fell within actions: [first, last]
	endless map[string]bool // keys of requests that outlasted a wait
	drift   addressDrift
}

// addressDrift is the part of the address that a page changes without an action within the document: a counter in
// the fragment, a position in the query.
type addressDrift struct {
	times       int
	first, last time.Time
	cut         string // where the part that changes begins: "#", "?", or "" for any of it
}

// AddressChanged notes that the address changed within the document.
func (h *Background) AddressChanged(from, to string, now time.Time) {
	r := &h.drift
	if n := len(h.spans); n > 0 && h.spans[n-1][1] == ^uint64(0) {
		return // an action runs
	}
	if r.times == 0 {
		r.first, r.cut = now, "#"
	}
	r.times++
	r.last = now
	for _, next := range []string{"?", ""} {
		if r.fixedPart(from) != r.fixedPart(to) {
			r.cut = next
		}
	}
}

// fixedPart returns the part of an address that the page changes only after actions.
func (r *addressDrift) fixedPart(url string) string {
	if r.cut == "" {
		return ""
	}
	url, _, _ = strings.Cut(url, r.cut)
	return url
}

// Readdressed reports whether something other than the page's own drift changed the address.
func (h *Background) Readdressed(from, to string) bool {
	if h.Roams() {
		return h.drift.fixedPart(from) != h.drift.fixedPart(to)
	}
	return from != to
}

// Roams reports whether the page keeps changing its address without actions.
func (h *Background) Roams() bool {
	return h.drift.times > 3 && h.drift.last.Sub(h.drift.first) > pollGap
}

// maxSpans limits the actions that are remembered.
const maxSpans = 200

// BeginAction notes that an action begins behind the request with that number.
func (h *Background) BeginAction(seq uint64) {
	if len(h.spans) >= maxSpans {
		h.spans = append(h.spans[:0:0], h.spans[maxSpans/2:]...)
	}
	h.spans = append(h.spans, [2]uint64{seq + 1, ^uint64(0)})
}

// EndAction notes that it ended behind that one.
func (h *Background) EndAction(seq uint64) {
	if n := len(h.spans); n > 0 {
		h.spans[n-1][1] = seq
	}
}

// MarkEndless notes that a request outlasted a wait: such requests are not waited for again.
func (h *Background) MarkEndless(x *Exchange) {
	if h.endless == nil || len(h.endless) >= maxSpans { // a page can ask for new addresses without end
		h.endless = map[string]bool{}
	}
	h.endless[x.key()] = true
}

// Endless reports whether a request is of a kind that outlasted a wait.
func (h *Background) Endless(x *Exchange) bool { return h.endless[x.key()] }

// NewDocument forgets how the document before changed its address.
func (h *Background) NewDocument() { h.drift = addressDrift{} }

// pollGap is the time between two requests from which on they count as polling: a page may load the
// same thing twice at once.
const pollGap = 400 * time.Millisecond

// Polls reports whether the page of a request sends such requests without actions: two of them came, some time
// apart, outside of actions.
func (l *Log) Polls(x *Exchange) bool {
	var later time.Time
	h, k := &x.Traffic.Background, x.key()
	for i := len(l.list) - 1; i >= 0 && i > len(l.list)-500; i-- {
		o := l.list[i]
		if o.Traffic != x.Traffic || o.Loader != x.Loader || o.Seq >= x.Seq || o.key() != k || h.acted(o.Seq) {
			continue
		}
		if !later.IsZero() && later.Sub(o.Started) > pollGap {
			return true
		}
		if later.IsZero() {
			later = o.Started
		}
	}
	return false
}

// acted reports whether request seq began during an action.
func (h *Background) acted(seq uint64) bool {
	for i := len(h.spans) - 1; i >= 0; i-- {
		if s := h.spans[i]; seq >= s[0] {
			return seq <= s[1]
		}
	}
	return false
}
