package cdp

import (
	"sync"

	"github.com/chromedp/cdproto"
)

// inbox is an unbounded queue between the reader and the dispatcher: a slow handler must never make
// the browser block on a full pipe, since the browser may be what the handler waits for.
type inbox struct {
	mu   sync.Mutex
	cond *sync.Cond
	msgs []*cdproto.Message
	done bool
}

func (q *inbox) init() { q.cond = sync.NewCond(&q.mu) }

func (q *inbox) put(m *cdproto.Message) {
	q.mu.Lock()
	q.msgs = append(q.msgs, m)
	q.mu.Unlock()
	q.cond.Signal()
}

func (q *inbox) close() {
	q.mu.Lock()
	q.done = true
	q.mu.Unlock()
	q.cond.Signal()
}

// all yields messages in order until the queue is closed and empty.
func (q *inbox) all(yield func(*cdproto.Message) bool) {
	for {
		q.mu.Lock()
		for len(q.msgs) == 0 && !q.done {
			q.cond.Wait()
		}
		batch := q.msgs
		q.msgs = nil
		q.mu.Unlock()
		if len(batch) == 0 {
			return
		}
		for _, m := range batch {
			if !yield(m) {
				return
			}
		}
	}
}
