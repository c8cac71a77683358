package hub

import (
	"context"
	"log/slog"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/call/toolset"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/devices"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// The default bounds of a Hub.
const (
	DefaultLeaseWait = 500 * time.Millisecond
	DefaultJobAfter  = 45 * time.Second // under the 60 s after which common clients give up
	DefaultHeartbeat = 3 * time.Second
)

// Options shape a Hub.
type Options struct {
	Home     string // clients, and what is open, are noted below run/
	Sessions string // root of all session directories
	Version  string // of trailblaze

	Provider   devices.Provider                       // opens devices
	Workspace  func(root string) (*Workspace, error)  // called once per root
	Management func(*Hub) []tool.Tool                 // management tools, in every workspace's registry
	Middleware []dispatch.Middleware                  // around every call
	Counter    dispatch.Counter                       // of every call; may be nil
	Defaults   func(clients.Identity, *clients.State) // what a new client starts with, from configuration; may be nil
	Model      Model                                  // nil: the modes that need a model say what to configure

	LeaseWait time.Duration // how long a call waits for another client's running call
	Browsers  int           // that may be open at once; 0: any number
	JobAfter  time.Duration // when a detachable call becomes a job
	Heartbeat time.Duration // between progress reports of a call that lasts
	Now       func() time.Time
	Log       *slog.Logger
}

// Workspace is a client's project: its tools, and the memory that its sessions have from the start.
type Workspace struct {
	Root  string
	Tools []tool.Tool

	// Changes has changed called with all tools whenever Tools are others, until stop; nil for
	// tools that never change.
	Changes func(changed func([]tool.Tool)) (stop func())

	// Ready returns when all tools are there that the workspace has from the start; may be nil.
	Ready func(ctx context.Context) error

	// LeftOut returns the tools of the workspace that are not among Tools, with the reasons, and warnings; may be nil.
	LeftOut func() []tool.Problem

	// Targets are the apps under test that the project knows, and the id of the one that holds where a client chose none;
	// nil: unknown, so any will do.
	Targets func() (known []toolset.Target, usual string)

	// Listed are the tools and toolsets that are listed whatever the target is: those that the project names, and also;
	// may be nil.
	Listed func(also []string) toolset.TargetTools
	// Toolsets are the ids of the toolsets that the project declares; may be nil.
	Toolsets func() []string

	// Reload reads the tools again; may be nil.
	Reload func(ctx context.Context) (Reloaded, error)

	Memory     func() *memory.Store  // of a new session; nil: empty
	Refresh    func(*memory.Store)   // before each call: what the project's files say now; may be nil
	Middleware []dispatch.Middleware // inside the hub's, for the workspace's own policy
	Close      func() error          // of what the tools hold; may be nil
}

// Reloaded lists the changes by reading the tools of a workspace again.
type Reloaded struct {
	Added, Removed []string
	Total          int
	LeftOut        []tool.Problem
}

// Model is the agent, as tools that hand it a task see it.
type Model interface {
	// Ready reports whether there is a model for this client's calls.
	Ready(ctx context.Context, c *clients.Client) bool
	// Check returns the reason why a call that needs a model, and names one or none, cannot have it. It is called before
	// a device is opened.
	Check(ctx context.Context, c *clients.Client, asked string) error
	// Prompt carries out steps in plain language, one after another, up to the first that fails.
	Prompt(ctx context.Context, c *clients.Client, steps []string) (*tool.Result, error)
}

func (o Options) filled() Options {
	if o.LeaseWait <= 0 {
		o.LeaseWait = DefaultLeaseWait
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
