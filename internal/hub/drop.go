package hub

import "context"

// Drop ends the hub as the death of its process would: nothing more is written, sessions are left without an end, and what
// was open stays written down for the next hub. It is for tests of what a crash leaves behind.
func (h *Hub) Drop(ctx context.Context) error {
	h.open.mu.Lock()
	h.open.off = true
	h.open.mu.Unlock()
	h.mu.Lock()
	h.closed = true
	h.mu.Unlock()
	for _, sl := range h.allSlots() {
		if _, l, _ := sl.look(); l != nil {
			_ = l.sess.Leave() // first, so that calls in flight leave no end behind
		}
	}
	h.cancelAll(errClosing)
	h.stop(errClosing)
	err := wait(ctx, &h.work, "calls")
	for _, sl := range h.allSlots() {
		if dev, _, _ := sl.look(); dev != nil {
			_ = dev.Close()
		}
	}
	h.mu.Lock()
	spaces := h.spaces
	h.spaces = map[string]*space{}
	h.mu.Unlock()
	for _, sp := range spaces {
		if e := sp.close(ctx); err == nil {
			err = e
		}
	}
	return err
}
