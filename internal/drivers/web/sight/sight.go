// Package sight keeps what captures have shown of one document: a mirror of it, which answers of the
// page script bring up to date, and a capture that came along with another answer. It knows no tab,
// frame or device.
package sight

import (
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/page"
	"github.com/trailblaze-dev/trailblaze/screen"
)

// State holds the results of captures of one document. It is safe for concurrent use and asks nothing unless it is
// called.
type State struct {
	mu           sync.Mutex // serialises captures of this document and guards the mirror
	mirror       *page.Document
	unresponsive bool   // did not answer the last time
	around       string // the last capture without the tree; see digest
	turn         int    // grows whenever the mirror or its surroundings change
	shown        int    // the turn that the device's last snapshot shows
	prefetched   *Prefetched
	read         *reading
	suspects     []int64 // elements that captures named since the last that was shown; see reveal
}

// New is the state of a document that nothing was captured of.
func New() *State { return &State{mirror: &page.Document{}} }

const (
	frameTimeout        = 5 * time.Second        // for one frame's page script to answer
	unresponsiveTimeout = 500 * time.Millisecond // for one that did not the last time
)

// freshFor limits the age at which a prefetched capture is still current: the time of one drawn frame.
const freshFor = 16 * time.Millisecond

// Delta is a capture as a difference to the mirror, with the page script's counters of the same
// instant; see look.ts.
type Delta struct {
	N json.RawMessage `json:"n"`
	S string          `json:"s"`
}

// Prefetched is a capture that came with another answer.
type Prefetched struct {
	counters json.RawMessage
	came     time.Time
	messages int64 // commands and events of its session up to it
	heard    int64
}

// Timeout returns how long to wait for the document: less when it did not answer the last time.
func (v *State) Timeout() time.Duration {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.unresponsive {
		return unresponsiveTimeout
	}
	return frameTimeout
}

// MarkUnresponsive notes whether the document failed to answer in time.
func (v *State) MarkUnresponsive(yes bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.unresponsive = yes
}

// Valid reports whether the page cannot have changed since: nothing was said to it or heard of it, and no frame was
// drawn.
func (g *Prefetched) Valid(s *cdp.Session) bool {
	return g != nil && g.messages == s.CommandsSent() && g.heard == s.Heard() && time.Since(g.came) <= freshFor
}

// apply brings the mirror up to a delta, and advances the turn when anything changed. v.mu is
// held.
func (v *State) apply(l *Delta) error {
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

// NoteShown notes which turn of the mirror the device's last snapshot shows.
func (v *State) NoteShown(turn int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.shown = turn
}

// reading is an answer of Illegible, together with which a capture came.
type reading struct {
	Prefetched
	element   int64
	text, why string
}

// NoteRead keeps an answer: a caller that asks ahead, and finds the same element in the capture that came along,
// asks once more.
func (v *State) NoteRead(element int64, text, why string) {
	if !v.mu.TryLock() { // a capture is under way
		return
	}
	defer v.mu.Unlock()
	if v.prefetched != nil {
		v.read = &reading{*v.prefetched, element, text, why}
	}
}

// ReadBefore is the last answer, given once, if it was to the same question and the page cannot have changed since.
func (v *State) ReadBefore(s *cdp.Session, element int64, text string) (why string, known bool) {
	if !v.mu.TryLock() {
		return "", false
	}
	defer v.mu.Unlock()
	r := v.read
	v.read = nil
	if r == nil || r.element != element || r.text != text || !r.Valid(s) {
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

// Capture is the result of one capture of a document, without its tree.
type Capture struct {
	Info     page.Info
	Matches  map[string][]int64 // elements by CSS selector
	Counters json.RawMessage    // the page script's, in the same instant
	Same     bool               // nothing differs from the capture before
	Turn     int                // of the mirror
}

// Capture captures the document as a difference to its mirror. ask sends a request to the page script; a capture that
// came along with the last answer makes it needless.
func (v *State) Capture(s *cdp.Session, css []string, full bool, ask func(*page.Request) (*Delta, error)) (Capture,
	error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if full {
		v.mirror.Reset()
	}
	counters, known := v.usePrefetched(s, css, full)
	if !known {
		var err error
		if counters, err = v.captureOnce(css, full, ask); errors.Is(err, page.ErrStale) {
			v.mirror.Reset()
			counters, err = v.captureOnce(css, full, ask)
		}
		if err != nil {
			return Capture{}, err
		}
	}
	c := Capture{
		Info: v.mirror.Info, Matches: map[string][]int64{}, Counters: counters, Same: v.turn == v.shown, Turn: v.turn,
	}
	c.Info.Suspects, v.suspects = v.suspects, nil
	for _, css := range css {
		ids, invalid := v.mirror.Matches(css)
		if invalid != "" {
			return c, fault.New(fault.Invalid, "capture screen", "CSS selector %q: %s", css, invalid)
		}
		c.Matches[css] = ids
	}
	return c, nil
}

// Known is the last capture, without a question to the document.
func (v *State) Known() Capture {
	v.mu.Lock()
	defer v.mu.Unlock()
	return Capture{Info: v.mirror.Info}
}

func (v *State) captureOnce(css []string, full bool, ask func(*page.Request) (*Delta, error)) (json.RawMessage, error) {
	r := v.mirror.Request(css, full)
	l, err := ask(&r)
	if err != nil {
		return nil, err
	}
	return l.N, v.apply(l)
}

// usePrefetched answers a capture with the prefetched one, if that is still true. It does so once only: a second
// capture is meant to show the page as it is now, which may have ended since. v.mu is held.
func (v *State) usePrefetched(s *cdp.Session, css []string, full bool) (counters json.RawMessage, known bool) {
	g := v.prefetched
	v.prefetched = nil
	if full || len(css) > 0 || !g.Valid(s) {
		return nil, false
	}
	return g.counters, true
}

// Prefetch makes the request that a question to the document carries so that the answer brings a capture
// along, and the function that takes it in. The request is nil when the next capture needs more: the first whole tree,
// which only a new page brings along.
func (v *State) Prefetch(s *cdp.Session, first bool) (ask *page.Request, take func(l *Delta)) {
	if !v.mu.TryLock() {
		return nil, func(*Delta) {}
	}
	defer v.mu.Unlock()
	v.prefetched = nil
	r := v.mirror.Request(nil, false)
	if r.Have == 0 && !first {
		return nil, func(*Delta) {}
	}
	said, heard := s.CommandsSent()+1, s.Heard() // the question itself counts
	return &r, func(l *Delta) {
		if l == nil || !v.mu.TryLock() {
			return
		}
		defer v.mu.Unlock()
		if v.apply(l) == nil {
			v.prefetched = &Prefetched{counters: l.N, came: time.Now(), messages: said, heard: heard}
		}
	}
}

// Recall reports whether the device's last snapshot shows all that is known of the document, and gives the capture that
// came along with the last answer.
func (v *State) Recall() (g *Prefetched, current bool) {
	if !v.mu.TryLock() {
		return nil, false
	}
	defer v.mu.Unlock()
	return v.prefetched, v.turn == v.shown
}

// Tree copies the document's tree out of the mirror; cut says that it holds only the beginning of a text.
func (v *State) Tree() (root *screen.Node, cut bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.mirror.Tree(), v.mirror.Cut
}

// Age makes the capture that came along too old to be current. Tests use it in place of the clock.
func (v *State) Age() {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.prefetched != nil {
		v.prefetched.came = v.prefetched.came.Add(-freshFor)
	}
}
