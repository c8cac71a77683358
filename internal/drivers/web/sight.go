package web

import (
	"encoding/json"
	"strings"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/page"
)

// sight is what captures have shown of one document, with a lock of its own. It asks nothing: captures, answers that
// bring one along, and what is recalled stand on it.
type sight struct {
	mu           sync.Mutex // serialises captures of this document and guards the mirror
	mirror       *page.Document
	unresponsive bool   // did not answer the last time
	around       string // the last capture without the tree; see digest
	turn         int    // grows whenever the mirror or its surroundings change
	shown        int    // the turn that the device's last snapshot shows
	prefetched   *prefetched
	read         *reading
	suspects     []int64 // elements that captures named since the last that was shown; see reveal
}

const (
	frameTimeout        = 5 * time.Second        // for one frame's page script to answer
	unresponsiveTimeout = 500 * time.Millisecond // for one that did not the last time
)

// freshFor is how long a prefetched capture stands for the present: the time of one drawn frame.
const freshFor = 16 * time.Millisecond

// delta is a capture as a difference to the mirror, with the page script's counters of the same
// instant; see look.ts.
type delta struct {
	N json.RawMessage `json:"n"`
	S string          `json:"s"`
}

// prefetched is a capture that came with another answer.
type prefetched struct {
	counters json.RawMessage
	came     time.Time
	said     int64 // commands and events of its session up to it
	heard    int64
}

// timeout is how long to wait for the document: less when it did not answer the last time.
func (v *sight) timeout() time.Duration {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.unresponsive {
		return unresponsiveTimeout
	}
	return frameTimeout
}

// markUnresponsive notes whether the document failed to answer in time.
func (v *sight) markUnresponsive(yes bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.unresponsive = yes
}

// valid reports whether the page cannot have changed since: nothing was said to it or heard of it, and no frame was
// drawn.
func (g *prefetched) valid(s *cdp.Session) bool {
	return g != nil && g.said == s.Said() && g.heard == s.Heard() && time.Since(g.came) <= freshFor
}

// apply brings the mirror up to a delta, and advances the turn when anything changed. v.mu is
// held.
func (v *sight) apply(l *delta) error {
	if err := v.mirror.Apply(l.S); err != nil {
		return err
	}
	v.suspects = append(v.suspects, v.mirror.Info.Suspects...)
	around, tree := digest(l.S)
	if tree || around != v.around {
		v.turn++
	}
	v.around = around
	return nil
}

// noteShown notes which turn of the mirror the device's last snapshot shows.
func (v *sight) noteShown(turn int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.shown = turn
}

// reading is an answer of Illegible, together with which a capture came.
type reading struct {
	prefetched
	element   int64
	text, why string
}

// noteRead keeps an answer: who asks ahead, and finds the same element in the capture that came along, asks once more.
func (v *sight) noteRead(element int64, text, why string) {
	if !v.mu.TryLock() { // a capture is under way
		return
	}
	defer v.mu.Unlock()
	if v.prefetched != nil {
		v.read = &reading{*v.prefetched, element, text, why}
	}
}

// readBefore is the last answer, given once, if it was to the same question and the page cannot have changed since.
func (v *sight) readBefore(s *cdp.Session, element int64, text string) (why string, known bool) {
	if !v.mu.TryLock() {
		return "", false
	}
	defer v.mu.Unlock()
	r := v.read
	v.read = nil
	if r == nil || r.element != element || r.text != text || !r.valid(s) {
		return "", false
	}
	return r.why, true
}

// digest reports whether a capture changes the tree, and returns everything around the tree:
// address, viewport, focus, frames, and matches. See the page script's wire.ts.
func digest(s string) (around string, tree bool) {
	head, rest, _ := strings.Cut(s, "\n")
	for range 3 { // the kind and the two version numbers
		_, head, _ = strings.Cut(head, "\t")
	}
	end := len(rest)
	for end > 0 {
		start := strings.LastIndexByte(rest[:end-1], '\n') + 1
		if strings.IndexByte("FCQE\n", rest[start]) < 0 {
			tree = true
			break
		}
		end = start
	}
	return head + "\n" + rest[end:], tree
}
