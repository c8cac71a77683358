package calls

import "sync"

// Broadcast wakes all who wait for a change. The zero value is ready.
type Broadcast struct {
	mu      sync.Mutex
	changed chan struct{}
}

// Next returns a channel that the next Wake closes.
func (b *Broadcast) Next() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.changed == nil {
		b.changed = make(chan struct{})
	}
	return b.changed
}

// Wake closes the channels that Next has returned.
func (b *Broadcast) Wake() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.changed != nil {
		close(b.changed)
		b.changed = nil
	}
}
