package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/agent/llm"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/sequence"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// deed is a call that was made, or refused.
type deed struct {
	call    tool.Call
	summary string // what came of it, in short
	found   string // what a query that was made for it found, as far as the next question tells it
	failed  bool
}

// verdict is the model's report with the status tool.
type verdict struct {
	Status      Status   `json:"status"`
	Explanation string   `json:"explanation"`
	Answer      string   `json:"answer"`
	From        []string `json:"from"` // texts of the screen that the answer rests on
	unproven    bool     // FAILED, and nothing that was done shows it
}

// follow does what an answer says. It returns the verdict when the model gave one that holds.
func (a *Agent) follow(ctx context.Context, r *llm.Response, look string, began time.Time) (*verdict, error) {
	if len(r.Calls) == 0 {
		a.idle++
		a.reminder = "Your last answer called no tool. Call one."
		if r.Stop == llm.Cut {
			a.reminder = "Your last answer was cut off, because it was too long. Call one tool, without other words."
		}
		return nil, a.iteration(r, nil, began)
	}
	a.reminder, a.answered = "", len(a.done)
	calls, final := a.split(r.Calls)
	switch {
	case len(calls) > 0:
		a.idle = 0
	case final == nil: // the status tool alone, and not as it takes its arguments
		a.idle++
	}
	stopped, err := a.make(ctx, calls, look)
	if err != nil {
		return nil, err
	}
	if err := a.iteration(r, a.last(), began); err != nil || stopped || final == nil {
		return nil, err
	}
	if final.Status == Completed && slices.ContainsFunc(calls, a.acts) {
		a.reminder = "COMPLETED does not count in the answer that acts: look at what came of it first."
		return nil, nil
	}
	return a.holds(final), nil
}

// make makes the calls of an answer. stopped says that the last of them failed, or met what those after it were not
// meant for.
func (a *Agent) make(ctx context.Context, calls []tool.Call, look string) (stopped bool, err error) {
	between := sequence.Between(a.Device, calls, a.tools.spec)
	var last *tool.Evidence
	for i, c := range calls {
		if last != nil && last.Effect != nil && !last.InVain() { // each call of an answer may find another screen
			look = fmt.Sprintf("%s\n%d", look, len(a.done))
		}
		if ctx.Err() != nil {
			return true, fault.Wrap(context.Cause(ctx), "", op)
		}
		if i > 0 && last != nil {
			if err := between(ctx, i, last); err != nil {
				a.last().summary += " [stopped: " + clip(a.mask(err.Error()), 300) + "]"
				return true, nil
			}
		}
		ev, failed, err := a.call(ctx, c, look)
		if err != nil || failed { // what was to come after it was meant for another screen
			return true, err
		}
		last = ev
	}
	return false, nil
}

// acts says whether a call may change something.
func (a *Agent) acts(c tool.Call) bool {
	s := a.tools.spec(c.Name)
	return s != nil && s.Kind == tool.Action
}

// split takes the verdict out of the calls.
func (a *Agent) split(in []llm.Call) (calls []tool.Call, final *verdict) {
	for _, c := range in {
		if c.Name != statusTool {
			calls = append(calls, tool.Call{Name: c.Name, Args: c.Args})
			continue
		}
		v := &verdict{}
		if json.Unmarshal(c.Args, v) != nil || v.Status != Completed && v.Status != Failed {
			a.reminder = statusTool + " takes a status of COMPLETED or FAILED, and an explanation."
			continue
		}
		final = v
	}
	return calls, final
}

// holds returns a verdict that the ledger bears out, and otherwise gives the model the reason why it does not. FAILED
// is a failure of the app only where something shows it: an assertion that failed, or in a step an action that did.
func (a *Agent) holds(v *verdict) *verdict {
	why := ""
	switch kind := a.objective.Kind; {
	case v.Status == Failed:
		v.unproven = a.ledger.failed() == "" && (kind != Act || !a.ledger.vain)
	case kind == Ask && strings.TrimSpace(v.Answer) == "":
		why = statusTool + " of a question takes the answer in its field answer."
	case kind == Ask && !a.Pictures: // in a picture there is more than can be read here
		why = a.ungrounded(v)
	case kind == Verify:
		if why = a.ledger.against(a.objective.Text); why != "" {
			why = "COMPLETED does not hold: " + why
		}
	case kind == Act && !a.ledger.acted && !a.ledger.looked:
		why = "COMPLETED does not hold: nothing was done. Do it; or, when nothing is to be done, call an assertion that " +
			"shows it, or a query that names what it looks for."
	}
	if why != "" {
		a.idle++
		a.reminder = why
		return nil
	}
	return v
}

