package agent

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/agent/llm"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/observe"
	"github.com/trailblaze-dev/trailblaze/internal/call/toolset"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// The outer agent's own tools.
const (
	stepTool = "doStep"
	keepTool = "keepValue"
)

// Outer reaches a task of several steps: it plans, hands one step at a time to an agent that sees the screen, and keeps
// what was learnt, in one conversation from beginning to end. It sees no screen itself. Beside the device it calls the
// tools that a project brings: other servers, scripts, processes. It is for one task and one goroutine.
type Outer struct {
	Use      *Use // the model that plans
	Inner    *Agent
	Registry *tool.Registry
	Before   []string // steps that are done already, for what words such as "there" mean
}

// OuterOutcome is the result of a task.
type OuterOutcome struct {
	Status      Status     `json:"status"`
	Explanation string     `json:"explanation,omitempty"`
	Steps       []TaskStep `json:"steps,omitempty"`
	Outer       llm.Usage  `json:"outer"`
	Inner       llm.Usage  `json:"inner"`
	Calls       int        `json:"toolCalls"`
	Judged      *Judgement `json:"judged,omitempty"`
	Saving      Saving     `json:"saving"`
	Model       string     `json:"model,omitempty"`

	acts []act
}

// TaskStep is a step that the outer agent had carried out.
type TaskStep struct {
	Kind       Kind               `json:"kind"`
	Text       string             `json:"text"`
	Categories []toolset.Category `json:"categories,omitempty"`
	Status     Status             `json:"status"`
}

// Percent is the share that was saved.
func (s Saving) Percent() int {
	if s.All == 0 {
		return 0
	}
	return 100 * (s.All - s.Sent) / s.All
}

// Run works on a task until the model reports its status. An error comes with an outcome as well.
func (o *Outer) Run(ctx context.Context, task string) (*OuterOutcome, error) {
	in := o.Inner
	a := &Agent{Model: o.Use.Model, Registry: o.Registry, Device: in.Device, Memory: in.Memory, Do: in.Do, Log: in.Log,
		Transport: o.Use.Transport, Strategy: o.Use.Strategy, Limits: o.Use.Limits, About: in.About}
	a.objective, a.run, a.same = Objective{Text: task}, "run_"+strings.ToLower(rand.Text()[:12]), map[string]int{}
	a.objective.Before = o.Before
	c := &conducting{Agent: a, inner: in, task: task, out: &OuterOutcome{}, start: time.Now()}
	c.tools = c.outerTools()
	if err := c.log(event.Event{Type: event.McpAgentRun, AgentRun: c.runEvent(nil, nil, c.start)}); err != nil {
		return c.out, err
	}
	err := c.loop(ctx)
	c.out.Outer, c.out.Judged = a.usage, c.judgement
	end := c.runEvent(&Outcome{Status: c.out.Status, Explanation: c.out.Explanation}, err, c.start)
	end.ToolTokens, end.AllToolTokens = c.out.Saving.Sent, c.out.Saving.All
	if e := c.log(event.Event{Type: event.McpAgentRun, AgentRun: end}); err == nil {
		err = e
	}
	return c.out, err
}

// RunTiers is Run, by two tiers where there is an outer model: it plans the steps, and this agent carries them out.
// Checks, questions, plans that are only shown and the rest of a recording are of this agent alone.
func (a *Agent) RunTiers(ctx context.Context, o Objective) (*Outcome, error) {
	if o.Kind != Act || o.Plan {
		return a.Run(ctx, o)
	}
	out, err := a.runStep(ctx, o)
	if err == nil && out.Status == Completed {
		err = a.named(ctx, o.Text, a.ledger.acts)
		out.Judged = a.judgement
	}
	return out, err
}

