package clients

import (
	"cmp"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/toolset"
)

// Options shape a Registry. Every field may be left out.
type Options struct {
	Dir      string                      // of the clients' files; "" keeps nothing on disk
	Defaults func(Identity, *State)      // what a new client starts with, from configuration
	Busy     func(*Client) bool          // whether a client must not be forgotten: it has calls or jobs
	Leaving  func(*Client) (left func()) // called before a client leaves; left runs after its last connection has gone
	Now      func() time.Time
}

// Registry holds the clients of a hub.
type Registry struct {
	o     Options
	store store

	mu      sync.Mutex
	clients map[string]*Client
	swept   time.Time
	closed  bool
}

// NewRegistry makes a Registry. Its clients are loaded from their files when they are taken.
func NewRegistry(o Options) *Registry {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Busy == nil {
		o.Busy = func(*Client) bool { return false }
	}
	if o.Leaving == nil {
		o.Leaving = func(*Client) func() { return func() {} }
	}
	return &Registry{o: o, store: store{dir: o.Dir, now: o.Now}, clients: map[string]*Client{}}
}

// Close refuses clients from now on.
func (r *Registry) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
}

// Take returns the client with this id, from memory or disk, or makes a new one: with a fresh id
// when none is given (shell commands of one workspace share one), under the given id when it is
// well-formed but forgotten.
func (r *Registry) Take(id string, n Identity) (*Client, error) {
	const op = "find client"
	if id != "" && !ValidID(id) {
		return nil, fault.New(fault.Invalid, op, "%.40q is not a client id", id).
			WithHint("Leave it out to get a new one.")
	}
	for _, name := range []string{n.Kind, n.Name} {
		if err := CheckName(name); err != nil {
			return nil, fault.Wrap(err, "", op)
		}
	}
	if n.Workspace != "" {
		n.Workspace = realPath(n.Workspace)
	}
	if id == "" {
		id = NewID()
		if n.Kind == ShellKind {
			id = sharedID(n)
		}
	}
	r.forgetOld()
	c, err := r.take(id, n)
	if err == nil {
		err = c.setWorkspace(n.Workspace)
	}
	return c, fault.Wrap(err, "", op)
}

// maxName bounds what a client calls itself: it is shown to others and saved with the client.
const maxName = 200

// CheckName refuses a name that is too long for a client.
func CheckName(name string) error {
	if len(name) <= maxName {
		return nil
	}
	return fault.New(fault.Invalid, "", "the name of the client has %d bytes; it may have %d", len(name), maxName)
}

func (r *Registry) take(id string, n Identity) (*Client, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil, fault.New(fault.Unavailable, "", "the daemon is stopping")
	}
	c, err := r.takeLocked(id, n)
	if err == nil {
		c.touch(r.o.Now())
	}
	return c, err
}

// takeLocked reads or writes one small file with mu held: two callers must never get two clients of
// one id.
func (r *Registry) takeLocked(id string, n Identity) (*Client, error) {
	if c := r.clients[id]; c != nil {
		return c, nil
	}
	now := r.o.Now()
	st, known := r.store.load(id)
	if !known {
		st = State{
			ID: id, Kind: n.Kind, Name: n.Name, Workspace: n.Workspace, Created: now,
			Mode: toolset.DefaultMode, Categories: toolset.DefaultCategories(),
			ScreenshotFormat: toolset.DefaultScreenshot,
			Verbosity:        toolset.DefaultVerbosity, Strategy: toolset.DefaultStrategy,
		}
		if r.o.Defaults != nil {
			r.o.Defaults(n, &st)
		}
		st.ID = id
	}
	st.Workspace = cmp.Or(st.Workspace, n.Workspace)
	st.LastCall = now
	if err := r.store.save(st); err != nil {
		return nil, err
	}
	c := &Client{registry: r, id: id, state: st, saved: st.LastCall}
	r.clients[id] = c
	r.forgetSpareLocked()
	return c, nil
}

// Lookup finds a client that exists, in memory or on disk.
func (r *Registry) Lookup(id string) (*Client, bool) {
	if !ValidID(id) {
		return nil, false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.clients[id] == nil {
		if _, known := r.store.load(id); !known {
			return nil, false
		}
	}
	c, err := r.takeLocked(id, Identity{})
	if err != nil || r.closed {
		return nil, false
	}
	c.touch(r.o.Now())
	return c, true
}

// All lists the clients in memory.
func (r *Registry) All() []*Client {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Collect(maps.Values(r.clients))
}

// Has reports whether a client was taken from this registry.
func (r *Registry) Has(c *Client) bool { return c != nil && c.registry == r }

// sweepEvery is the interval of the search for forgotten clients.
const sweepEvery = time.Hour

// forgetOld drops clients that were not active for a week. It needs no loop of its own: Take calls
// it.
func (r *Registry) forgetOld() {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.o.Now()
	if now.Sub(r.swept) < sweepEvery {
		return
	}
	r.swept = now
	for id, c := range r.clients {
		if now.Sub(c.State().LastCall) > lifetime && !r.o.Busy(c) && !c.connected() {
			delete(r.clients, id)
		}
	}
	r.store.sweep()
}

// MaxInMemory bounds the clients in memory that have no connection, call or job; their files bring
// them back.
const MaxInMemory = 512

// forgetSpareLocked drops clients from memory that their files bring back. mu is held.
func (r *Registry) forgetSpareLocked() {
	if r.store.dir == "" || len(r.clients) <= MaxInMemory {
		return
	}
	spare := map[string]time.Time{}
	for id, c := range r.clients {
		if c.spare() && !r.o.Busy(c) {
			spare[id] = c.State().LastCall
		}
	}
	for _, id := range Oldest(spare, MaxInMemory) {
		delete(r.clients, id)
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
