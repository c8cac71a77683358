package web

import (
	"strings"
	"time"
)

// habits is what a tab's pages do by themselves: requests that come while nobody acts, and requests that never end.
// Neither is waited for, and the former are no effect. Device.mu guards it.
type habits struct {
	spans   [][2]uint64     // request numbers that fell within actions: [first, last]
	endless map[string]bool // keys of requests that outlasted a wait
	roams   roaming
}

// roaming is how a page changes its address by itself, within the document: a counter in the fragment, a position in the
// query.
type roaming struct {
	times       int
	first, last time.Time
	cut         string // what the part that changes begins with: "#", "?", or "" for any of it
}

// roamed notes that the address changed within the document.
func (h *habits) roamed(from, to string, now time.Time) {
	r := &h.roams
	if n := len(h.spans); n > 0 && h.spans[n-1][1] == ^uint64(0) {
		return // somebody acts
	}
	if r.times == 0 {
		r.first, r.cut = now, "#"
	}
	r.times++
	r.last = now
	for _, next := range []string{"?", ""} {
		if r.stays(from) != r.stays(to) {
			r.cut = next
		}
	}
}

// stays is the part of an address that the page has not been changing by itself.
func (r *roaming) stays(url string) string {
	if r.cut == "" {
		return ""
	}
	url, _, _ = strings.Cut(url, r.cut)
	return url
}

// readdressed says whether the address was changed by something else than the page's own restlessness.
func (h *habits) readdressed(from, to string) bool {
	if r := &h.roams; r.times > 3 && r.last.Sub(r.first) > apart {
		return r.stays(from) != r.stays(to)
	}
	return from != to
}

const maxSpans = 200

func (h *habits) open(seq uint64) {
	if len(h.spans) >= maxSpans {
		h.spans = append(h.spans[:0:0], h.spans[maxSpans/2:]...)
	}
	h.spans = append(h.spans, [2]uint64{seq + 1, ^uint64(0)})
}

func (h *habits) shut(seq uint64) {
	if n := len(h.spans); n > 0 {
		h.spans[n-1][1] = seq
	}
}

func (h *habits) learn(x *exchange) {
	if h.endless == nil {
		h.endless = map[string]bool{}
	}
	h.endless[key(x)] = true
}

// apart is how far apart two requests must be to be a habit: a page may well load the same thing twice at once.
const apart = 400 * time.Millisecond

// polls says whether the page sends such requests by itself: two of them came, some time apart, while nobody acted.
func (h *habits) polls(d *Device, x *exchange) bool {
	var later time.Time
	k := key(x)
	log := d.network.log
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

// acted says whether request seq began during an action.
func (h *habits) acted(seq uint64) bool {
	for i := len(h.spans) - 1; i >= 0; i-- {
		if s := h.spans[i]; seq >= s[0] {
			return seq <= s[1]
		}
	}
	return false
}

// key is what requests of one kind have in common.
func key(x *exchange) string {
	url, _, _ := strings.Cut(x.URL, "?")
	return x.Method + " " + url
}