// runStep has a step carried out. What it acted on is in the ledger then, also when another agent did.
func (a *Agent) runStep(ctx context.Context, o Objective) (*Outcome, error) {
	if a.Outer == nil || o.Done != nil {
		return a.Run(ctx, o)
	}
	got, err := (&Outer{Use: a.Outer, Inner: a, Registry: a.Registry, Before: o.Before}).Run(ctx, o.Text)
	out := &Outcome{Status: got.Status, Explanation: got.Explanation, Calls: got.Calls, Model: got.Model, Usage: got.Outer,
		Steps: got.Steps, Tools: got.Saving, Judged: got.Judged}
	out.Usage.Add(got.Inner)
	a.objective, a.ledger.acts, a.others, a.judgement = o, got.acts, out.Usage, got.Judged
	return out, err
}

// conducting is a run of an Outer.
type conducting struct {
	*Agent
	inner *Agent
	task  string
	kept  []string // tokens of values
	talk  []llm.Message
	out   *OuterOutcome
	start time.Time
}

const stepSchema = `{"type":"object","properties":{"kind":{"type":"string","enum":["step","verify","ask"]},` +
	`"prompt":{"type":"string","description":"what to do, to check or to answer, in plain language"},` +
	`"categories":{"type":"array","items":{"type":"string","enum":%s},` +
	`"description":"tools that it needs; default: those that most need"}},` +
	`"required":["kind","prompt"],"additionalProperties":false}`

const keepSchema = `{"type":"object","properties":{"name":{"type":"string","pattern":"^[A-Za-z][A-Za-z0-9_]*$"},` +
	`"value":{"type":"string"}},"required":["name","value"],"additionalProperties":false}`

// outerTools are the tools of the outer agent: its own, those for files and HTTP, and those of the project that work
// beside the device.
func (c *conducting) outerTools() *catalog {
	names, _ := json.Marshal(swappable(c.Registry, Act)) // texts
	out := &catalog{specs: map[string]*tool.Spec{}, kind: Act}
	specs := (toolset.View{Platform: c.Device.Info().Platform, Categories: []toolset.Category{toolset.Custom},
		HasModel: true}).Specs(c.Registry)
	specs = slices.DeleteFunc(specs, func(s *tool.Spec) bool { return s.Origin == "" || s.NeedsModel })
	for _, t := range c.Registry.All() {
		if s := t.Spec(); outside(s) {
			specs = append(specs, s)
		}
	}
	for _, s := range specs {
		schema, err := json.Marshal(toolset.Trim(s))
		if err != nil {
			continue
		}
		out.specs[s.Name] = s
		out.list = append(out.list, llm.Tool{Name: s.Name, Description: s.Description, Schema: schema})
	}
	slices.SortFunc(out.list, func(a, b llm.Tool) int { return strings.Compare(a.Name, b.Name) })
	out.list = append(out.list,
		llm.Tool{Name: stepTool, Description: "Has one step carried out on the device, and tells what came of it.",
			Schema: json.RawMessage(fmt.Sprintf(stepSchema, names))},
		llm.Tool{Name: keepTool, Description: "Keeps a value for later steps, in which {{memory.<name>}} stands for it.",
			Schema: json.RawMessage(keepSchema)},
		llm.Tool{Name: statusTool,
			Description: strings.ReplaceAll(strings.TrimSpace(prompt(statusTool)), "current screen", "last step"),
			Schema:      json.RawMessage(fmt.Sprintf(statusSchema, ""))})
	return out
}

// outside reports whether a built-in tool works on files or over HTTP, and is offered to no other model.
func outside(s *tool.Spec) bool {
	e := s.Effects
	return s.Origin == "" && !s.ExposedToLLM && s.Device == tool.NoDevice && e != nil &&
		len(e.Opens)+len(e.Reads)+len(e.Writes) > 0
}

