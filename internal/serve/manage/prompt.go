package manage

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/agent/llm"
	"github.com/trailblaze-dev/trailblaze/tool"
)

const promptTimeout = time.Hour // an agent at work

func (d *manager) prompts() []tool.Tool {
	s := lasting(spec("runPrompt", "Run prompt", tool.Action, "session").With(tool.Facts{
		Categories: []string{"SESSION", "AGENT"}, Purpose: tool.RunTask, Effects: &tool.Effects{CallsTools: true},
	}), promptTimeout)
	s.NeedsModel = true
	return []tool.Tool{tool.Define(s, d.runPrompt)}
}

type promptIn struct {
	Steps  []string `json:"steps,omitempty" jsonschema:"what to do, one thing each, in plain language"`
	Prompt string   `json:"prompt,omitempty" jsonschema:"instead of steps: all of it in one"`
}

// runPrompt hands a task to the configured model. Without one it names the settings that would give one, and the tools
// that work without.
func (d *manager) runPrompt(ctx context.Context, _ tool.Env, in promptIn) (*tool.Result, error) {
	const op = "run prompt"
	s, err := callerOf(ctx)
	if err != nil {
		return nil, err
	}
	steps := slices.DeleteFunc(append(in.Steps, in.Prompt), func(s string) bool { return strings.TrimSpace(s) == "" })
	if len(steps) == 0 {
		return nil, missing(op, "steps", `["Log in as Ada", "Buy a lamp"]`)
	}
	model := d.hub.Model(ctx, s)
	if model == nil {
		return nil, fault.New(fault.Unsupported, op, "this takes a language model, and none is configured").
			WithHint("%s", noModel())
	}
	return model.Prompt(ctx, s, steps)
}

// noModel lists the settings that would give a model, and the tools that work without.
func noModel() string {
	return `Name one under llm: in trails/config/trailblaze.yaml, or set a provider's key (one of ` +
		strings.Join(llm.KeyVariables(), ", ") + `) in the environment of this client. Without a model use the mode ` +
		`MCP_CLIENT_AS_AGENT, in which you decide and these tools act: setMode {"mode": "MCP_CLIENT_AS_AGENT"}. Recorded ` +
		`trails run in every mode: trail {"action": "RUN"}.`
}
