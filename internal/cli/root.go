package cli

import (
	"github.com/spf13/cobra"

	"github.com/trailblaze-dev/trailblaze/internal/agent"
	"github.com/trailblaze-dev/trailblaze/internal/cli/drive"
	"github.com/trailblaze-dev/trailblaze/internal/cli/manage"
	"github.com/trailblaze-dev/trailblaze/internal/cli/run"
	"github.com/trailblaze-dev/trailblaze/internal/cli/setup"
	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
)

func newRoot(a *shell.Shell) *cobra.Command {
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
		RunE:                       func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		CompletionOptions:          cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	root.PersistentFlags().BoolVar(&a.JSON, "json", false, "print one JSON document instead of text")
	root.SetFlagErrorFunc(shell.FlagError)
	root.SetHelpCommand(&cobra.Command{Hidden: true, Use: "no-help", GroupID: "setup"})
	root.AddGroup(
		&cobra.Group{ID: "drive", Title: "Driving a device:"},
		&cobra.Group{ID: "trails", Title: "Trails:"},
		&cobra.Group{ID: "results", Title: "Results:"},
		&cobra.Group{ID: "setup", Title: "Set-up:"},
	)
	a.Root = root
	for _, c := range commands(a) {
		root.AddCommand(c)
	}
	addExitHelp(root)
	return root
}

// commands lists every command.
func commands(a *shell.Shell) []*cobra.Command {
	return []*cobra.Command{
		drive.NewSnapshot(a),
		drive.NewTool(a),
		drive.NewObjective(a, agent.StepTool),
		drive.NewObjective(a, agent.VerifyTool),
		drive.NewObjective(a, agent.AskTool),
		manage.NewDevice(a),
		manage.NewStatus(a),
		manage.NewCancel(a),
		setup.NewMCP(a),
		run.NewRun(a),
		run.NewCheck(a),
		run.NewDemo(a),
		run.NewEval(a),
		drive.NewToolbox(a),
		manage.NewSession(a),
		manage.NewTrace(a),
		run.NewHeal(a),
		run.NewReport(a),
		manage.NewDaemon(a),
		drive.NewAPI(a),
		setup.NewBrowser(a),
		setup.NewConfig(a),
		setup.NewTrust(a),
		setup.NewSkill(a),
		setup.NewDoctor(a),
		setup.NewVersion(a),
		setup.NewCompletion(a),
	}
}

// addExitHelp puts the exit statuses under every help text.
func addExitHelp(root *cobra.Command) {
	root.SetHelpTemplate("{{with (or .Long .Short)}}{{. | trimTrailingWhitespaces}}\n\n{{end}}" +
		"{{if or .Runnable .HasSubCommands}}{{.UsageString}}{{end}}\n" + shell.ExitHelp + "\n")
}
