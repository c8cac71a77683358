package hub

import (
	"context"
	"path/filepath"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/devices"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Hub holds the clients, devices, calls and workspaces of a daemon.
type Hub struct {
	o       Options
	started time.Time
	clients *clients.Registry
	calls   *calls.Registry
	devices *devices.Pool
	workspaces
	management []tool.Tool
	manages    map[string]bool // by tool name
}

// New makes a Hub. Devices that a lost daemon had open under the same home are brought back when they are next used.
func New(o Options) (*Hub, error) {
	o = o.filled()
	if o.Provider == nil {
		return nil, fault.New(fault.Internal, "make hub", "nothing opens devices")
	}
	h := &Hub{o: o, started: o.Now(), manages: map[string]bool{}}
	dir := ""
	if o.Home != "" {
		dir = filepath.Join(o.Home, "run", "clients")
	}
	h.calls = calls.NewRegistry(calls.Options{JobAfter: o.JobAfter, Heartbeat: o.Heartbeat, Now: o.Now, Log: o.Log})
	h.clients = clients.NewRegistry(clients.Options{
		Dir: dir, Defaults: o.Defaults, Busy: h.calls.Busy, Leaving: h.leaving, Now: o.Now,
	})
	if o.Management != nil {
		h.management = o.Management(h)
	}
	for _, t := range h.management {
		h.manages[t.Spec().Name] = true
	}
	h.workspaces.init(h)
	h.devices = devices.NewPool(devices.Options{
		Provider: o.Provider, Home: o.Home, Sessions: o.Sessions, Version: o.Version,
		LeaseWait: o.LeaseWait, Browsers: o.Browsers, Now: o.Now, Log: o.Log,
	})
	return h, nil
}

// Client returns the client with this id, from memory or disk, or makes a new one: with a fresh id
// when none is given (shell commands of one workspace share one), under the given id when it is
// well-formed but forgotten.
func (h *Hub) Client(id string, n clients.Identity) (*clients.Client, error) {
	return h.clients.Take(id, n)
}

// Lookup finds a client that exists, in memory or on disk.
func (h *Hub) Lookup(id string) (*clients.Client, bool) { return h.clients.Lookup(id) }

// leaving ends what a client has running when it leaves, and frees its devices.
func (h *Hub) leaving(c *clients.Client) (left func()) {
	running := h.calls.Of(c)
	return func() {
		calls.Abandon(running)
		h.devices.Free(c)
	}
}

// Cancel ends calls and says how many. It never blocks; the calls answer within a moment, whatever
// their tools do.
func (h *Hub) Cancel(q calls.CancelRequest) int { return h.calls.Cancel(q) }

// Jobs lists the jobs of a client, or with nil of all clients, newest first.
func (h *Hub) Jobs(c *clients.Client) []calls.JobStatus { return h.calls.Jobs(c) }

// Job returns the state of a job. With wait it waits for the job's end, or ctx's. The Reply is nil until the job is
// done, and the error is then the job's own. Its result is kept for ten minutes.
func (h *Hub) Job(
	ctx context.Context, id string, wait bool, progress func(calls.Progress),
) (*calls.Reply, calls.JobStatus, error) {
	return h.calls.Job(ctx, id, wait, progress)
}

// IsManagement reports whether a tool manages the daemon: it needs no device and no lease.
func (h *Hub) IsManagement(name string) bool { return h.manages[name] }

// Model answers the prompts of a client; nil when there is none for its calls.
func (h *Hub) Model(ctx context.Context, c *clients.Client) Model {
	if h.o.Model == nil || !h.o.Model.Ready(ctx, c) {
		return nil
	}
	return h.o.Model
}
