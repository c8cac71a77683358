package capture

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/frames"
	"github.com/trailblaze-dev/trailblaze/screen"
)

var _ driver.Waiter = (*Camera)(nil)

// mark is the state of a device and its documents at a capture.
type mark struct {
	seq        uint64
	generation uint64
	documents  map[*frames.Document]json.RawMessage // the page script's counters
}

// maxMarks limits how many captures back one can wait from; from an older one everything has changed.
const maxMarks = 16

func (c *Camera) addMark(m mark) {
	if len(c.marks) >= maxMarks {
		c.marks = append(c.marks[:0:0], c.marks[1:]...)
	}
	c.marks = append(c.marks, m)
}

// WaitChange implements driver.Waiter. The page script of every document in the active tab answers
// when its counters move.
func (c *Camera) WaitChange(ctx context.Context, since *screen.Snapshot) error {
	changed := c.frames.Changes.Wait()
	m, docs, err := c.markOf(since)
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
			changed = c.frames.Changes.Wait()
			c.frames.Lock()
			moved := c.frames.Generation != m.generation
			c.frames.Unlock()
			if moved {
				return nil
			}
		case <-c.frames.Done:
			return fault.New(fault.Unavailable, "wait for change", "the device was closed")
		case <-c.frames.Lost:
			return cdp.BrowserGone("wait for change")
		case <-ctx.Done():
			return fault.Wrap(ctx.Err(), "", "wait for change")
		}
	}
}

// markOf finds the state at a capture, and the documents to wait for. A nil mark means that it has
// changed already.
func (c *Camera) markOf(since *screen.Snapshot) (*mark, []*frames.Document, error) {
	c.frames.Lock()
	defer c.frames.Unlock()
	t, err := c.frames.CurrentLocked()
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
		return &mark{generation: c.frames.Generation}, docs, nil
	}
	for i := range c.marks {
		if m := &c.marks[i]; m.seq == since.Seq {
			if m.generation != c.frames.Generation {
				return nil, nil, nil
			}
			found := *m
			return &found, docs, nil
		}
	}
	return nil, nil, nil
}
