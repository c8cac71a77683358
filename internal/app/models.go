package app

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/agent"
	"github.com/trailblaze-dev/trailblaze/internal/agent/llm"
	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/internal/call/toolset"
	"github.com/trailblaze-dev/trailblaze/internal/ground/config"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace/source"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/internal/trails/replay"
	"github.com/trailblaze-dev/trailblaze/screen/identity"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// Models finds the model of a call: the one that the settings of its workspace name, with a key that its client has
// brought, or the model of the client itself. It is safe for concurrent use.
type Models struct {
	Settings func(root string) (*config.Config, error)
	Env      func(string) string          // where keys are; nil: with the client of each call alone
	Keyring  func(provider string) string // nil: none, as in the daemon, whose clients look into theirs
	Named    bool                         // a model that nobody named does not count
	Trust    bool                         // what a project declares is trusted
	Own      *ownServer                   // for the mode in which the agent calls it; nil: its calls stay in the process

	mu   sync.Mutex
	made map[llm.Settings]llm.Model
}

// keys finds the keys that hold for a call.
func (m *Models) keys(ctx context.Context) func(string) string {
	if m.Env != nil {
		return m.Env
	}
	if c := calls.From(ctx); c != nil {
		return c.Key
	}
	return nil
}

// Local returns the model that the settings of a workspace or a key name, nil when there is none. With probe a server
// on this machine counts as well.
func (m *Models) Local(ctx context.Context, root, asked string, probe bool) (llm.Model, *config.Config, error) {
	return m.local(ctx, m.keys(ctx), root, asked, probe)
}

