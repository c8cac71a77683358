package hub

import (
	"context"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/session"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Hub holds the seats, slots, calls and live sessions of a daemon.
type Hub struct {
	o     Options
	store seatStore

	mu    sync.Mutex
	seats map[string]*Seat
}

// New makes a Hub. What a lost daemon had open under the same home is brought back when it is next used.
func New(o Options) (*Hub, error) { panic("skeleton") }

// Close ends what runs, ends the live sessions and closes the devices.
func (h *Hub) Close(ctx context.Context) error { panic("skeleton") }

func (h *Hub) now() time.Time { return h.o.Now() }

// Seat finds the seat with this handle, in memory or on disk, or makes a new one: with a fresh handle when none is given
// (shell commands of one workspace share one), under the given handle when it is well-formed but forgotten.
func (h *Hub) Seat(handle string, n NewSeat) (*Seat, error) { panic("skeleton") }

// Lookup finds a seat that exists.
func (h *Hub) Lookup(handle string) (*Seat, bool) { panic("skeleton") }

func (h *Hub) leave(s *Seat) { panic("skeleton") }

// Tools is everything the seat's workspace has, desk tools too.
func (h *Hub) Tools(s *Seat) *tool.Registry { panic("skeleton") }

// IsDesk says whether a tool manages the house: it needs no device, no turn and no claim.
func (h *Hub) IsDesk(name string) bool { panic("skeleton") }

// Devices lists the slots, and what could be connected.
func (h *Hub) Devices(ctx context.Context) []DeviceStatus { panic("skeleton") }

// Connect opens a slot for a seat and binds the seat to it.
func (h *Hub) Connect(ctx context.Context, s *Seat, spec DeviceSpec) (DeviceStatus, error) {
	panic("skeleton")
}

// Disconnect ends a slot's live session and closes its device. "" is the seat's device.
func (h *Hub) Disconnect(ctx context.Context, s *Seat, id string) error { panic("skeleton") }

// Sessions lists the live sessions.
func (h *Hub) Sessions() []SessionStatus { panic("skeleton") }

// StartSession starts a new live session on the seat's slot, ending the one that runs there.
func (h *Hub) StartSession(ctx context.Context, s *Seat, title string) (SessionStatus, error) {
	panic("skeleton")
}

// StopSession ends a live session: the one with this id, or with "" that of the seat's slot. The device stays open.
func (h *Hub) StopSession(ctx context.Context, s *Seat, id string) (SessionStatus, error) {
	panic("skeleton")
}

// LiveSession is the live session the seat's calls go to, if one runs.
func (h *Hub) LiveSession(s *Seat) (*session.Session, bool) { panic("skeleton") }

// CancelRequest says which calls to end: those that match every field that is set. All alone matches everything.
type CancelRequest struct {
	Seat   string `json:"seat,omitempty"` // handle
	Device string `json:"device,omitempty"`
	CallID string `json:"callId,omitempty"`
	Job    string `json:"job,omitempty"`
	All    bool   `json:"all,omitempty"`
	Why    string `json:"why,omitempty"` // told to whoever waits for the call
}

// Cancel ends calls and says how many. It never blocks.
func (h *Hub) Cancel(r CancelRequest) int { panic("skeleton") }

// Jobs lists the jobs of a seat, or with nil of everybody, newest first.
func (h *Hub) Jobs(s *Seat) []JobStatus { panic("skeleton") }

// Job waits for a job until ctx ends or the job does. Wait false asks only how it stands: the Reply is nil until it is done.
func (h *Hub) Job(ctx context.Context, id string, wait bool, progress func(Progress)) (*Reply, JobStatus, error) {
	panic("skeleton")
}

// Turn is a slot in the hands of a desk tool that must act on a device (a trail being run).
type Turn struct {
	Session *session.Session
	Device  string
}

// Done gives the slot back.
func (t *Turn) Done() { panic("skeleton") }

// Use claims a slot for a desk tool, like a call would. What names the work to those that wait for the slot. The reply of
// the running desk call says that this device was used.
func (h *Hub) Use(ctx context.Context, s *Seat, device, what string) (*Turn, error) {
	panic("skeleton")
}
