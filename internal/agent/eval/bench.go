package eval

import (
	"context"
	"fmt"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/agent"
	"github.com/trailblaze-dev/trailblaze/internal/agent/llm"
	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// Bench runs tasks. Its fields are set before the first run.
type Bench struct {
	Dispatcher *dispatch.Dispatcher
	Registry   *tool.Registry
	// Open opens a session on a fresh device; end ends both.
	Open    func(ctx context.Context, title string) (s *session.Session, end func(event.Outcome), err error)
	Repeat  int             // how often each contender tries each task; default 1
	Timeout time.Duration   // of one try; default 5 minutes
	Observe func(r *Result) // may be nil
}

// Verdict is the result of a try.
type Verdict string

// The verdicts. Right and FalsePass are those in which the agent said that it is done.
const (
	Right     Verdict = "right"     // and the checker agrees
	FalsePass Verdict = "falsePass" // and the checker does not
	GaveUp    Verdict = "gaveUp"    // the agent said that it cannot be done, or ended without a word
	Broken    Verdict = "broken"    // the task could not be begun, or its model not be asked
)

// Result is one try of a task.
type Result struct {
	Task      string         `json:"task"`
	Tier      string         `json:"tier"`
	Try       int            `json:"try"` // from 1
	Model     string         `json:"model,omitempty"`
	Goal      string         `json:"goal"`
	Verdict   Verdict        `json:"verdict"`
	Reached   bool           `json:"reached"` // the checker passes, whatever the agent said
	Said      string         `json:"said,omitempty"`
	Checker   string         `json:"checker,omitempty"` // why it does not pass
	Failure   *fault.Failure `json:"failure,omitempty"` // of the agent, or of the start
	Calls     int            `json:"toolCalls"`
	Usage     llm.Usage      `json:"usage"`
	Outer     *llm.Usage     `json:"outer,omitempty"`      // the part of it of the outer agent
	Saved     int            `json:"toolsSaved,omitempty"` // per cent of the tokens of all tools, by categories
	Estimated bool           `json:"estimated,omitempty"`  // tokens are counted here, four bytes each
	Seconds   float64        `json:"seconds"`              // from the first question to the last answer
	Session   string         `json:"session,omitempty"`
}

// Run has each contender try each task. It returns the tries until ctx ended.
func (b *Bench) Run(ctx context.Context, tasks []Task, contenders []Contender) []*Result {
	var out []*Result
	for _, c := range contenders {
		for _, t := range tasks {
			for try := 1; try <= max(b.Repeat, 1) && ctx.Err() == nil; try++ {
				r := b.try(ctx, t, c, try)
				if ctx.Err() != nil {
					return out
				}
				out = append(out, r)
				if b.Observe != nil {
					b.Observe(r)
				}
			}
		}
	}
	return out
}

const tryTime = 5 * time.Minute

func (b *Bench) try(ctx context.Context, t Task, c Contender, try int) *Result {
	limit := b.Timeout
	if limit <= 0 {
		limit = tryTime
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit,
		fault.New(fault.Timeout, op, "the task took longer than %s", limit))
	defer cancel()
	r := &Result{Task: t.ID, Tier: c.Name, Try: try, Goal: t.Goal, Verdict: Broken}
	s, end, err := b.Open(ctx, t.ID)
	if err != nil {
		r.Failure = fault.FailureOf(err)
		return r
	}
	r.Session = s.ID
	b.play(ctx, s, t, c, r)
	end(map[Verdict]event.Outcome{Right: event.Passed, FalsePass: event.Failed, GaveUp: event.Failed}[r.Verdict])
	return r
}

// play has a task tried in a session, and checked.
func (b *Bench) play(ctx context.Context, s *session.Session, t Task, c Contender, r *Result) {
	use, err := c.use(ctx, t)
	if err != nil {
		r.Failure = fault.FailureOf(err)
		return
	}
	r.Model, r.Estimated = use.Model.Name(), c.Use == nil
	if err = b.calls(ctx, s, t.Start); err != nil {
		r.Failure = fault.FailureOf(err)
		return
	}
	var ep *episode
	if t.Page != "" {
		if ep, r.Goal, err = begin(ctx, s.Device, t.Page, r.Try); err != nil {
			r.Failure = fault.FailureOf(err)
			return
		}
	}
	began := time.Now()
	done, err := b.agent(ctx, s, use, c, ep, r)
	r.Seconds = time.Since(began).Seconds()
	r.Failure = fault.FailureOf(err)
	if err = b.check(ctx, s, t, ep); err != nil {
		r.Checker = err.Error()
	}
	r.Reached = err == nil
	switch {
	case done && r.Reached:
		r.Verdict = Right
	case done:
		r.Verdict = FalsePass
	case r.Usage.Calls > 0:
		r.Verdict = GaveUp
	}
}

// agent works on the goal, and reports whether the model claims to have reached it.
func (b *Bench) agent(
	ctx context.Context, s *session.Session, use *agent.Use, c Contender, ep *episode, r *Result,
) (bool, error) {
	a := agent.Of(use, b.Registry)
	a.Unjudged = true // the checker judges
	a.Device, a.Memory, a.Log = s.Device, s.Memory, s.Log
	a.Do = func(ctx context.Context, c tool.Call) (*tool.Result, error) {
		res, err := b.Dispatcher.Call(ctx, s, dispatch.Agent, c)
		if ep != nil {
			_ = ep.look(ctx) // the checker looks again, and tells
		}
		return res, err
	}
	if c.Outer != nil {
		return b.outer(ctx, c, a, r)
	}
	out, err := a.Run(ctx, agent.Objective{Kind: agent.Act, Text: r.Goal})
	r.Calls, r.Usage, r.Said = out.Calls, out.Usage, out.Explanation
	if out.Model != "" {
		r.Model = out.Model
	}
	return err == nil && out.Status == agent.Completed, err
}

// outer has a model plan the goal, and hand out steps of it.
func (b *Bench) outer(ctx context.Context, c Contender, a *agent.Agent, r *Result) (bool, error) {
	use, err := c.Outer(ctx)
	if err != nil {
		return false, err
	}
	out, err := (&agent.Outer{Use: use, Inner: a, Registry: b.Registry}).Run(ctx, r.Goal)
	r.Calls, r.Said, r.Outer, r.Saved = out.Calls, out.Explanation, &out.Outer, out.Saving.Percent()
	r.Usage = out.Outer
	r.Usage.Add(out.Inner)
	return err == nil && out.Status == agent.Completed, err
}

// check asks the checker.
func (b *Bench) check(ctx context.Context, s *session.Session, t Task, ep *episode) error {
	if ep != nil {
		if err := ep.look(ctx); err != nil {
			return err
		}
		return ep.err()
	}
	return b.calls(ctx, s, t.Check)
}

// calls makes calls as the command line would.
func (b *Bench) calls(ctx context.Context, s *session.Session, calls []trail.Recorded) error {
	for _, c := range calls {
		res, err := b.Dispatcher.Call(ctx, s, dispatch.CLI, c.Call)
		if err == nil {
			err = res.Err()
		}
		if err != nil {
			return fmt.Errorf("line %d: %s: %w", c.Pos.Line, c.Name, err)
		}
	}
	return nil
}

func (c Contender) use(ctx context.Context, t Task) (*agent.Use, error) {
	if c.Use != nil {
		return c.Use(ctx)
	}
	if t.Script == nil {
		return nil, fault.New(fault.Invalid, op, "the task %s has no script", t.ID).WithHint("Name a model with --llm.")
	}
	return &agent.Use{Model: &script{calls: t.Script}, Strategy: Scripted}, nil
}

// script is the policy of a task in place of a model: each call is an answer, and the last says that it is done.
type script struct {
	calls []trail.Recorded
	next  int
}

var _ llm.Model = (*script)(nil)

// Name implements llm.Model.
func (s *script) Name() string { return Scripted }

// Generate implements llm.Model. The tokens are counted as a snapshot's are.
func (s *script) Generate(_ context.Context, r llm.Request, _ func(string)) (*llm.Response, error) {
	call := agent.Done("The script of the task has ended.")
	if s.next < len(s.calls) {
		c := s.calls[s.next]
		call = llm.Call{Name: c.Name, Args: c.Args}
	}
	s.next++
	call.ID = fmt.Sprintf("call_%d", s.next)
	return &llm.Response{Calls: []llm.Call{call}, Stop: llm.Calling, Model: Scripted,
		Usage: llm.Usage{Calls: 1, Input: r.Tokens(), Output: llm.Tokens(call.Name + string(call.Args))}}, nil
}
