package web

import "sync"

// pulse wakes everybody who waits for something about a device to change. The zero value is ready.
type pulse struct {
	mu   sync.Mutex
	next chan struct{}
}

// wait returns a channel that the next beat closes. Take it before looking at what you wait for, or the beat in between
// is lost.
func (p *pulse) wait() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.next == nil {
		p.next = make(chan struct{})
	}
	return p.next
}

func (p *pulse) beat() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.next != nil {
		close(p.next)
		p.next = nil
	}
}
