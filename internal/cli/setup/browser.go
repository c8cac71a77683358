package setup

import (
	"bufio"
	"context"
	"errors"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/launch"
	"github.com/trailblaze-dev/trailblaze/internal/ground/config"
	"github.com/trailblaze-dev/trailblaze/internal/ground/proc"
)

type browserCmd struct {
	*shell.Shell
	cfg *config.Config
	yes bool
}

type browserDoc struct {
	Schema   string     `json:"schema"`
	Path     string     `json:"path"`
	Commands [][]string `json:"commands,omitempty"` // that were run
}

// NewBrowser makes the command trailblaze browser.
func NewBrowser(a *shell.Shell) *cobra.Command {
	c := &browserCmd{Shell: a}
	with := func(run shell.Runner) func(*cobra.Command, []string) error {
		return func(cmd *cobra.Command, args []string) (err error) {
			if c.cfg, err = a.Settings(cmd); err != nil {
				return err
			}
			return run(cmd.Context(), args)
		}
	}
	path := &cobra.Command{
		Use: "path", Short: "Print the path of the browser that will be used", Args: shell.Exactly(0, "no arguments"),
		Example: "  trailblaze browser path", RunE: with(c.path),
	}
	install := &cobra.Command{
		Use: "install", Short: "Install a browser with the system's package manager", Args: shell.Exactly(0, "no arguments"),
		Long: `Install a browser with the system's package manager (apt, dnf, pacman, zypper, apk, snap, brew or
winget). The command is shown first, and run when you agree. Nothing is installed when a browser is there
already.`,
		Example: "  trailblaze browser install\n  trailblaze browser install --yes", RunE: with(c.install),
	}
	install.Flags().BoolVarP(&c.yes, "yes", "y", false, "do not ask")
	return shell.Parent("browser", "Find or install the browser", "setup", path, install)
}

func (c *browserCmd) path(context.Context, []string) error {
	p, err := launch.Find(c.cfg.String("browser"))
	if err != nil {
		return err
	}
	if c.JSON {
		return c.PrintJSON(browserDoc{Schema: "trailblaze.browser/1", Path: p})
	}
	c.Printf("%s\n", p)
	return nil
}

func (c *browserCmd) install(ctx context.Context, _ []string) error {
	if p, err := launch.Find(c.cfg.String("browser")); err == nil {
		if c.JSON {
			return c.PrintJSON(browserDoc{Schema: "trailblaze.browser/1", Path: p})
		}
		c.Printf("There is one already: %s\n", p)
		return nil
	}
	commands, err := thisMachine().installCommands()
	if err != nil {
		return err
	}
	if ok, err := c.agree(commands); err != nil || !ok {
		return err
	}
	for _, cmd := range commands {
		// Progress goes to standard error: standard output may be read by a program.
		if err := proc.Run(ctx,
			proc.Spec{Path: cmd[0], Args: cmd[1:], Stdin: c.In, Stdout: c.Err, Stderr: c.Err}); err != nil {
			return fault.Wrap(err, fault.Unavailable, "install browser: "+strings.Join(cmd, " "))
		}
	}
	p, err := launch.Find(c.cfg.String("browser"))
	if err != nil {
		return err
	}
	if c.JSON {
		return c.PrintJSON(browserDoc{Schema: "trailblaze.browser/1", Path: p, Commands: commands})
	}
	c.Printf("Installed: %s\n", p)
	return nil
}

// agree shows the commands and asks, unless --yes was given.
func (c *browserCmd) agree(commands [][]string) (bool, error) {
	for _, cmd := range commands {
		c.Errorf("  %s\n", strings.Join(cmd, " "))
	}
	if c.yes {
		return true, nil
	}
	if !c.Ask {
		return false, fault.New(fault.Invalid, "install browser", "nobody can be asked here").
			WithHint("Run the command above, or add --yes.")
	}
	c.Errorf("Run this? [y/N] ")
	answer, err := bufio.NewReader(c.In).ReadString('\n')
	if err != nil && !errors.Is(err, os.ErrClosed) && answer == "" {
		return false, nil //nolint:nilerr // no answer is a no
	}
	answer = strings.ToLower(strings.TrimSpace(answer))
	return answer == "y" || answer == "yes", nil
}
