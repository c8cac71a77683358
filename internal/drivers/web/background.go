package web

import (
	"strings"
	"time"
)

// background is the activity of a tab's pages outside of actions: requests that they send by
// themselves, requests that never end, and an address that keeps changing. An action waits for none
// of it and does not count it as its effect. Device.mu guards it.
type background struct {
	spans   [][2]uint64     // request numbers that fell within actions: [first, last]
	endless map[string]bool // keys of requests that outlasted a wait
	drift   addressDrift
}

// addressDrift is how a page changes its address by itself within the document: a counter in the
// fragment, a position in the query.
type addressDrift struct {
	times       int
	first, last time.Time
	cut         string // where the part that changes begins: "#", "?", or "" for any of it
}

// addressChanged notes that the address changed within the document.
func (h *background) addressChanged(from, to string, now time.Time) {
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

// fixedPart is the part of an address that the page does not change by itself.
func (r *addressDrift) fixedPart(url string) string {
	if r.cut == "" {
		return ""
	}
	url, _, _ = strings.Cut(url, r.cut)
	return url
}

// readdressed reports whether something other than the page's own drift changed the address.
func (h *background) readdressed(from, to string) bool {
	if h.roams() {
		return h.drift.fixedPart(from) != h.drift.fixedPart(to)
	}
	return from != to
}

// roams reports whether the page keeps changing its address by itself.
func (h *background) roams() bool {
	return h.drift.times > 3 && h.drift.last.Sub(h.drift.first) > apart
}

// maxSpans is how many actions are remembered.
const maxSpans = 200

func (h *background) beginAction(seq uint64) {
	if len(h.spans) >= maxSpans {
		h.spans = append(h.spans[:0:0], h.spans[maxSpans/2:]...)
	}
	h.spans = append(h.spans, [2]uint64{seq + 1, ^uint64(0)})
}

func (h *background) endAction(seq uint64) {
	if n := len(h.spans); n > 0 {
		h.spans[n-1][1] = seq
	}
}

func (h *background) markEndless(x *exchange) {
	if h.endless == nil || len(h.endless) >= maxSpans { // a page can ask for new addresses without end
		h.endless = map[string]bool{}
	}
	h.endless[key(x)] = true
}

// apart is the time between two requests from which on they count as polling: a page may load the
// same thing twice at once.
const apart = 400 * time.Millisecond

// polls reports whether the page sends such requests by itself: two of them came, some time apart,
// outside of actions.
func (h *background) polls(log []*exchange, x *exchange) bool {
	var later time.Time
	k := key(x)
	for i := len(log) - 1; i >= 0 && i > len(log)-500; i-- {
		o := log[i]
		if o.tab != x.tab || o.loader != x.loader || o.Seq >= x.Seq || key(o) != k || h.acted(o.Seq) {
			continue
		}
		if !later.IsZero() && later.Sub(o.Started) > apart {
			return true
		}
		if later.IsZero() {
			later = o.Started
		}
	}
	return false
}

// acted reports whether request seq began during an action.
func (h *background) acted(seq uint64) bool {
	for i := len(h.spans) - 1; i >= 0; i-- {
		if s := h.spans[i]; seq >= s[0] {
			return seq <= s[1]
		}
	}
	return false
}

// key identifies requests of one kind: method and address without the query.
func key(x *exchange) string {
	url, _, _ := strings.Cut(x.URL, "?")
	return x.Method + " " + url
}
