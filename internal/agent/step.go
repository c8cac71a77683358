package agent

import (
	"cmp"
	"context"
	"embed"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/agent/llm"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/descriptions"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/tool"
)

//go:embed *.md
var texts embed.FS

// Use is the model of a call, and how it is to be used.
type Use struct {
	Model     llm.Model
	Strategy  string
	Transport string
	Pictures  bool
	Limits    Limits
	Unjudged  bool // the judge is off
	Outer     *Use // the model that plans; nil: one model does all

	About func(*memory.Store) string // what the project says of the app under test of a session; nil: nothing

	// Calls begins to make the calls of an objective in another way; nil: in this process. end ends that.
	Calls func(ctx context.Context, env tool.Env) (do Executor, end func(), err error)
}

// Executor makes the calls of an agent.
type Executor func(ctx context.Context, c tool.Call) (*tool.Result, error)

// Source finds the model for the call that ctx belongs to. asked is the model that the call names, "" for none. An
// error says what to configure.
type Source func(ctx context.Context, asked string) (*Use, error)

// stepTime bounds one objective.
const stepTime = 15 * time.Minute

// The names of the tools, for the commands of the shell.
const (
	StepTool   = "step"
	VerifyTool = "verify"
	AskTool    = "ask"
)

var set = descriptions.Set{Files: texts, Category: "AGENT_STEPS"}

// Tools are step, verify and ask, and those that ask one question.
func Tools(from Source) []tool.Tool {
	return append([]tool.Tool{
		objectiveTool(from, StepTool, 20, "Carry out a step", Act, tool.Action, func(in actIn) (stepIn, bool) {
			return in.stepIn, in.Plan
		}),
		objectiveTool(from, VerifyTool, 21, "Check a statement", Verify, tool.Assertion, answerAtOnce),
		objectiveTool(from, AskTool, 22, "Ask about the screen", Ask, tool.Query, answerAtOnce),
	}, aiTools(from)...)
}

func answerAtOnce(in stepIn) (stepIn, bool) { return in, false }

type stepIn struct {
	Prompt string `json:"prompt" jsonschema:"the objective in plain language, one thing" minLength:"1"`
	Model  string `json:"llm,omitempty" jsonschema:"model to ask: provider/model; default: that of the settings"`
}

type actIn struct {
	stepIn
	Plan bool `json:"plan,omitempty" jsonschema:"say which calls would be made first, on what and at what risk, and make none"`
}

// host is the environment of a call beyond tool.Env.
type host interface {
	Delegate(ctx context.Context, c tool.Call) (*tool.Result, error)
	Log() *event.Log
	Registry() *tool.Registry
}

// objectiveTool makes a tool. read takes the objective out of its arguments, and whether it is only to be planned.
func objectiveTool[In any](from Source, name string, place int, title string, kind Kind, as tool.Kind,
	read func(In) (stepIn, bool),
) tool.Tool {
	s := set.Of(as).Any(name, title).With(tool.Facts{
		Default: place, Unlisted: []string{"llm"}, Effects: &tool.Effects{CallsTools: true}, Verbatim: true,
		Purpose: purposes[kind],
		Sentence: func(p tool.Phrase) string {
			if p.Args["plan"] == true { // no step of the session
				return ""
			}
			return p.Plain("prompt")
		},
	})
	s.Delegating, s.Recordable, s.NeedsModel, s.Timeout = true, false, true, stepTime
	return tool.Define(s, func(ctx context.Context, env tool.Env, args In) (*Outcome, error) {
		in, plan := read(args)
		h, ok := env.(host)
		switch {
		case from == nil || !ok:
			return nil, fault.New(fault.Unsupported, op, "there is no model here").WithHint("Call it through the daemon.")
		case strings.TrimSpace(in.Prompt) == "":
			return nil, fault.New(fault.Invalid, op, "the objective is blank")
		case env.Device() == nil:
			return nil, fault.New(fault.Unsupported, op, "there is no device").WithHint("Connect one first.")
		}
		use, err := from(ctx, in.Model)
		if err != nil {
			return nil, err
		}
		a := Of(use, h.Registry())
		a.Device, a.Memory, a.Do, a.Log = env.Device(), env.Memory(), h.Delegate, h.Log()
		if use.Calls != nil {
			do, end, err := use.Calls(ctx, env)
			if err != nil {
				return nil, err
			}
			defer end()
			a.Do = do
		}
		spent := a.Log.Spending()
		out, err := a.RunTiers(ctx, Objective{Kind: kind, Text: in.Prompt, Plan: plan})
		price := spent()
		if err != nil {
			return nil, priced(err, price)
		}
		return out, priced(out.Err(), price)
	})
}

