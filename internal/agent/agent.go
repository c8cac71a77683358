// Package agent reaches an objective in plain language on a device: a model looks at the screen and says which tools to
// call, and this package makes the calls. It is a caller like the player: it calls tools through the dispatcher, in a
// session, and knows no door. Each objective is a fresh conversation, and each question of it holds the current screen
// alone, a short history and the tools; earlier screens do not reach the model.
//
// `app` makes the tools step, ask and verify of it (see Tools), and plays steps of trails that have no recording. An
// Agent is for one objective and one goroutine.
//
//	a := agent.Agent{Model: model, Registry: reg, Device: dev, Memory: mem, Do: call}
//	out, err := a.Run(ctx, agent.Objective{Kind: agent.Act, Text: "Add two mugs to the basket"})
package agent

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/agent/llm"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/toolset"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Saving compares the tokens of the lists of tools that were sent with those of all tools that the device has, in as
// many questions. Tokens are estimated.
type Saving struct {
	Sent int `json:"sentTokens"`
	All  int `json:"allTokens"`
}

// Kind says what an objective allows.
type Kind string

// The kinds.
const (
	Act    Kind = "step"   // acting and looking
	Verify Kind = "verify" // assertions and queries
	Ask    Kind = "ask"    // queries
)

// Objective is the goal of a run.
type Objective struct {
	Kind   Kind
	Text   string
	Before []string // steps that are done already, for what words such as "there" mean
	Done   []string // calls of a recording of it that were made, the last in vain; one agent then does what is left
	// Categories are the tools to begin with; nil: those of the kind. The model may take others.
	Categories []toolset.Category
	Plan       bool // tell the first calls that the model would make, and make none
}

// Limits bound a run. Zero fields take the defaults.
type Limits struct {
	Asks   int     // questions to the model; default DefaultAsks
	Cost   float64 // US dollars; 0: none
	Tokens int     // of a screen; default 6000
}

// DefaultAsks limits the questions to a model for one objective.
const DefaultAsks = 50

const (
	screenTokens = 6000
	maxIdle      = 3   // answers in a row that call no tool
	maxFailures  = 8   // calls in a row that fail
	maxSame      = 3   // of the same call on the same screen
	maxRepeats   = 12  // of the same call in all, unless the objective names a larger number
	maxAsked     = 200 // repeats that a number in the objective can ask for
	maxOutput    = 2048
	maxFindings  = 6400 // characters of what a query found
	op           = "reach objective"
)

// Agent reaches one objective.
type Agent struct {
	Model     llm.Model
	Registry  *tool.Registry
	Device    driver.Device
	Memory    *memory.Store
	Do        Executor
	Log       *event.Log
	Actor     string // for the log: on whose device it works, "" in a session on one
	Pictures  bool   // the model sees
	Transport string // for the log: MCP_IN_PROCESS, …
	Strategy  string // for the log: DIRECT or MCP_SAMPLING
	Limits    Limits
	Unjudged  bool // no judge is asked
	Outer     *Use // of Reach: the model that plans; nil: none does
	About     func(*memory.Store) string

	run       string // id, for the log
	objective Objective
	tools     *catalog
	done      []deed
	ledger    ledger
	judgement *Judgement // nil: no judge was asked
	usage     llm.Usage  // without that of the judge
	others    llm.Usage  // of the other tier; the limits are for both
	idle      int
	failures  int
	same      map[string]int
	screen    *screen.Snapshot // of the last question
	seen      string           // that screen as text
	reminder  string           // of the next question
	answered  int              // calls that were made before the last answer
	shown     []string         // what the model was shown of the device: screens, and what queries found
}

// Outcome is the result of an objective that was worked on to its end.
type Outcome struct {
	Status      Status     `json:"status"`
	Explanation string     `json:"explanation,omitempty"`
	Answer      string     `json:"answer,omitempty"`
	Unproven    bool       `json:"unproven,omitempty"` // FAILED on the model's word alone
	Checks      []string   `json:"checks,omitempty"`   // of a verify: the assertions that passed
	Calls       int        `json:"toolCalls"`
	Usage       llm.Usage  `json:"usage"`
	Model       string     `json:"model,omitempty"`
	Judged      *Judgement `json:"judged,omitempty"`    // the newest ruling, and what all took
	Plan        []Intended `json:"plan,omitempty"`      // what would be done, where nothing was to be
	Steps       []TaskStep `json:"planned,omitempty"`   // of an outer agent
	Tools       Saving     `json:"toolTokens,omitzero"` // of the lists of tools that were sent
}

// Status is the model's verdict on the objective.
type Status string

// The statuses.
const (
	Completed  Status = "COMPLETED"
	Failed     Status = "FAILED"
	InProgress Status = "IN_PROGRESS"
)

// Run works on the objective until the model reports its status. An error comes with an outcome as well, which holds
// the calls and the cost. A FAILED objective is no error of Run.
func (a *Agent) Run(ctx context.Context, o Objective) (*Outcome, error) {
	a.objective, a.run, a.same = o, "run_"+strings.ToLower(rand.Text()[:12]), map[string]int{}
	a.tools = newCatalog(a.Registry, a.Device, o)
	if o.Plan {
		a.reminder = planNote
	}
	start := time.Now()
	if err := a.log(event.Event{Type: event.McpAgentRun, AgentRun: a.runEvent(nil, nil, start)}); err != nil {
		return &Outcome{}, err
	}
	out, err := a.loop(ctx)
	out.Usage, out.Checks, out.Calls, out.Judged = a.usage, a.ledger.passed(), len(a.done), a.judgement
	if e := a.log(event.Event{Type: event.McpAgentRun, AgentRun: a.runEvent(out, err, start)}); err == nil {
		err = e
	}
	return out, err
}

