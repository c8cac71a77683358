package hub

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/toolset"
)

// NewSeat says who takes a seat.
type NewSeat struct {
	Client    string // "cli", "mcp", "http"
	Name      string // of the client program, "claude-code"
	Workspace string // root folder of the client's project
}

// SeatState is all that belongs to one client and no other (R198, R199, R274).
type SeatState struct {
	Handle    string `json:"handle"`
	Client    string `json:"client"`
	Name      string `json:"name,omitempty"`
	Workspace string `json:"workspace,omitempty"`

	Device string `json:"device,omitempty"` // the slot its calls go to
	Target string `json:"target,omitempty"` // the app under test (setTargetApp)

	Headless *bool `json:"headless,omitempty"` // of browsers that its calls open; nil: as configured

	Mode             toolset.Mode             `json:"mode,omitempty"`
	Categories       []toolset.Category       `json:"categories,omitempty"`
	Prefix           string                   `json:"prefix,omitempty"` // of tool names
	Testing          bool                     `json:"testing,omitempty"`
	ScreenshotFormat toolset.ScreenshotFormat `json:"screenshotFormat,omitempty"`
	AutoScreenshot   bool                     `json:"autoScreenshot,omitempty"`
	Picture          driver.ScreenshotOptions `json:"picture,omitzero"` // how pictures are taken that come by themselves
	Verbosity        toolset.Verbosity        `json:"verbosity,omitempty"`
	Strategy         toolset.Strategy         `json:"strategy,omitempty"`
	MaxTokens        int                      `json:"maxTokens,omitempty"`
	Extra            map[string]string        `json:"extra,omitempty"` // whatever else a transport or desk tool keeps per seat

	Created time.Time `json:"created"`
	Seen    time.Time `json:"seen"`
}

// clone shares nothing with the original.
func (st SeatState) clone() SeatState {
	st.Categories = slices.Clone(st.Categories)
	st.Extra = maps.Clone(st.Extra)
	return st
}

// Seat is a client's place at the hub. It outlives connections and daemons: its handle finds it again.
type Seat struct {
	hub    *Hub
	handle string

	writing sync.Mutex // held while a change is made: one at a time, in order, on disk before it counts
	mu      sync.Mutex
	state   SeatState
	saved   time.Time // Seen, as it stands on disk
	present int       // connections
	secrets map[string]string
	watch   map[int]func(old, new SeatState)
	next    int
}

// Handle names the seat. Whoever has it has the seat.
func (s *Seat) Handle() string { return s.handle }

// State is a copy of what the seat holds.
func (s *Seat) State() SeatState {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state.clone()
}

// Update changes the state. When fn fails, or the change cannot be kept, nothing changes. Who and where a seat is
// (Handle, Client, Created) cannot be changed.
func (s *Seat) Update(fn func(*SeatState) error) error {
	const op = "update seat"
	s.writing.Lock()
	defer s.writing.Unlock()
	old := s.State()
	next := old.clone()
	if err := fn(&next); err != nil {
		return fault.Wrap(err, "", op)
	}
	next.Handle, next.Client, next.Created = old.Handle, old.Client, old.Created
	next.Seen = s.hub.now()
	if err := s.hub.store.save(next); err != nil {
		return err
	}
	s.mu.Lock()
	s.state, s.saved = next, next.Seen
	watch := slices.Collect(maps.Values(s.watch))
	s.mu.Unlock()
	for _, fn := range watch {
		fn(old.clone(), next.clone())
	}
	return nil
}

// Watch calls fn after every change, one change at a time and in order, until stop. It runs inside Update: keep it short,
// and never change the seat from it.
func (s *Seat) Watch(fn func(old, new SeatState)) (stop func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next++
	id := s.next
	if s.watch == nil {
		s.watch = map[int]func(old, new SeatState){}
	}
	s.watch[id] = fn
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.watch, id)
	}
}

// Enter says that a client is connected. When the last connection of a seat has left, the seat leaves (see Leave).
func (s *Seat) Enter() (leave func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.present++
	return sync.OnceFunc(func() {
		calls := s.hub.callsOf(s) // before: a call that begins when we are gone is of a client that has just come
		s.mu.Lock()
		s.present--
		last := s.present == 0
		if last {
			s.secrets = nil
		}
		s.mu.Unlock()
		if last {
			s.hub.leave(s, calls)
		}
	})
}

// Hold gives the seat secrets that its client has, for all its calls until the client leaves. They are kept in memory alone.
func (s *Seat) Hold(secrets map[string]string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.secrets = maps.Clone(secrets)
}

// with are the secrets of a call: the seat's, and those that came with it.
func (s *Seat) with(secrets map[string]string) map[string]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.secrets) == 0 {
		return secrets
	}
	all := maps.Clone(s.secrets)
	maps.Copy(all, secrets)
	return all
}

// here says whether a client is connected: it would be told of nothing more if its seat was read anew.
func (s *Seat) here() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.present > 0
}

// moveIn gives a seat a workspace that has none: a client may say only later where it works.
func (s *Seat) moveIn(workspace string) error {
	if workspace == "" || s.State().Workspace != "" {
		return nil
	}
	return s.Update(func(st *SeatState) error {
		st.Workspace = cmp.Or(st.Workspace, workspace)
		return nil
	})
}

// touch notes in memory that the seat was used, and says whether the disk should know.
func (s *Seat) touch(now time.Time) (due bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state.Seen = now
	return now.Sub(s.saved) > sweepEvery
}

// saw notes that the seat was used, on disk at most once an hour.
func (s *Seat) saw(now time.Time) {
	if s.touch(now) {
		_ = s.Update(func(*SeatState) error { return nil })
	}
}

// Leave says that the client has gone: its running calls are cancelled (R210), and its jobs if it is an MCP client; its
// claims are released. The seat stays, and so do the live sessions it worked in.
func (s *Seat) Leave() { s.hub.leave(s, s.hub.callsOf(s)) }

// who names the seat to people.
func (s *Seat) who() string {
	st := s.State()
	if st.Name != "" {
		return st.Name
	}
	return st.Client
}
