package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/trailblaze-dev/trailblaze/internal/agent"
	"github.com/trailblaze-dev/trailblaze/internal/cli/drive"
	"github.com/trailblaze-dev/trailblaze/internal/cli/manage"
	"github.com/trailblaze-dev/trailblaze/internal/cli/run"
	"github.com/trailblaze-dev/trailblaze/internal/cli/setup"
	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
)

// newRoot makes the tree of commands. For a command line that names one, it makes only that one: the others would take
// a tenth of the time of a short command.
func newRoot(a *shell.Shell, args ...string) *cobra.Command {
	root := &cobra.Command{
		Use:   "trailblaze",
		Short: "Drive real browsers and devices, and replay what was recorded",
		Long: `Trailblaze drives a real browser from a shell or for a coding agent, records what is done, and saves it
as a trail (a test flow in YAML). It replays recorded trails fast, with evidence for every step, and without a
language model.`,
		Example: `  trailblaze demo                       # a sample shop, its trails and a report
  trailblaze run trails/                # replay every trail of a folder
  trailblaze check trails/              # look for mistakes in trail files

  trailblaze tool web_navigate url=http://localhost:8080 -s "Open the shop"
  trailblaze snapshot                   # what is on the screen, with refs to act on
  trailblaze tool web_click ref=e12 -s "Buy the mug"
  trailblaze session save -t "Buy a mug"`,
		SilenceErrors:              true,
		SuggestionsMinimumDistance: 2,
		SilenceUsage:               true,
		Args:                       shell.NoSuchCommand,
		RunE: func(cmd *cobra.Command, args []string) error {
			if asked, _ := cmd.Flags().GetBool("version"); asked {
				return setup.NewVersion(a).RunE(cmd, args)
			}
			return cmd.Help()
		},
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	root.PersistentFlags().BoolVar(&a.JSON, "json", false, "print one JSON document instead of text")
	root.Flags().Bool("version", false, "print the version")
	root.SetFlagErrorFunc(shell.FlagError)
	root.SetHelpCommand(&cobra.Command{Hidden: true, Use: "no-help", GroupID: "setup"})
	root.AddGroup(
		&cobra.Group{ID: "drive", Title: "Driving a device:"},
		&cobra.Group{ID: "trails", Title: "Trails:"},
		&cobra.Group{ID: "results", Title: "Results:"},
		&cobra.Group{ID: "setup", Title: "Set-up:"},
	)
	only := wanted(args)
	for _, c := range commands() {
		if only == "" || c.name == only {
			root.AddCommand(c.make(a))
		}
	}
	if only == "" { // it may be a shell that completes a line
		shell.OfferSettings(root)
	}
	a.Root = func() *cobra.Command {
		if only == "" {
			return root
		}
		all := *a
		return newRoot(&all)
	}
	addExitHelp(root)
	return root
}

// command is a command by its name, made when it is needed.
type command struct {
	name string
	make func(*shell.Shell) *cobra.Command
}

// commands lists every command.
func commands() []command {
	return []command{
		{"snapshot", drive.NewSnapshot},
		{"tool", drive.NewTool},
		{agent.StepTool, objective(agent.StepTool)},
		{agent.VerifyTool, objective(agent.VerifyTool)},
		{agent.AskTool, objective(agent.AskTool)},
		{"device", manage.NewDevice},
		{"status", manage.NewStatus},
		{"cancel", manage.NewCancel},
		{"mcp", setup.NewMCP},
		{"run", run.NewRun},
		{"check", run.NewCheck},
		{"import", run.NewImport},
		{"schema", setup.NewSchema},
		{"bundle", run.NewBundle},
		{"record", run.NewRecord},
		{"demo", run.NewDemo},
		{"eval", run.NewEval},
		{"toolbox", drive.NewToolbox},
		{"session", manage.NewSession},
		{"trace", manage.NewTrace},
		{"heal", run.NewHeal},
		{"report", run.NewReport},
		{"app", manage.NewApp},
		{"daemon", manage.NewDaemon},
		{"api", drive.NewAPI},
		{"browser", setup.NewBrowser},
		{"phone", setup.NewPhone},
		{"config", setup.NewConfig},
		{"trust", setup.NewTrust},
		{"skill", setup.NewSkill},
		{"doctor", setup.NewDoctor},
		{"version", setup.NewVersion},
		{"upgrade", setup.NewUpgrade},
		{"completion", setup.NewCompletion},
	}
}

func objective(tool string) func(*shell.Shell) *cobra.Command {
	return func(a *shell.Shell) *cobra.Command { return drive.NewObjective(a, tool) }
}

// wanted is the command that a command line names, and "" when that is not certain.
func wanted(args []string) string {
	for _, arg := range args {
		if arg == "--" {
			return ""
		}
		if !strings.HasPrefix(arg, "-") { // no flag before a command takes a value of its own
			if slices.ContainsFunc(commands(), func(c command) bool { return c.name == arg }) {
				return arg
			}
			return ""
		}
	}
	return ""
}

// addExitHelp puts the exit statuses under every help text. A template would make the whole program a tenth larger: the
// linker keeps every exported method for one.
func addExitHelp(root *cobra.Command) {
	root.SetHelpFunc(func(c *cobra.Command, _ []string) {
		text := cmp.Or(c.Long, c.Short)
		if text = strings.TrimRightFunc(text, unicode.IsSpace); text != "" {
			text += "\n\n"
		}
		if c.Runnable() || c.HasSubCommands() {
			text += c.UsageString()
		}
		_, _ = fmt.Fprintln(c.OutOrStdout(), text+"\n"+shell.ExitHelp)
	})
}
