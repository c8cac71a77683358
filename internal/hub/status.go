package hub

import "time"

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
	Handle    string       `json:"handle"`
	Client    string       `json:"client"`
	Name      string       `json:"name,omitempty"`
	Workspace string       `json:"workspace,omitempty"`
	Device    string       `json:"device,omitempty"`
	Seen      time.Time    `json:"seen"`
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
	Holder    string      `json:"holder,omitempty"` // handle of the seat that has it
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

// Status says what goes on. It never waits for a call.
func (h *Hub) Status() Status { panic("skeleton") }
