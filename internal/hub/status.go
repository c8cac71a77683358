package hub

import (
	"cmp"
	"maps"
	"slices"
	"time"
)

// Status is what goes on, for status displays.
type Status struct {
	Started  time.Time      `json:"started"`
	Uptime   time.Duration  `json:"uptime"`
	Active   time.Time      `json:"active"`  // when something last happened, for idle exits
	Running  int            `json:"running"` // calls in flight, jobs among them
	Seats    []SeatStatus   `json:"seats"`
	Devices  []DeviceStatus `json:"devices"`
	Jobs     []JobStatus    `json:"jobs,omitempty"`
	Recovers []string       `json:"recovers,omitempty"` // slots of a lost daemon, to be reopened at their next call
}

// SeatStatus is a seat as a listing shows it.
type SeatStatus struct {
	Handle    string       `json:"handle"` // its beginning: whoever knows all of it has the seat; Cancel takes this
	Client    string       `json:"client"`
	Name      string       `json:"name,omitempty"`
	Workspace string       `json:"workspace,omitempty"`
	Device    string       `json:"device,omitempty"`
	Seen      time.Time    `json:"seen"`
	Connected bool         `json:"connected,omitempty"`
	Calls     []CallStatus `json:"calls,omitempty"`
}

// CallStatus is a call in flight.
type CallStatus struct {
	ID      string        `json:"id"`
	Tool    string        `json:"tool"`
	Intent  string        `json:"intent,omitempty"`
	Seat    string        `json:"seat"`
	Client  string        `json:"client"` // its name, or its kind
	Device  string        `json:"device,omitempty"`
	Waiting bool          `json:"waiting,omitempty"` // for the device
	Job     string        `json:"job,omitempty"`
	Elapsed time.Duration `json:"elapsed"`
}

// Device states.
const (
	StateAvailable = "available" // could be connected
	StateOpening   = "opening"
	StateOpen      = "open"
	StateLost      = "lost" // its daemon or browser died; the next call brings it back
	StateClosed    = "closed"
)

// DeviceStatus is a slot as a listing shows it.
type DeviceStatus struct {
	ID        string      `json:"id"`
	Platform  string      `json:"platform,omitempty"`
	Driver    string      `json:"driver,omitempty"`
	Version   string      `json:"version,omitempty"`
	State     string      `json:"state"`
	Width     int         `json:"width,omitempty"`
	Height    int         `json:"height,omitempty"`
	Workspace string      `json:"workspace,omitempty"`
	Holder    string      `json:"holder,omitempty"` // the beginning of the handle of the seat that has it
	Client    string      `json:"client,omitempty"` // the holder's name
	Running   *CallStatus `json:"running,omitempty"`
	Session   string      `json:"session,omitempty"` // its live session
	Actions   int         `json:"actions,omitempty"` // in it
	URL       string      `json:"url,omitempty"`     // when known without asking the device
	Spec      DeviceSpec  `json:"spec"`
}

// SessionStatus is a live session as a listing shows it.
type SessionStatus struct {
	ID      string    `json:"id"`
	Title   string    `json:"title,omitempty"`
	Device  string    `json:"device"`
	Dir     string    `json:"dir,omitempty"`
	Started time.Time `json:"started"`
	Actions int       `json:"actions"`
	Seat    string    `json:"seat,omitempty"` // that holds its device
	Lost    bool      `json:"lost,omitempty"` // of a lost daemon, not yet reopened
}

// JobStatus is a job as a listing shows it.
type JobStatus struct {
	ID      string        `json:"id"`
	Tool    string        `json:"tool"`
	Seat    string        `json:"seat"`
	Device  string        `json:"device,omitempty"`
	Done    bool          `json:"done"`
	Failed  bool          `json:"failed,omitempty"`
	Elapsed time.Duration `json:"elapsed"`
	Last    string        `json:"last,omitempty"` // its newest sign of life
	Started time.Time     `json:"started"`
	Ended   time.Time     `json:"ended,omitzero"`
}

// Status says what goes on. It never waits for a call: every lock it takes is held for moments only.
func (h *Hub) Status() Status {
	now := h.now()
	h.mu.Lock()
	out := Status{Started: h.started, Uptime: now.Sub(h.started), Active: h.active, Running: len(h.calls)}
	seats := slices.Collect(maps.Values(h.seats))
	h.mu.Unlock()
	calls := h.callStatus()
	for _, s := range seats {
		out.Seats = append(out.Seats, s.status(calls))
	}
	slices.SortFunc(out.Seats, func(a, b SeatStatus) int {
		return cmp.Or(b.Seen.Compare(a.Seen), cmp.Compare(a.Handle, b.Handle))
	})
	for _, sl := range h.allSlots() {
		if st := sl.status(); st.State != StateClosed {
			out.Devices = append(out.Devices, st)
			if st.State == StateLost {
				out.Recovers = append(out.Recovers, st.ID)
			}
		}
	}
	out.Jobs = h.Jobs(nil)
	return out
}

func (h *Hub) callStatus() []CallStatus {
	calls := h.running()
	slices.SortFunc(calls, func(a, b *call) int { return cmp.Or(a.started.Compare(b.started), cmp.Compare(a.id, b.id)) })
	out := make([]CallStatus, 0, len(calls))
	for _, c := range calls {
		out = append(out, c.status())
	}
	return out
}

func (s *Seat) status(calls []CallStatus) SeatStatus {
	st := s.State()
	out := SeatStatus{Handle: short(st.Handle), Client: st.Client, Name: st.Name, Workspace: st.Workspace, Device: st.Device, Seen: st.Seen}
	s.mu.Lock()
	out.Connected = s.present > 0
	s.mu.Unlock()
	for _, c := range calls {
		if c.Seat == out.Handle {
			out.Calls = append(out.Calls, c)
		}
	}
	return out
}

// status is the slot as a listing shows it.
func (sl *slot) status() DeviceStatus {
	holder, running := sl.claim.now()
	out := DeviceStatus{ID: sl.id, State: StateClosed}
	if holder != nil {
		out.Holder, out.Client = short(holder.handle), holder.who()
	}
	if running != nil {
		r := running.status()
		out.Running = &r
	}
	sl.mu.Lock()
	defer sl.mu.Unlock()
	out.Spec, out.Workspace, out.URL = sl.spec, sl.spec.Workspace, sl.url
	switch {
	case sl.dev != nil:
		i := sl.info
		out.State, out.Platform, out.Driver, out.Version, out.Width, out.Height = StateOpen, string(i.Platform), i.Driver, i.Version, i.Width, i.Height
	case running != nil && !out.Running.Waiting:
		out.State = StateOpening
	case sl.lost != nil:
		out.State = StateLost
	}
	switch {
	case sl.live != nil:
		out.Session, out.Actions = sl.live.sess.ID, int(sl.live.actions.Load())
	case sl.lost != nil:
		out.Session, out.Actions = sl.lost.Session, sl.lost.Actions
	}
	return out
}