// priced returns err with what the questions to the model took among its attempts.
func priced(err error, p *event.Price) error {
	if err == nil || p == nil {
		return err
	}
	var d fault.Detail
	if was := fault.DetailOf(err); was != nil {
		d = *was
	}
	d.Log = append(slices.Clone(d.Log), p.String())
	return (&fault.Error{Kind: fault.KindOf(err), Op: op, Err: err}).WithDetail(d)
}

var purposes = map[Kind]tool.Purpose{Act: tool.DoStep, Verify: tool.CheckStep, Ask: tool.AnswerQuestion}

// Of is an agent that uses a model; its caller fills in the device and the session.
func Of(u *Use, reg *tool.Registry) *Agent {
	return &Agent{Model: u.Model, Registry: reg, Pictures: u.Pictures, Transport: u.Transport, Strategy: u.Strategy,
		Limits: u.Limits, Unjudged: u.Unjudged, Outer: u.Outer, About: u.About}
}

// Err is the failure of an objective that was not reached.
func (o *Outcome) Err() error {
	if o.Status == Completed || o.Status == InProgress {
		return nil
	}
	kind, but := fault.Assertion, ""
	if o.Unproven {
		kind, but = fault.Degraded, ", and nothing that it did shows it"
	}
	return fault.New(kind, op, "the model says that it cannot be reached%s: %s", but, o.Explanation).
		WithHint("After %s. Look at the screen, and word the objective by what is there.", phrase.Count(o.Calls, "call"))
}

// Text implements tool.Texter.
func (o *Outcome) Text() string {
	var b strings.Builder
	if o.Answer != "" {
		return o.Answer
	}
	b.WriteString(o.Explanation)
	for i, c := range o.Plan {
		b.WriteString(c.text(i + 1))
	}
	for _, c := range o.Checks {
		fmt.Fprintf(&b, "\nchecked: %s", c)
	}
	if o.Judged != nil {
		fmt.Fprintf(&b, "\njudge: %s: %s", o.Judged.Ruling, o.Judged.Why)
	}
	for _, s := range o.Steps {
		fmt.Fprintf(&b, "\n%s: %s (%s)", s.Kind, s.Text, s.Status)
	}
	fmt.Fprintf(&b, "\n(%s, %s of %s, %d+%d tokens", phrase.Count(o.Calls, "call"),
		phrase.Count(o.Usage.Calls, "answer"), cmp.Or(o.Model, "the model"), o.Usage.Input, o.Usage.Output)
	if o.Usage.Cost > 0 {
		fmt.Fprintf(&b, ", $%.4f", o.Usage.Cost)
	}
	if o.Judged != nil {
		u := o.Judged.Usage
		fmt.Fprintf(&b, "; of the judge %s, %d+%d tokens", phrase.Count(u.Calls, "answer"), u.Input, u.Output)
		if u.Cost > 0 {
			fmt.Fprintf(&b, ", $%.4f", u.Cost)
		}
	}
	if p := o.Tools.Percent(); p > 0 {
		fmt.Fprintf(&b, ", %d %% of the tokens of tools saved", p)
	}
	b.WriteString(")")
	return b.String()
}

// Fixed is always the same model.
func Fixed(u *Use) Source { return func(context.Context, string) (*Use, error) { return u, nil } }
