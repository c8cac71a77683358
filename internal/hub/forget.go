package hub

import (
	"context"
	"slices"
	"time"
)

// What a daemon that runs for weeks remembers is bounded. The bounds are far beyond what people use at once; what is forgotten
// is what nobody used for longest and nobody holds.
const (
	maxSlots  = 64  // without a device
	maxSpaces = 32  // without a call
	maxSeats  = 512 // in memory, without a client, a call or a job: they stand on disk
	maxStored = 4096
)

// excess are the keys of what is spare, longest unused first, as many as there are too many.
func excess[K comparable](spare map[K]time.Time, most int) []K {
	if len(spare) <= most {
		return nil
	}
	keys := make([]K, 0, len(spare))
	for k := range spare {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b K) int { return spare[a].Compare(spare[b]) })
	return keys[:len(keys)-most]
}

// forgetSlots drops names that were asked for and have no device. choosing is held: a slot that is about to be used is
// wanted.
func (h *Hub) forgetSlots() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.slots) <= maxSlots {
		return
	}
	spare := map[string]time.Time{}
	for id, sl := range h.slots {
		if !sl.counts() {
			spare[id] = sl.lastUsed()
		}
	}
	for _, id := range excess(spare, maxSlots) {
		delete(h.slots, id)
	}
}

func (sl *slot) lastUsed() time.Time {
	sl.mu.Lock()
	defer sl.mu.Unlock()
	return sl.used
}

// forgetSeatsLocked drops seats from memory that their files bring back. mu is held.
func (h *Hub) forgetSeatsLocked() {
	if h.store.dir == "" || len(h.seats) <= maxSeats {
		return
	}
	busy := map[*Seat]bool{}
	for _, c := range h.calls {
		busy[c.seat] = true
	}
	for _, j := range h.jobs {
		busy[j.call.seat] = true
	}
	spare := map[string]time.Time{}
	for handle, s := range h.seats {
		if !busy[s] && s.idle() {
			spare[handle] = s.State().Seen
		}
	}
	for _, handle := range excess(spare, maxSeats) {
		delete(h.seats, handle)
	}
}

// idle says whether nobody is connected to the seat or listens to it.
func (s *Seat) idle() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.present == 0 && len(s.watch) == 0
}

// forgetSpacesLocked closes workspaces in which nobody calls. Whoever comes back to one loads it again. mu is held.
func (h *Hub) forgetSpacesLocked() {
	spare := map[string]time.Time{}
	for root, sp := range h.spaces {
		if sp.users == 0 {
			spare[root] = sp.used
		}
	}
	for _, root := range excess(spare, maxSpaces) {
		sp := h.spaces[root]
		delete(h.spaces, root)
		h.work.Go(func() {
			ctx, cancel := context.WithTimeout(h.life, spaceCloseTime)
			defer cancel()
			if err := sp.close(ctx); err != nil {
				h.o.Log.Warn("a workspace did not close cleanly", "workspace", root, "error", err)
			}
		})
	}
}

// spaceCloseTime is what the tools of a workspace may take to end.
const spaceCloseTime = 10 * time.Second