// loop asks and acts until there is a verdict.
func (a *Agent) loop(ctx context.Context) (*Outcome, error) {
	out := &Outcome{}
	for {
		if err := a.allowed(ctx); err != nil {
			return out, err
		}
		began := time.Now()
		req, look, err := a.question(ctx)
		if err != nil {
			return out, err
		}
		out.Tools.add(a.tools)
		answer, err := a.ask(ctx, req, false)
		if err != nil {
			return out, err
		}
		out.Model = answer.Model
		if answer.Stop == llm.Refused {
			return out, fault.New(fault.Degraded, op, "the model %s refuses: %s", a.Model.Name(), clip(answer.Text, 300)).
				WithHint("Word the objective differently, or choose another model.")
		}
		if a.objective.Plan {
			if told, err := a.preview(answer, out), a.iteration(answer, nil, began); told || err != nil {
				return out, err
			}
			continue
		}
		said, err := a.follow(ctx, answer, look, began)
		if err != nil {
			return out, err
		}
		if said == nil {
			continue
		}
		if err := a.review(ctx, said); err != nil {
			return out, err
		}
		out.Status, out.Explanation, out.Answer, out.Unproven = said.Status, said.Explanation, said.Answer, said.unproven
		return out, nil
	}
}

// allowed says whether the model may be asked once more.
func (a *Agent) allowed(ctx context.Context) error {
	limit := a.Limits.Asks
	if limit <= 0 {
		limit = DefaultAsks
	}
	spent := a.others
	spent.Add(a.usage)
	if a.judgement != nil {
		spent.Add(a.judgement.Usage)
	}
	switch {
	case ctx.Err() != nil:
		return fault.Wrap(context.Cause(ctx), "", op)
	case spent.Calls >= limit:
		return fault.New(fault.Degraded, op, "the model was asked %d times and did not reach the objective", limit).
			WithHint("Cut the objective into smaller steps, or raise max-llm-calls.")
	case a.Limits.Cost > 0 && spent.Cost >= a.Limits.Cost:
		return fault.New(fault.Degraded, op, "the objective has cost $%.4f, and $%.4f were allowed", spent.Cost,
			a.Limits.Cost).WithHint("Raise max_cost below llm in trailblaze.yaml.")
	case a.idle >= maxIdle:
		return fault.New(fault.Degraded, op, "the model %s answered %d times in vain: %s",
			a.Model.Name(), maxIdle, a.reminder).
			WithHint("Choose a model that calls tools.")
	case a.failures >= maxFailures:
		return fault.New(fault.Degraded, op, "%d calls in a row failed; the last: %s", maxFailures, a.last().summary)
	}
	return nil
}

// ask asks the model once, and logs the question and the answer. Questions to the judge are counted separately.
func (a *Agent) ask(ctx context.Context, req llm.Request, judge bool) (*llm.Response, error) {
	usage := &a.usage
	if judge {
		if a.judgement == nil {
			a.judgement = &Judgement{}
		}
		usage = &a.judgement.Usage
	}
	start := time.Now()
	req.Waits = a.waits
	answer, err := a.Model.Generate(ctx, req, nil)
	e := &event.Sampling{Run: a.run, Actor: a.Actor, Strategy: a.Strategy, Model: a.Model.Name(),
		Asked: a.Model.Name(), Judge: judge, Error: fault.FailureOf(err), Duration: time.Since(start)}
	e.Messages, _ = json.Marshal(req.Messages)
	if answer != nil {
		u := answer.Usage
		e.Completion, e.InputTokens, e.OutputTokens = completion(answer), u.Input, u.Output
		e.CachedInputTokens, e.CostUSD = u.CachedInput, u.Cost
		if answer.Model != "" {
			e.Model = answer.Model
		}
		if judge {
			said, _ := ruling(answer)
			e.Ruling = string(said)
		}
		usage.Add(answer.Usage)
	} else {
		usage.Calls++
	}
	if e := a.log(event.Event{Type: event.McpSampling, Sampling: e}); err == nil {
		err = e
	}
	return answer, err
}

// waits tells those who follow the session that a question waits for the provider.
func (a *Agent) waits(d time.Duration, why string) {
	_ = a.log(event.Event{Type: event.Note, Note: &event.NoteText{Level: event.LevelWaiting, // the wait goes on without it
		Text: "waiting " + d.Round(100*time.Millisecond).String() + " for the model: " + clip(a.mask(why), 200)}})
}

// completion is an answer in one text.
func completion(r *llm.Response) string {
	lines := []string{}
	if r.Text != "" {
		lines = append(lines, r.Text)
	}
	for _, c := range r.Calls {
		lines = append(lines, c.Name+" "+string(c.Args))
	}
	return strings.Join(lines, "\n")
}

func (a *Agent) log(e event.Event) error {
	if a.Log == nil {
		return nil
	}
	_, err := a.Log.Append(e)
	return err
}

func (a *Agent) runEvent(out *Outcome, err error, start time.Time) *event.AgentRun {
	e := &event.AgentRun{ID: a.run, Objective: a.objective.Text, Transport: a.Transport, Strategy: a.Strategy,
		Iterations: a.usage.Calls}
	if out == nil {
		return e
	}
	e.Duration, e.Result, e.Error = time.Since(start), out.Explanation, fault.FailureOf(err)
	switch {
	case err != nil:
		e.Outcome = event.OutcomeOf(err)
	case out.Status == Completed || out.Status == InProgress:
		e.Outcome = event.Passed
	default:
		e.Outcome = event.Failed
	}
	return e
}