// call makes one call and notes its result. The error is one that ends the run.
func (a *Agent) call(ctx context.Context, c tool.Call, look string) (ev *tool.Evidence, failed bool, err error) {
	if c.Name == findTool && a.tools.search {
		summary, ok := a.tools.find(c.Args)
		a.note(c, summary, !ok)
		return nil, !ok, nil
	}
	spec, refusal := a.tools.check(c, a.objective.Text)
	if refusal != "" {
		a.note(c, refusal, true)
		return nil, true, nil
	}
	if err := a.loops(c, look); err != nil {
		return nil, true, err
	}
	start := time.Now()
	res, err := a.Do(ctx, c)
	if ctx.Err() != nil {
		return nil, true, fault.Wrap(context.Cause(ctx), "", op)
	}
	if err == nil {
		err = res.Err()
	}
	summary := ""
	switch {
	case err != nil:
		summary = "failed: " + err.Error()
		var f *fault.Error
		if errors.As(err, &f) && f.Hint != "" {
			summary += " (" + f.Hint + ")"
		}
	default:
		ev = res.Evidence
		summary = res.Text()
		if ev.InVain() {
			summary = "made, and nothing changed: " + summary
		}
	}
	a.note(c, summary, err != nil)
	if err == nil && spec.Kind == tool.Query {
		a.last().found = clip(a.mask(summary), maxFindings)
	}
	a.ledger.enter(spec, c, ev, err, a.screen)
	e := &event.AgentTool{Run: a.run, ToolName: c.Name, Args: jsonOr(c.Args), Result: a.last().summary,
		IsError:  err != nil,
		Duration: time.Since(start), Transport: a.Transport}
	if e := a.log(event.Event{Type: event.McpAgentTool, AgentTool: e}); e != nil {
		return nil, true, e
	}
	if fault.KindOf(err) == fault.Internal { // our own fault: no other try can help
		return nil, true, err
	}
	return ev, err != nil, nil
}

// loops is the error that ends a run which goes in a circle: the same call on the same screen, or so often that the
// numbers of the objective do not ask for it.
func (a *Agent) loops(c tool.Call, look string) error {
	call := c.Name + string(c.Args)
	a.same[call]++
	a.same[call+look]++
	n, where := 0, ""
	switch most := max(maxRepeats, largest(a.objective.Text)); {
	case a.same[call+look] > maxSame:
		n, where = maxSame, " on the same screen"
	case a.same[call] > most:
		n = most
	default:
		return nil
	}
	return fault.New(fault.Degraded, op, "the model is in a loop: %s %s was made %d times%s", c.Name,
		clip(string(c.Args), 120), n, where).
		WithHint("Word the objective more precisely, or choose another model.")
}

// note keeps what was done for the next question.
func (a *Agent) note(c tool.Call, summary string, failed bool) {
	a.done = append(a.done, deed{call: c, summary: clip(a.mask(summary), 600), failed: failed})
	if failed {
		a.failures++
	} else {
		a.failures = 0
	}
}

func (a *Agent) last() *deed {
	if len(a.done) == 0 {
		return nil
	}
	return &a.done[len(a.done)-1]
}

func (a *Agent) mask(text string) string {
	if a.Memory == nil {
		return text
	}
	return a.Memory.Mask(text)
}

// iteration logs a turn.
func (a *Agent) iteration(r *llm.Response, d *deed, began time.Time) error {
	e := &event.AgentIteration{Run: a.run, Iteration: a.usage.Calls, Completion: completion(r),
		Duration: time.Since(began)}
	if d != nil && len(r.Calls) > 0 {
		e.Tool, e.Args, e.Result, e.IsError = d.call.Name, jsonOr(d.call.Args), d.summary, d.failed
	}
	return a.log(event.Event{Type: event.McpAgentIteration, Iteration: e})
}

func jsonOr(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 || json.Valid(raw) {
		return raw
	}
	text, _ := json.Marshal(string(raw))
	return text
}

// smuggled returns the first token in args that the objective does not name, however it is spelled. Page text may ask
// for one; the objective's author did not. The dispatcher decides about the use of one that is named.
func smuggled(args json.RawMessage, objective string) string {
	named := memory.TokensIn(objective)
	for _, t := range memory.TokensInJSON(args) {
		if !slices.ContainsFunc(named, func(n memory.Token) bool { return n.Name == t.Name }) {
			return fmt.Sprintf("refused: the objective does not name %s, so no argument may", t)
		}
	}
	return ""
}
