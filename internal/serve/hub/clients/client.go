package clients

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/toolset"
	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
)

// ShellKind is the kind of clients whose commands are separate processes of one person.
const ShellKind = "cli"

// AgentKind is the kind of clients that speak MCP.
const AgentKind = "mcp"

// Identity describes a new client.
type Identity struct {
	Kind      string // "cli", "mcp", "http"
	Name      string // of the client program, "claude-code"
	Workspace string // root folder of the client's project
}

// State is everything that belongs to one client and to no other. Its JSON form is the client's
// file.
type State struct {
	ID        string `json:"clientId"`
	Kind      string `json:"client"`
	Name      string `json:"name,omitempty"`
	Workspace string `json:"workspace,omitempty"`

	Device string `json:"device,omitempty"` // the device its calls go to
	Target string `json:"target,omitempty"` // the app under test (setTargetApp)

	Headless *bool `json:"headless,omitempty"` // of browsers that its calls open; nil: as configured

	Mode             toolset.Mode             `json:"mode,omitempty"`
	Categories       []toolset.Category       `json:"categories,omitempty"`
	Prefix           string                   `json:"prefix,omitempty"`   // of tool names
	Toolsets         []string                 `json:"toolsets,omitempty"` // listed besides, by their ids
	Testing          bool                     `json:"testing,omitempty"`
	ScreenshotFormat toolset.ScreenshotFormat `json:"screenshotFormat,omitempty"`
	AutoScreenshot   bool                     `json:"autoScreenshot,omitempty"`
	Picture          driver.ScreenshotOptions `json:"picture,omitzero"` // how automatic pictures are taken
	Verbosity        toolset.Verbosity        `json:"verbosity,omitempty"`
	Strategy         toolset.Strategy         `json:"strategy,omitempty"`
	MaxTokens        int                      `json:"maxTokens,omitempty"`
	Extra            map[string]string        `json:"extra,omitempty"` // what transports and tools keep per client

	Created  time.Time `json:"created"`
	LastCall time.Time `json:"seen"`
}

// clone shares nothing with the original.
func (st State) clone() State {
	st.Categories, st.Toolsets = slices.Clone(st.Categories), slices.Clone(st.Toolsets)
	st.Extra = maps.Clone(st.Extra)
	return st
}

// Owner is the name that the client's devices are kept under when it names none, the beginning of its id: those of a
// program of an SDK or of the API are its own. People's commands and agents share the open devices of their workspace,
// and have "".
func (st State) Owner() string {
	if st.Kind == ShellKind || st.Kind == AgentKind {
		return ""
	}
	return short(st.ID)
}

// Label names the client to people: the name of its program, or its kind.
func (st State) Label() string { return cmp.Or(st.Name, st.Kind) }

// Client is a client of the hub. It outlives connections and daemons: its id finds it again.
type Client struct {
	registry *Registry
	id       string

	writing sync.Mutex // held while a change is made: one at a time, in order, on disk before it counts
	mu      sync.Mutex
	state   State
	saved   time.Time // Seen, as it stands on disk
	present int       // connections
	secrets map[string]string
	keys    map[string]string // of models, by the variables that hold them
	watch   map[int]func(old, new State)
	next    int
}

// ID is the client id. It is a key: a caller that knows all of it acts as the client.
func (c *Client) ID() string { return c.id }

// Short is the beginning of the id, which others may see. Cancel takes it.
func (c *Client) Short() string { return short(c.id) }

// Label names the client to people.
func (c *Client) Label() string { return c.State().Label() }

// Who returns the client's name for logs: its label, and the beginning of its id.
func (c *Client) Who() string { return c.Label() + " " + c.Short() }

// State is a copy of the client's state.
func (c *Client) State() State {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.state.clone()
}

// Update changes the state. When fn fails, or the change cannot be saved, nothing changes. ID, Kind
// and Created cannot be changed.
func (c *Client) Update(fn func(*State) error) error {
	const op = "update client"
	c.writing.Lock()
	defer c.writing.Unlock()
	old := c.State()
	next := old.clone()
	if err := fn(&next); err != nil {
		return fault.Wrap(err, "", op)
	}
	if err := CheckName(next.Name); err != nil {
		return fault.Wrap(err, "", op)
	}
	next.ID, next.Kind, next.Created = old.ID, old.Kind, old.Created
	next.LastCall = c.registry.o.Now()
	if err := c.registry.store.save(next); err != nil {
		return err
	}
	c.mu.Lock()
	c.state, c.saved = next, next.LastCall
	watch := slices.Collect(maps.Values(c.watch))
	c.mu.Unlock()
	for _, fn := range watch {
		fn(old.clone(), next.clone())
	}
	return nil
}