func (c *conducting) loop(ctx context.Context) error {
	names := strings.NewReplacer("{{STEP}}", stepTool, "{{KEEP}}", keepTool)
	system := names.Replace(strings.TrimSpace(prompt("outer"))) + "\n" + c.about()
	c.talk = []llm.Message{llm.User(c.before() + "Task: " + c.mask(c.task))}
	for {
		if err := c.allowed(ctx); err != nil {
			return err
		}
		began := time.Now()
		answer, err := c.ask(ctx, llm.Request{System: system, Tools: c.tools.list, Choice: llm.Required,
			MaxTokens: maxOutput, Messages: c.talk}, false)
		if err != nil {
			return err
		}
		c.out.Model = answer.Model
		c.talk = append(c.talk, answer.Message())
		done, err := c.turn(ctx, answer)
		if e := c.iteration(answer, c.last(), began); err == nil {
			err = e
		}
		if err != nil || done {
			return err
		}
	}
}

// turn makes the calls of an answer, and returns their results to the model.
func (c *conducting) turn(ctx context.Context, r *llm.Response) (done bool, err error) {
	if r.Stop == llm.Refused {
		return false, fault.New(fault.Degraded, op, "the model %s refuses: %s", c.Model.Name(), clip(r.Text, 300)).
			WithHint("Word the task differently, or choose another model.")
	}
	if len(r.Calls) == 0 {
		c.idle++
		c.reminder = "Your last answer called no tool. Call one."
		c.talk = append(c.talk, llm.User(c.reminder))
		return false, nil
	}
	c.idle = 0
	reply := llm.Message{Role: llm.FromUser}
	for _, call := range r.Calls {
		if ctx.Err() != nil {
			return false, fault.Wrap(context.Cause(ctx), "", op)
		}
		if call.Name == statusTool && c.ended(call) {
			return true, nil
		}
		said, failed, err := c.do(ctx, call)
		if err != nil {
			return false, err
		}
		c.note(tool.Call{Name: call.Name, Args: call.Args}, said, failed)
		reply.Parts = append(reply.Parts, llm.Part{Result: &llm.Result{ID: call.ID, Name: call.Name, IsError: failed,
			Text: observe.MarkUntrusted(c.mask(said))}})
	}
	c.talk = append(c.talk, reply)
	return false, nil
}

// ended takes the verdict. COMPLETED does not hold after a step that failed and was not made up for.
func (c *conducting) ended(call llm.Call) bool {
	v := &verdict{}
	if json.Unmarshal(call.Args, v) != nil || v.Status != Completed && v.Status != Failed {
		return false
	}
	if n := len(c.out.Steps); v.Status == Completed && (n == 0 || c.out.Steps[n-1].Status != Completed) {
		return false
	}
	c.out.Status, c.out.Explanation = v.Status, v.Explanation
	return true
}

// do makes a call. An error ends the run.
func (c *conducting) do(ctx context.Context, call llm.Call) (said string, failed bool, err error) {
	if why := smuggled(call.Args, c.task+strings.Join(c.kept, " ")); why != "" {
		return why, true, nil
	}
	switch call.Name {
	case stepTool:
		return c.step(ctx, call.Args)
	case keepTool:
		return c.keep(ctx, call.Args)
	case statusTool:
		return "This does not hold: it takes a status of COMPLETED or FAILED and an explanation, and COMPLETED needs " +
			"that the last step was.", true, nil
	}
	tc := tool.Call{Name: call.Name, Args: call.Args}
	spec, refusal := c.tools.check(tc, c.task+strings.Join(c.kept, " "))
	if refusal != "" {
		return refusal, true, nil
	}
	said, failed, err = c.made(ctx, tc)
	if err == nil && !failed && spec.Kind == tool.Action {
		c.out.acts = append(c.out.acts, actOf(spec, tc, nil))
	}
	return said, failed, err
}

