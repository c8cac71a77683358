package metrics

import (
	"context"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Options shape Metrics. Every field may be empty.
type Options struct {
	Client func(ctx context.Context) (clientID, mode string) // the calling client and its mode; "" counts in no account
	Status func() Status                                     // asked for at each reading
}

// Status is the state of the daemon.
type Status struct {
	Clients, Devices, Sessions, Running, Jobs int
}

// Metrics counts calls. It is safe for concurrent use.
type Metrics struct {
	o       Options
	started time.Time

	mu       sync.Mutex
	calls    map[callKey]uint64
	seconds  map[toolKey]*histogram
	replies  map[string]*reply
	tools    map[string]bool
	accounts map[string]*account
	order    []string // of accounts, the longest unused first
}

type callKey struct{ tool, kind, outcome, caller string }

type toolKey struct{ tool, kind string }

// reply sums the sizes of a tool's results.
type reply struct{ bytes, tokens uint64 }

// maxTools bounds the names that become labels: custom tools come and go, and a time series stays forever.
const maxTools = 400

// other stands for all names beyond the bound, and for tools that do not exist.
const other = "other"

// New makes a Metrics.
func New(o Options) *Metrics {
	return &Metrics{
		o: o, started: time.Now(), calls: map[callKey]uint64{}, seconds: map[toolKey]*histogram{},
		replies: map[string]*reply{},
		tools:   map[string]bool{}, accounts: map[string]*account{},
	}
}

// outcomeOf is "ok", or the kind of the failure.
func outcomeOf(res *tool.Result, err error) string {
	switch {
	case err != nil:
		return string(fault.KindOf(err))
	case res != nil && res.IsError:
		return string(fault.KindOf(res.Err()))
	}
	return ok
}

const ok = "ok"

var _ dispatch.Counter = (*Metrics)(nil).Count

// Count counts a call; it is the Counter of a dispatcher.
func (m *Metrics) Count(
	ctx context.Context, inv *dispatch.Invocation, res *tool.Result, err error, took time.Duration,
) {
	kind, outcome := "", outcomeOf(res, err)
	if s := inv.Spec(); s != nil {
		kind = string(s.Kind)
	}
	bytes, tokens := size(res)
	clientID, mode := "", ""
	if m.o.Client != nil && inv.Role == dispatch.Top {
		clientID, mode = m.o.Client(ctx)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	name := m.label(inv.Call.Name)
	m.calls[callKey{name, kind, outcome, string(inv.Caller)}]++
	h := m.seconds[toolKey{name, kind}]
	if h == nil {
		h = &histogram{}
		m.seconds[toolKey{name, kind}] = h
	}
	h.add(took)
	if inv.Role == dispatch.Top {
		r := m.replies[name]
		if r == nil {
			r = &reply{}
			m.replies[name] = r
		}
		r.bytes += bytes
		r.tokens += tokens
	}
	if clientID != "" {
		m.account(clientID).add(name, mode, outcome, took)
	}
}

// label is the name of a tool, as long as there are few enough. Metrics.mu is held.
func (m *Metrics) label(name string) string {
	if !m.tools[name] {
		if len(m.tools) >= maxTools {
			return other
		}
		m.tools[name] = true
	}
	return name
}

// size returns the size of a result, and about how many tokens its text costs a model.
func size(res *tool.Result) (bytes, tokens uint64) {
	if res == nil {
		return 0, 0
	}
	for _, c := range res.Content {
		bytes += uint64(len(c.Text) + len(c.Data))
		tokens += uint64(len(c.Text)+3) / 4
	}
	return bytes + uint64(len(res.Value)), tokens
}

// bounds are the upper ends of the buckets: a warm click is milliseconds, a page seconds, a trail a minute.
var bounds = [...]float64{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60}

// histogram counts durations by size.
type histogram struct {
	buckets [len(bounds)]uint64 // not cumulative
	count   uint64
	sum     float64
}

func (h *histogram) add(d time.Duration) {
	s := d.Seconds()
	h.count++
	h.sum += s
	for i, b := range bounds {
		if s <= b {
			h.buckets[i]++
			return
		}
	}
}
