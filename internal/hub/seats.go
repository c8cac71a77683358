package hub

import (
	"cmp"
	"path/filepath"
	"slices"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/toolset"
)

// Seat finds the seat with this handle, in memory or on disk, or makes a new one: with a fresh handle when none is given
// (shell commands of one workspace share one), under the given handle when it is well-formed but forgotten.
func (h *Hub) Seat(handle string, n NewSeat) (*Seat, error) {
	const op = "take seat"
	if handle != "" && !ValidHandle(handle) {
		return nil, fault.New(fault.Invalid, op, "%.40q is not a session handle", handle).
			WithHint("Leave it out to get a new one.")
	}
	if n.Workspace != "" {
		n.Workspace = realPath(n.Workspace)
	}
	if handle == "" {
		handle = newHandle()
		if n.Client == shellClient {
			handle = sharedHandle(n)
		}
	}
	h.forgetOld()
	s, err := h.seat(handle, n)
	if err == nil {
		err = s.moveIn(n.Workspace)
	}
	return s, fault.Wrap(err, "", op)
}

func (h *Hub) seat(handle string, n NewSeat) (*Seat, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil, fault.New(fault.Unavailable, "", "the daemon is stopping")
	}
	s, err := h.seatLocked(handle, n)
	if err == nil {
		s.touch(h.now())
	}
	return s, err
}

// shellClient is the client whose commands are processes of their own and still one person.
const shellClient = "cli"

// seatLocked reads or writes one small file with Hub.mu held: two callers must never get two seats of one handle.
func (h *Hub) seatLocked(handle string, n NewSeat) (*Seat, error) {
	if s := h.seats[handle]; s != nil {
		return s, nil
	}
	st, known := h.store.load(handle)
	if !known {
		st = SeatState{
			Handle: handle, Client: n.Client, Name: n.Name, Workspace: n.Workspace, Created: h.now(),
			Mode: toolset.DefaultMode, Categories: toolset.DefaultCategories(), ScreenshotFormat: toolset.DefaultScreenshot,
			Verbosity: toolset.DefaultVerbosity, Strategy: toolset.DefaultStrategy,
		}
		if h.o.Defaults != nil {
			h.o.Defaults(n, &st)
		}
		st.Handle = handle
	}
	st.Workspace = cmp.Or(st.Workspace, n.Workspace)
	st.Seen = h.now()
	if err := h.store.save(st); err != nil {
		return nil, err
	}
	s := &Seat{hub: h, handle: handle, state: st, saved: st.Seen}
	h.seats[handle] = s
	h.forgetSeatsLocked()
	return s, nil
}

// Lookup finds a seat that exists, in memory or on disk.
func (h *Hub) Lookup(handle string) (*Seat, bool) {
	if !ValidHandle(handle) {
		return nil, false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.seats[handle] == nil {
		if _, known := h.store.load(handle); !known {
			return nil, false
		}
	}
	s, err := h.seatLocked(handle, NewSeat{})
	if err != nil || h.closed {
		return nil, false
	}
	s.touch(h.now())
	return s, true
}

// sweepEvery is how often forgotten seats are looked for.
const sweepEvery = time.Hour

// forgetOld drops seats that nobody has used for a week. Nobody waits for it in a loop: the next seat that is taken does.
func (h *Hub) forgetOld() {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := h.now()
	if now.Sub(h.swept) < sweepEvery {
		return
	}
	h.swept = now
	for handle, s := range h.seats {
		if now.Sub(s.State().Seen) > seatLife && !h.callsOfLocked(s) && !s.here() {
			delete(h.seats, handle)
		}
	}
	h.store.sweep()
}

// callsOf lists what a seat has running.
func (h *Hub) callsOf(s *Seat) []*call {
	return slices.DeleteFunc(h.running(), func(c *call) bool { return c.seat != s })
}

func (h *Hub) callsOfLocked(s *Seat) bool {
	for _, c := range h.calls {
		if c.seat == s {
			return true
		}
	}
	return false
}

// leave ends what a seat has running and gives its devices free. Jobs of an MCP client end too, because whoever closes that
// session wants its automation to end (R210, R218); jobs of a shell's commands or of requests outlive those by design.
func (h *Hub) leave(s *Seat, calls []*call) {
	why := fault.New(fault.Canceled, "", "the client has gone")
	for _, c := range calls {
		if c.jobID() == "" || c.req.From == dispatch.MCP {
			c.cancel(why)
		}
	}
	for _, sl := range h.allSlots() {
		sl.claim.release(s)
		if _, l, _ := sl.look(); l != nil && s.State().Client != shellClient { // a shell's next command goes on where this one stopped
			l.observer.Forget(s.handle)
		}
	}
}

// realPath is one name per folder, however it was written.
func realPath(p string) string {
	if abs, err := filepath.Abs(p); err == nil {
		p = abs
	}
	if real, err := filepath.EvalSymlinks(p); err == nil {
		p = real
	}
	return filepath.Clean(p)
}