func (m *Models) local(
	ctx context.Context, env func(string) string, root, asked string, probe bool,
) (llm.Model, *config.Config, error) {
	cfg, err := m.Settings(root)
	if err == nil && env != nil {
		cfg, err = cfg.For(env)
	}
	if err != nil {
		return nil, nil, err
	}
	c := llm.Choosing{Asked: asked, Config: cfg.Project.LLM, Env: env, Keyring: m.Keyring, Named: m.Named}
	if c.Asked == "" {
		c.Asked = cfg.String("llm")
	}
	if probe {
		c.Local = llm.LocalModel
	}
	s, ok := llm.Choose(ctx, c)
	if !ok {
		return nil, cfg, nil
	}
	if err := m.trusted(cfg, s.Provider); err != nil {
		return nil, cfg, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if have := m.made[s]; have != nil {
		return have, cfg, nil
	}
	model, err := llm.New(s)
	if err != nil {
		return nil, cfg, err
	}
	if m.made == nil || len(m.made) >= maxMade {
		m.made = map[llm.Settings]llm.Model{}
	}
	m.made[s] = model
	return model, cfg, nil
}

// maxMade bounds the models that are kept, for the pace of each counts its requests.
const maxMade = 256

// Of finds the models of calls in a workspace.
func (m *Models) Of(root string) agent.Source {
	return func(ctx context.Context, asked string) (*agent.Use, error) { return m.use(ctx, root, asked) }
}

// Assist carries out steps of trails that have no recording, or whose recording fails, with the model that asked or the
// settings name; nil when there is none.
func (m *Models) Assist(ctx context.Context, r *Runner, root, asked string) (replay.Assist, error) {
	local, _, err := m.Local(ctx, root, asked, true)
	if err != nil || local == nil {
		return nil, err
	}
	return func(ctx context.Context, s *session.Session, t replay.Task) (int, error) {
		a, err := m.agent(ctx, r, s, root, asked)
		if err != nil {
			return 0, err
		}
		o := agent.Objective{Kind: agent.Act, Text: t.Step.Text, Before: t.Before, Done: t.Done}
		if t.Step.Kind == trail.VerifyStep {
			o.Kind = agent.Verify
		}
		out, err := a.RunTiers(ctx, o)
		if err == nil {
			err = out.Err()
		}
		return out.Calls, err
	}, nil
}

// Find names elements that relocation declines to, with the model that asked or the settings name; nil when there is
// none.
func (m *Models) Find(ctx context.Context, r *Runner, root, asked string) (replay.Find, error) {
	local, _, err := m.Local(ctx, root, asked, true)
	if err != nil || local == nil {
		return nil, err
	}
	return func(ctx context.Context, s *session.Session, step string, was identity.Fingerprint) (string, string, error) {
		a, err := m.agent(ctx, r, s, root, asked)
		if err != nil {
			return "", "", err
		}
		return a.Find(ctx, step, was)
	}, nil
}

// agent is one that works in a session of a run.
func (m *Models) agent(ctx context.Context, r *Runner, s *session.Session, root, asked string) (*agent.Agent, error) {
	use, err := m.use(ctx, root, asked)
	if err != nil {
		return nil, err
	}
	a := agent.Of(use, r.Registry)
	a.About = r.Tools.About
	a.Device, a.Memory, a.Log, a.Actor = s.Device, s.Memory, s.Log, s.Actor
	a.Do = func(ctx context.Context, c tool.Call) (*tool.Result, error) {
		return r.Dispatcher.Call(ctx, s, dispatch.Agent, c)
	}
	return a, nil
}

// one finds one model.
func (m *Models) one(ctx context.Context, root, asked string) (*agent.Use, error) {
	local, cfg, err := m.Local(ctx, root, asked, true)
	strategy, mode := toolset.DefaultStrategy, toolset.DefaultMode
	if c, ok := calls.ClientFrom(ctx); ok {
		st := c.State()
		strategy, mode = st.Strategy, st.Mode.Canonical()
		if mode == toolset.ClientWithSampling {
			strategy = toolset.MCPSampling
		}
	}
	model, by, choice := agent.Choose(strategy, llm.ModelFrom(ctx), local)
	if choice != nil {
		if err != nil {
			return nil, err
		}
		return nil, choice
	}
	use := &agent.Use{Model: model, Strategy: string(by), Transport: string(toolset.InProcess)}
	if mode == toolset.AgentRecursiveMCP && m.Own != nil {
		use.Calls, use.Transport = m.Own.calls, string(toolset.OverHTTP)
	}
	if cfg != nil {
		pictures, _ := cfg.Project.LLM["pictures"].(bool)
		use.Pictures = pictures
		judge, set := cfg.Project.LLM["judge"].(bool)
		use.Unjudged = set && !judge
		use.Limits.Asks = cfg.Int("max-llm-calls")
		use.Limits.Cost = llm.Number(cfg.Project.LLM, "max_cost")
	}
	return use, nil
}

// promptsOf hands tasks to the agent: for each step one call through the hub, as any other.
type promptsOf struct {
	models *Models
	hub    func() *hub.Hub
}

var _ hub.Model = promptsOf{}

// Ready implements hub.Model.
func (t promptsOf) Ready(ctx context.Context, c *clients.Client) bool {
	if llm.ModelFrom(ctx) != nil {
		return true
	}
	env := t.models.Env
	if env == nil {
		env = c.Key
	}
	model, _, err := t.models.local(ctx, env, c.State().Workspace, "", false)
	return err == nil && model != nil
}

// Check implements hub.Model.
func (t promptsOf) Check(ctx context.Context, c *clients.Client, asked string) error {
	_, err := t.models.use(ctx, c.State().Workspace, asked)
	return err
}

// Prompt implements hub.Model.
func (t promptsOf) Prompt(ctx context.Context, c *clients.Client, steps []string) (*tool.Result, error) {
	hb := t.hub()
	s := hb.Tools(c).For(tool.DoStep, "")
	if s == nil {
		return nil, fault.New(fault.Unsupported, "run prompt", "there is no agent here")
	}
	var lines []string
	for i, step := range steps {
		args, err := json.Marshal(map[string]string{"prompt": step})
		if err != nil {
			return nil, fault.Wrap(err, fault.Internal, "run prompt")
		}
		reply, err := hb.Do(ctx, c, calls.Request{Call: tool.Call{Name: s.Name, Args: args}, From: dispatch.Agent})
		if err == nil {
			err = reply.Result.Err()
		}
		if err != nil {
			return nil, fault.New(fault.KindOf(err), "run prompt", "step %d of %d, %q: %w", i+1, len(steps), step, err)
		}
		lines = append(lines, reply.Result.Text())
	}
	return tool.TextResult("%s", strings.Join(lines, "\n")), nil
}

var _ source.Model = completer(nil)

// Ready implements source.Model.
func (c completer) Ready(ctx context.Context) bool {
	_, err := c(ctx, "")
	return err == nil
}

// Complete implements source.Model.
func (c completer) Complete(ctx context.Context, p source.Prompt) (text, model string, err error) {
	use, err := c(ctx, "")
	if err != nil {
		return "", "", err
	}
	r := llm.Request{System: p.System, MaxTokens: int(p.MaxTokens)}
	for _, m := range p.Messages {
		msg := llm.Message{Role: llm.FromUser}
		if m.Role == string(llm.FromModel) {
			msg.Role = llm.FromModel
		}
		if m.Text != "" {
			msg.Parts = append(msg.Parts, llm.Part{Text: m.Text})
		}
		if len(m.Image) > 0 {
			msg.Parts = append(msg.Parts, llm.Part{Image: &llm.Image{MIME: m.MIME, Data: m.Image}})
		}
		r.Messages = append(r.Messages, msg)
	}
	answer, err := use.Model.Generate(ctx, r, nil)
	if err != nil {
		return "", "", err
	}
	return answer.Text, answer.Model, nil
}

// Providers are the servers of models that a project has asked: they see screens, and a key of the variables that the
// project names. Those of the user's own file, a provider's own address with its own key, and this machine without a
// key take no trust.
func Providers(cfg *config.Config) (out []source.Process) {
	for _, name := range slices.Compact(slices.Sorted(slices.Values(cfg.Project.FromProject))) {
		if address, keys := llm.Address(cfg.Project.LLM, name); address != "" {
			p := source.Process{What: "model provider " + name, Place: cfg.WorkspaceFile(), URL: address}
			if len(keys) > 0 {
				p.Headers = map[string]string{"key": "$" + strings.Join(keys, " or $")}
			}
			out = append(out, p)
		}
	}
	return out
}

// trusted refuses to ask a provider that a project declares, before a person has trusted it.
func (m *Models) trusted(cfg *config.Config, provider string) error {
	if m.Trust {
		return nil
	}
	for _, p := range Providers(cfg) {
		if p.What == "model provider "+provider {
			return workspace.Trust{Home: cfg.Home}.Check(cfg.Workspace, p)
		}
	}
	return nil
}