// Bind makes a device the one that the client's calls go to, "" none.
func (c *Client) Bind(device string) error {
	return c.Update(func(st *State) error { st.Device = device; return nil })
}

// Watch calls fn after every change, one change at a time and in order, until stop. It runs inside
// Update: keep it short, and never change the client from it.
func (c *Client) Watch(fn func(old, new State)) (stop func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.next++
	id := c.next
	if c.watch == nil {
		c.watch = map[int]func(old, new State){}
	}
	c.watch[id] = fn
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.watch, id)
	}
}

// Enter notes that the client is connected. When its last connection has left, the client leaves (see Leave).
func (c *Client) Enter() (leave func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.present++
	return sync.OnceFunc(func() {
		end := c.registry.o.Leaving(c) // before: a call that begins later belongs to a connection that has just come
		c.mu.Lock()
		c.present--
		last := c.present == 0
		if last {
			c.secrets, c.keys = nil, nil
		}
		c.mu.Unlock()
		if last {
			end()
		}
	})
}

// Leave notes that the client has gone: Options.Leaving ends its calls and frees its devices. The client is kept, and
// so are the sessions that it worked in.
func (c *Client) Leave() { c.registry.o.Leaving(c)() }

// Hold keeps secrets for all calls of the client until it leaves. They are kept in memory alone.
func (c *Client) Hold(secrets map[string]string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.secrets = maps.Clone(secrets)
}

// WithSecrets adds the client's secrets to those that came with a call.
func (c *Client) WithSecrets(secrets map[string]string) map[string]string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.secrets) == 0 {
		return secrets
	}
	all := maps.Clone(c.secrets)
	maps.Copy(all, secrets)
	return all
}

// AddModelKeys keeps keys of models for all calls of the client until it leaves. They are kept in memory alone, and
// no other client's calls use them.
func (c *Client) AddModelKeys(keys map[string]string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.keys = maps.Clone(keys)
}

// Key is the key of a model that the client was lent, "" when there is none.
func (c *Client) Key(variable string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.keys[variable]
}

// Saw notes that the client was active, on disk at most once an hour.
func (c *Client) Saw() {
	if c.touch(c.registry.o.Now()) {
		_ = c.Update(func(*State) error { return nil })
	}
}

// touch notes in memory that the client was active, and reports whether the disk should know.
func (c *Client) touch(now time.Time) (due bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.state.LastCall = now
	return now.Sub(c.saved) > sweepEvery
}

// connected reports whether the client has a connection.
func (c *Client) connected() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.present > 0
}

// spare reports whether nothing but the registry holds the client: no connection, no watcher.
func (c *Client) spare() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.present == 0 && len(c.watch) == 0
}

// setWorkspace sets the workspace of a client that has none: a client may say only later where it works.
func (c *Client) setWorkspace(workspace string) error {
	if workspace == "" || c.State().Workspace != "" {
		return nil
	}
	return c.Update(func(st *State) error {
		st.Workspace = cmp.Or(st.Workspace, workspace)
		return nil
	})
}

// Status is a client as a listing shows it.
type Status struct {
	ID        string    `json:"clientId"` // its beginning: the whole id is a key; Cancel takes this
	Kind      string    `json:"client"`
	Name      string    `json:"name,omitempty"`
	Workspace string    `json:"workspace,omitempty"`
	Device    string    `json:"device,omitempty"`
	Seen      time.Time `json:"seen"`
	Connected bool      `json:"connected,omitempty"`
}

// Status describes the client for a listing.
func (c *Client) Status() Status {
	st := c.State()
	return Status{
		ID: c.Short(), Kind: st.Kind, Name: st.Name, Workspace: st.Workspace, Device: st.Device,
		Seen: st.LastCall, Connected: c.connected(),
	}
}

var idPattern = regex.Lazy(`^tb_[a-z2-7]{26}$`)

// ValidID reports whether id can name a client. Nothing else is ever joined to a path.
func ValidID(id string) bool { return idPattern().MatchString(id) }

var lowerBase32 = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// NewID makes the id of a new client.
func NewID() string { return "tb_" + strings.ToLower(rand.Text()) }

// sharedID is the id that all commands of one shell user share in one workspace, so that a setting
// of one command holds for the next.
func sharedID(n Identity) string {
	sum := sha256.Sum256([]byte(n.Kind + "\x00" + n.Name + "\x00" + n.Workspace))
	return "tb_" + lowerBase32.EncodeToString(sum[:])[:26]
}

const shortID = len("tb_") + 5

func short(id string) string { return id[:min(len(id), shortID)] }

// Matches reports whether text names the client: its id, or at least the beginning of it that listings show.
func (c *Client) Matches(text string) bool {
	return text == c.id || len(text) >= shortID && strings.HasPrefix(c.id, text)
}
