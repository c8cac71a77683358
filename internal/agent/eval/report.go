package eval

import (
	"cmp"
	"encoding/json"
	"io"
	"slices"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/agent/llm"
)

// Report is the outcome of an evaluation.
type Report struct {
	Schema  string    `json:"schema"`
	Title   string    `json:"title"`
	Version string    `json:"version"`
	Began   time.Time `json:"began"`
	Tiers   []Total   `json:"tiers"`
	Tasks   []Total   `json:"tasks"` // of each task, by tier
	Results []*Result `json:"results"`
}

// Total sums up several tries.
type Total struct {
	Task        string    `json:"task,omitempty"`
	Tier        string    `json:"tier"`
	Model       string    `json:"model,omitempty"`
	Tries       int       `json:"tries"`
	Right       int       `json:"right"`
	FalsePasses int       `json:"falsePasses"`
	GaveUp      int       `json:"gaveUp"`
	Broken      int       `json:"broken"`
	Calls       int       `json:"toolCalls"`
	Usage       llm.Usage `json:"usage"`
	Estimated   bool      `json:"estimated,omitempty"`
	Seconds     float64   `json:"seconds"`
}

// Success is the share of tries that were right.
func (t Total) Success() float64 { return float64(t.Right) / float64(max(t.Tries, 1)) }

// CostPerRight returns the cost of a task that was done, with those that were not; 0 when none was.
func (t Total) CostPerRight() float64 {
	if t.Right == 0 {
		return 0
	}
	return t.Usage.Cost / float64(t.Right)
}

func (t *Total) add(r *Result) {
	t.Tries++
	t.Model, t.Estimated = cmp.Or(t.Model, r.Model), t.Estimated || r.Estimated
	t.Calls += r.Calls
	t.Usage.Add(r.Usage)
	t.Seconds += r.Seconds
	switch r.Verdict {
	case Right:
		t.Right++
	case FalsePass:
		t.FalsePasses++
	case GaveUp:
		t.GaveUp++
	case Broken:
		t.Broken++
	}
}

// Summarise makes the report of results.
func Summarise(title, version string, began time.Time, results []*Result) *Report {
	r := &Report{Schema: "trailblaze.eval/1", Title: title, Version: version, Began: began.UTC(), Results: results}
	for _, x := range results {
		into(&r.Tiers, "", x.Tier).add(x)
		into(&r.Tasks, x.Task, x.Tier).add(x)
	}
	return r
}

// into finds or begins a total.
func into(all *[]Total, task, tier string) *Total {
	i := slices.IndexFunc(*all, func(t Total) bool { return t.Task == task && t.Tier == tier })
	if i < 0 {
		i = len(*all)
		*all = append(*all, Total{Task: task, Tier: tier})
	}
	return &(*all)[i]
}

// WriteJSON writes the report for programs.
func (r *Report) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return fault.Wrap(e.Encode(r), fault.Unavailable, "write report")
}
