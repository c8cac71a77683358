package hub

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/dispatch"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// The bounds a Hub has unless told otherwise.
const (
	DefaultClaimWait = 500 * time.Millisecond
	DefaultJobAfter  = 45 * time.Second // under the 60 s after which common clients give up
	DefaultHeartbeat = 3 * time.Second
)

// Options shape a Hub.
type Options struct {
	Home     string // where seats and what is open are kept, below run/
	Sessions string // root of all session directories
	Version  string // of trailblaze

	Provider   Provider                              // opens devices
	Workspace  func(root string) (*Workspace, error) // called once per root
	Desk       func(*Hub) []tool.Tool                // desk tools, in every workspace's registry
	Middleware []dispatch.Middleware                 // around every call (policy, metrics)
	Defaults   func(NewSeat, *SeatState)             // what a new seat starts with, from configuration; may be nil
	Thinker    Thinker                               // nil: the modes that think say what to configure

	ClaimWait time.Duration // how long a call waits for another seat's running call
	JobAfter  time.Duration // when a detachable call becomes a job
	Heartbeat time.Duration // between progress reports of a call that lasts
	Now       func() time.Time
	Log       *slog.Logger
}

// Provider opens devices. It is safe for concurrent use.
type Provider interface {
	Open(ctx context.Context, s DeviceSpec) (driver.Device, error)
	// Available lists what could be connected, without opening anything.
	Available(ctx context.Context) ([]driver.Info, error)
}

// DeviceSpec says which device a slot wants. Zero fields are the provider's choice.
type DeviceSpec struct {
	ID           string          `json:"id"` // "web", "web/checkout", "emulator-5554"
	Headless     *bool           `json:"headless,omitempty"`
	Viewport     string          `json:"viewport,omitempty"`    // "1280x800"
	Emulate      string          `json:"emulate,omitempty"`     // a device preset
	Profile      string          `json:"profile,omitempty"`     // a named, kept browser profile
	Permissions  []string        `json:"permissions,omitempty"` // of pages, in the words of the Permissions API
	Geolocation  string          `json:"geolocation,omitempty"` // "52.52,13.40"
	StorageState json.RawMessage `json:"-"`                     // login state; never written to disk
	Workspace    string          `json:"workspace,omitempty"`
}

// Workspace is a client's project: the tools it has, and what its sessions remember from the start.
type Workspace struct {
	Root       string
	Tools      []tool.Tool
	Memory     func() *memory.Store  // of a new live session; nil: empty
	Middleware []dispatch.Middleware // inside the hub's, for the workspace's own policy
	Close      func() error          // of what the tools hold; may be nil
}

// Thinker is the seam for what needs a model. It comes with the agent.
type Thinker interface {
	Prompt(ctx context.Context, s *Seat, prompt string) (*tool.Result, error)
}

func (o Options) filled() Options {
	if o.ClaimWait <= 0 {
		o.ClaimWait = DefaultClaimWait
	}
	if o.JobAfter <= 0 {
		o.JobAfter = DefaultJobAfter
	}
	if o.Heartbeat <= 0 {
		o.Heartbeat = DefaultHeartbeat
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Workspace == nil {
		o.Workspace = func(root string) (*Workspace, error) { return &Workspace{Root: root}, nil }
	}
	return o
}
