package web

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/frames"
	"github.com/trailblaze-dev/trailblaze/screen"
)

var _ driver.Waiter = (*Device)(nil)

// mark is the state of a device and its documents at a capture.
type mark struct {
	seq        uint64
	generation uint64
	documents  map[*frames.Document]json.RawMessage // the page script's counters
}

// maxMarks is how many captures back one can wait from; from an older one everything has changed.
const maxMarks = 16

func (d *Device) addMark(m mark) {
	if len(d.marks) >= maxMarks {
		d.marks = append(d.marks[:0:0], d.marks[1:]...)
	}
	d.marks = append(d.marks, m)
}

// WaitChange implements driver.Waiter. The page script of every document in the active tab answers
// when its counters move.
func (d *Device) WaitChange(ctx context.Context, since *screen.Snapshot) error {
	changed := d.frames.Changes.Wait()
	m, docs, err := d.markOf(since)
	if err != nil || m == nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	woken := make(chan struct{}, len(docs)+1)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()
	for _, doc := range docs {
		wg.Go(func() {
			// An error other than ours is a change as well: the document is gone.
			if err := doc.Call(ctx, nil, "wake", m.documents[doc]); err == nil || ctx.Err() == nil {
				woken <- struct{}{}
			}
		})
	}
	for {
		select {
		case <-woken:
			return nil
		case <-changed:
			changed = d.frames.Changes.Wait()
			d.frames.Lock()
			moved := d.frames.Generation != m.generation
			d.frames.Unlock()
			if moved {
				return nil
			}
		case <-d.frames.Done:
			return fault.New(fault.Unavailable, "wait for change", "the device was closed")
		case <-d.browser.conn.Closed():
			return fault.New(fault.Unavailable, "wait for change", "the browser is gone")
		case <-ctx.Done():
			return fault.Wrap(ctx.Err(), "", "wait for change")
		}
	}
}

// markOf finds the state at a capture, and the documents to wait for. A nil mark means that it has
// changed already.
func (d *Device) markOf(since *screen.Snapshot) (*mark, []*frames.Document, error) {
	d.frames.Lock()
	defer d.frames.Unlock()
	t, err := d.frames.CurrentLocked()
	if err != nil {
		return nil, nil, err
	}
	var docs []*frames.Document
	for _, f := range t.Frames {
		if f.Document != nil {
			docs = append(docs, f.Document)
		}
	}
	if since == nil {
		return &mark{generation: d.frames.Generation}, docs, nil
	}
	for i := range d.marks {
		if m := &d.marks[i]; m.seq == since.Seq {
			if m.generation != d.frames.Generation {
				return nil, nil, nil
			}
			found := *m
			return &found, docs, nil
		}
	}
	return nil, nil, nil
}
