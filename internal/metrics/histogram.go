package metrics

import "time"

// bounds are the upper ends of the buckets: a warm click is milliseconds, a page seconds, a trail a minute.
var bounds = [...]float64{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60}

// histogram counts durations by size.
type histogram struct {
	buckets [len(bounds)]uint64 // not cumulative
	count   uint64
	sum     float64
}

func (h *histogram) add(d time.Duration) {
	s := d.Seconds()
	h.count++
	h.sum += s
	for i, b := range bounds {
		if s <= b {
			h.buckets[i]++
			return
		}
	}
}
