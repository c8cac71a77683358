package setup

import (
	"bytes"
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
)

type completionCmd struct {
	*shell.Shell
	root func() *cobra.Command
}

type completionDoc struct {
	Schema string `json:"schema"`
	Shell  string `json:"shell"`
	Script string `json:"script"`
}

// NewCompletion makes the command trailblaze completion.
func NewCompletion(a *shell.Shell) *cobra.Command {
	c := &completionCmd{Shell: a}
	cmd := &cobra.Command{
		Use: "completion bash|zsh|fish|powershell", Short: "Print a shell completion script", GroupID: "setup",
		Example: `  source <(trailblaze completion bash)
  trailblaze completion zsh > "${fpath[1]}/_trailblaze"
  trailblaze completion fish > ~/.config/fish/completions/trailblaze.fish`,
		Args:      shell.Exactly(1, "one shell: bash, zsh, fish or powershell"),
		ValidArgs: []string{"bash", "zsh", "fish", "powershell"},
		RunE:      shell.Work(c.Run),
	}
	c.root = cmd.Root
	return cmd
}

// Run prints the script for one shell.
func (c *completionCmd) Run(_ context.Context, args []string) error {
	var b bytes.Buffer
	if err := c.script(&b, args[0]); err != nil {
		return err
	}
	if c.JSON {
		return c.PrintJSON(completionDoc{Schema: "trailblaze.completion/1", Shell: args[0], Script: b.String()})
	}
	c.Printf("%s", b.String())
	return nil
}

func (c *completionCmd) script(w io.Writer, shell string) error {
	switch root := c.root(); shell {
	case "bash":
		return root.GenBashCompletionV2(w, true)
	case "zsh":
		return root.GenZshCompletion(w)
	case "fish":
		return root.GenFishCompletion(w, true)
	case "powershell":
		return root.GenPowerShellCompletionWithDesc(w)
	}
	return fault.New(fault.Invalid, "read command line", "unknown shell %q", shell).
		WithHint("Name one of bash, zsh, fish, powershell.")
}
