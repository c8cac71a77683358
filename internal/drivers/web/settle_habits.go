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
