package drive

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/agent"
	"github.com/trailblaze-dev/trailblaze/internal/agent/llm"
	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
)

// objectiveCmd are the options of step, verify and ask.
type objectiveCmd struct {
	Command
	tool string
	llm  string
	plan bool
}

// helps are the help texts of the commands.
var helps = map[string][3]string{
	agent.StepTool: {"Carry out a step in plain language, with a language model",
		`Hand a step in plain language to a language model, which looks at the screen and makes the calls. They are recorded;
session save makes a trail of them that replays without a model.

With --plan nothing is done: it tells the calls that would be made first, the elements they are for, what on the screen
comes nearest to those, and how far each call may reach (low: it only looks; medium: it acts on the page or opens
another; high: it reaches beyond the page, or may lose data).`,
		`  trailblaze step "Add two mugs to the basket"
  trailblaze step "Sign in as ada with {{memory.password}}" --llm anthropic/claude-sonnet-4-6
  trailblaze step --plan "Cancel my order"`},
	agent.VerifyTool: {"Check a statement about the screen, with a language model",
		`Have a language model check a statement with assertions. It may look and not act, and passes only when assertions
passed. They are recorded.`, `  trailblaze verify "The basket holds two mugs"`},
	agent.AskTool: {"Ask a question about the screen, with a language model",
		`Have a language model answer a question from what the screen shows. Nothing is recorded.`,
		`  trailblaze ask "What does shipping cost?"`},
}

// NewObjective makes the command trailblaze step, verify or ask, by the tool that it calls.
func NewObjective(a *shell.Shell, tool string) *cobra.Command {
	c, help := &objectiveCmd{Command: Command{Shell: a}, tool: tool}, helps[tool]
	cmd := &cobra.Command{
		Use: tool + " <words>...", Short: help[0], GroupID: "drive", Example: help[2], RunE: shell.Work(c.Run),
		Long: help[1] + `

The model is that of --llm, of the setting llm, or of the first provider whose key is in the environment:
` + strings.Join(llm.KeyVariables(), ", ") + `;
else an Ollama on this machine.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if strings.TrimSpace(strings.Join(args, "")) == "" {
				return shell.Misuse(cmd, "expected the objective in plain language")
			}
			return nil
		},
	}
	c.DeviceFlag(cmd)
	cmd.Flags().StringVar(&c.llm, "llm", "", "`model` to ask: provider/model, or a provider")
	if tool == agent.StepTool {
		cmd.Flags().BoolVar(&c.plan, "plan", false, "tell what would be done, on what and at what risk, and do nothing")
	}
	c.tokensFlag(cmd)
	c.timeoutFlag(cmd)
	return cmd
}

// Run makes the call.
func (c *objectiveCmd) Run(ctx context.Context, args []string) error {
	text := strings.Join(args, " ")
	c.asked = cmp.Or(c.llm, c.Getenv("TRAILBLAZE_LLM"))
	fields := map[string]any{"prompt": text, "llm": c.asked}
	if c.intent = text; c.plan {
		fields["plan"], c.intent = true, ""
	}
	raw, err := json.Marshal(fields)
	if err != nil {
		return fault.Wrap(err, fault.Invalid, fmt.Sprintf("read %s", c.tool))
	}
	reply, err := c.call(ctx, &pb.CallToolRequest{Name: c.tool, ArgsJson: string(raw)})
	if err != nil {
		return err
	}
	return c.show(reply)
}