// made makes a call beside the device.
func (c *conducting) made(ctx context.Context, tc tool.Call) (said string, failed bool, err error) {
	res, err := c.Do(ctx, tc)
	c.out.Calls++
	if ctx.Err() != nil {
		return "", true, fault.Wrap(context.Cause(ctx), "", op)
	}
	if err == nil {
		err = res.Err()
	}
	if err != nil {
		return "failed: " + err.Error(), true, nil
	}
	return clip(res.Text(), 4000), false, nil
}

// step has one step carried out, in a conversation of its own.
func (c *conducting) step(ctx context.Context, args json.RawMessage) (said string, failed bool, err error) {
	var in struct {
		Kind       Kind               `json:"kind"`
		Prompt     string             `json:"prompt"`
		Categories []toolset.Category `json:"categories"`
	}
	if json.Unmarshal(args, &in) != nil || strings.TrimSpace(in.Prompt) == "" || categories[in.Kind] == nil {
		return "refused: " + stepTool + " takes a kind (step, verify or ask) and a prompt", true, nil
	}
	one := *c.inner
	one.done, one.ledger, one.usage, one.idle, one.failures, one.reminder = nil, ledger{}, llm.Usage{}, 0, 0, ""
	one.judgement = nil
	one.answered, one.shown = 0, nil
	one.others = c.out.Inner
	one.others.Add(c.usage)
	if c.judgement != nil {
		one.others.Add(c.judgement.Usage)
	}
	out, err := one.Run(ctx, Objective{Kind: in.Kind, Text: in.Prompt, Categories: in.Categories})
	c.out.Inner.Add(out.Usage)
	c.judgement, c.out.acts = c.judgement.and(out.Judged), append(c.out.acts, one.ledger.acts...)
	c.others = c.out.Inner
	c.out.Calls += out.Calls
	c.out.Saving.Sent += out.Tools.Sent
	c.out.Saving.All += out.Tools.All
	s := TaskStep{Kind: in.Kind, Text: in.Prompt, Categories: in.Categories, Status: out.Status}
	if err != nil {
		s.Status = Failed
	}
	c.out.Steps = append(c.out.Steps, s)
	switch {
	case ctx.Err() != nil:
		return "", true, fault.Wrap(context.Cause(ctx), "", op)
	case err != nil && fault.KindOf(err) != fault.Degraded:
		return "", true, err
	case err != nil:
		return "failed: " + err.Error(), true, nil
	}
	text := string(out.Status) + ": " + out.Text()
	return text, out.Status != Completed, nil
}

// keep has a value remembered, by a call that is recorded as any other: a replay needs the value as well. A name that
// the session began with stays as it is.
func (c *conducting) keep(ctx context.Context, args json.RawMessage) (said string, failed bool, err error) {
	var in struct{ Name, Value string }
	s := c.Registry.For(tool.KeepValue, c.Device.Info().Platform)
	if json.Unmarshal(args, &in) != nil || in.Name == "" || in.Value == "" || c.Memory == nil || s == nil {
		return "refused: " + keepTool + " takes a name and a value", true, nil
	}
	token := "{{memory." + in.Name + "}}"
	if _, taken := c.Memory.Get(in.Name); taken && !slices.Contains(c.kept, token) || c.Memory.IsSecret(in.Name) {
		return "refused: there is a value " + in.Name + " already; take another name", true, nil
	}
	raw, err := json.Marshal(map[string]string{"variable": in.Name, "value": memory.Escape(in.Value)})
	if err != nil {
		return "", true, fault.Wrap(err, fault.Internal, op)
	}
	if said, failed, err = c.made(ctx, tool.Call{Name: s.Name, Args: raw}); failed || err != nil {
		return said, failed, err
	}
	c.kept = append(c.kept, token)
	return "kept as " + token, false, nil
}

// Done is the call by which a model says that the objective is reached, for policies that replace a model.
func Done(explanation string) llm.Call {
	raw, _ := json.Marshal(verdict{Status: Completed, Explanation: explanation}) // two texts
	return llm.Call{Name: statusTool, Args: raw}
}
