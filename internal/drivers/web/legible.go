package web

import (
	"context"
	"errors"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/screen"
)

var _ driver.Reader = (*Device)(nil)

// Illegible implements driver.Reader. It asks our own script, where the page cannot tamper with the
// answer, and with one question only: most assertions rest on it.
func (d *Device) Illegible(ctx context.Context, node screen.NodeID, text string) (string, error) {
	const op = "read element"
	if _, err := d.current(); err != nil {
		return "", err
	}
	doc, element, err := d.element(node)
	if err != nil {
		return "", fault.Wrap(err, "", op)
	}
	var says struct {
		Why  *string `json:"why"`
		Look *delta  `json:"look"`
	}
	if why, known := doc.readBefore(element, text); known {
		return why, nil
	}
	then, take := d.prefetch(doc, false)
	err = doc.call(ctx, &says, "legible", element, text, then)
	take(says.Look)
	if err == nil && says.Why != nil && says.Look != nil {
		doc.noteRead(element, text, *says.Why)
	}
	switch {
	case errors.Is(err, errGone):
		return "", fault.New(fault.NotFound, op, "its document is gone").WithHint("Take a new snapshot.")
	case err != nil:
		return "", fault.Wrap(err, "", op)
	case says.Why == nil:
		return "", fault.New(fault.NotFound, op, "it is no longer on the page").WithHint("Take a new snapshot.")
	}
	return *says.Why, nil
}

// reading is an answer of Illegible, together with which a capture came.
type reading struct {
	prefetched
	element   int64
	text, why string
}

// noteRead keeps an answer: who asks ahead, and finds the same element in the capture that came along, asks once more.
func (doc *document) noteRead(element int64, text, why string) {
	if !doc.mu.TryLock() { // a capture is under way
		return
	}
	defer doc.mu.Unlock()
	if doc.prefetched != nil {
		doc.read = &reading{*doc.prefetched, element, text, why}
	}
}

// readBefore is the last answer, given once, if it was to the same question and the page cannot have changed since.
func (doc *document) readBefore(element int64, text string) (why string, known bool) {
	if !doc.mu.TryLock() {
		return "", false
	}
	defer doc.mu.Unlock()
	r := doc.read
	doc.read = nil
	if r == nil || r.element != element || r.text != text || !r.valid(doc.host.sess) {
		return "", false
	}
	return r.why, true
}
