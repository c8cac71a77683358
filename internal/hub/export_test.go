package hub

// Remembered is how many slots, workspaces and seats the hub holds in memory.
func (h *Hub) Remembered() (slots, spaces, seats int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.slots), len(h.spaces), len(h.seats)
}

const (
	MaxSlots  = maxSlots
	MaxSpaces = maxSpaces
	MaxSeats  = maxSeats
)
