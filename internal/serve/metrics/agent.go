package metrics

import (
	"encoding/json"
	"slices"
	"time"
)

// maxAccounts bounds the clients with an account; the longest unused account is dropped first.
const maxAccounts = 256

// account counts the calls of one client.
type account struct {
	since time.Time
	tools map[string]*tally
	modes map[string]*tally
	kinds map[string]int // of failures
	total tally
}

// tally counts outcomes and time.
type tally struct {
	Calls     int     `json:"calls"`
	Succeeded int     `json:"succeeded"`
	Failed    int     `json:"failed"`
	Canceled  int     `json:"canceled,omitempty"` // by a caller: neither success nor failure
	Rate      float64 `json:"successRate"`        // of those that were not cancelled, 0–1
	MeanMs    float64 `json:"meanMs"`
	MaxMs     float64 `json:"maxMs"`

	sum time.Duration
	max time.Duration
}

func newAccount() *account {
	return &account{since: time.Now().UTC(), tools: map[string]*tally{}, modes: map[string]*tally{},
		kinds: map[string]int{}}
}

func (a *account) add(name, mode, outcome string, took time.Duration) {
	a.total.add(outcome, took)
	for key, by := range map[string]map[string]*tally{name: a.tools, mode: a.modes} {
		if key == "" {
			continue
		}
		if by[key] == nil {
			by[key] = &tally{}
		}
		by[key].add(outcome, took)
	}
	if outcome != ok {
		a.kinds[outcome]++
	}
}

func (t *tally) add(outcome string, took time.Duration) {
	t.Calls++
	switch outcome {
	case ok:
		t.Succeeded++
	case "canceled":
		t.Canceled++
	default:
		t.Failed++
	}
	t.sum += took
	t.max = max(t.max, took)
}

// withRates is the tally with its derived values.
func (t tally) withRates() tally {
	if n := t.Succeeded + t.Failed; n > 0 {
		t.Rate = float64(t.Succeeded) / float64(n)
	}
	if t.Calls > 0 {
		t.MeanMs = ms(t.sum / time.Duration(t.Calls))
	}
	t.MaxMs = ms(t.max)
	return t
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// account is the client's. Metrics.mu is held.
func (m *Metrics) account(clientID string) *account {
	if i := slices.Index(m.order, clientID); i >= 0 {
		m.order = append(slices.Delete(m.order, i, i+1), clientID)
		return m.accounts[clientID]
	}
	if len(m.order) >= maxAccounts {
		delete(m.accounts, m.order[0])
		m.order = slices.Delete(m.order, 0, 1)
	}
	a := newAccount()
	m.accounts[clientID], m.order = a, append(m.order, clientID)
	return a
}

// AgentMetrics counts the client's calls since it began or was cleared.
func (m *Metrics) AgentMetrics(clientID string) json.RawMessage {
	m.mu.Lock()
	defer m.mu.Unlock()
	a := m.accounts[clientID]
	if a == nil {
		a = newAccount()
		a.since = m.started.UTC()
	}
	doc := struct {
		Schema string           `json:"schema"`
		Since  time.Time        `json:"since"`
		Total  tally            `json:"total"`
		Tools  map[string]tally `json:"tools"`
		Modes  map[string]tally `json:"modes"`
		Errors map[string]int   `json:"errors"`
	}{"trailblaze.agentMetrics/1", a.since, a.total.withRates(), allWithRates(a.tools), allWithRates(a.modes), a.kinds}
	raw, err := json.Marshal(doc)
	if err != nil {
		return json.RawMessage("{}")
	}
	return raw
}

func allWithRates(in map[string]*tally) map[string]tally {
	out := make(map[string]tally, len(in))
	for k, t := range in {
		out[k] = t.withRates()
	}
	return out
}

// ClearAgentMetrics begins the client's account anew.
func (m *Metrics) ClearAgentMetrics(clientID string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.accounts[clientID] != nil {
		m.accounts[clientID] = newAccount()
	}
}
