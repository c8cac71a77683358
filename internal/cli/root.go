package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// app is what all commands share: the streams and the flags every command has.
type app struct {
	Streams
	json   bool
	daemon caller // instead of the one that would be found; tests set it
}

// runner is the work of a command, apart from the parsing of its options.
type runner func(ctx context.Context, args []string) error

func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "trailblaze",
		Short: "Drive real browsers and devices, and replay what was recorded",
		Long: `Trailblaze drives a real browser from a shell or for a coding agent, records what is done, and saves it as a trail (a test
flow in YAML). It replays recorded trails fast, with evidence for every step, and without a language model.`,
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
		Args:                       noSuchCommand,
		RunE:                       func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		CompletionOptions:          cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	root.PersistentFlags().BoolVar(&a.json, "json", false, "print one JSON document instead of text")
	root.SetFlagErrorFunc(flagError)
	root.SetHelpCommand(&cobra.Command{Hidden: true, Use: "no-help", GroupID: "setup"})
	root.AddGroup(
		&cobra.Group{ID: "drive", Title: "Driving a device:"},
		&cobra.Group{ID: "trails", Title: "Trails:"},
		&cobra.Group{ID: "results", Title: "Results:"},
		&cobra.Group{ID: "setup", Title: "Set-up:"},
	)
	for _, c := range commands(a) {
		root.AddCommand(c)
	}
	addExitHelp(root)
	return root
}

// commands lists every command.
func commands(a *app) []*cobra.Command {
	return []*cobra.Command{
		newSnapshot(a),
		newTool(a),
		newDevice(a),
		newStatus(a),
		newCancel(a),
		newMCP(a),
		newRun(a),
		newCheck(a),
		newDemo(a),
		newToolbox(a),
		newSession(a),
		newReport(a),
		newDaemon(a),
		newBrowser(a),
		newConfig(a),
		newSkill(a),
		newDoctor(a),
		newVersion(a),
		newCompletion(a),
	}
}

// addExitHelp puts the exit statuses under every help text.
func addExitHelp(root *cobra.Command) {
	root.SetHelpTemplate("{{with (or .Long .Short)}}{{. | trimTrailingWhitespaces}}\n\n{{end}}" +
		"{{if or .Runnable .HasSubCommands}}{{.UsageString}}{{end}}\n" + exitHelp + "\n")
}

// parent makes a command that only holds others.
func parent(use, short, group string, children ...*cobra.Command) *cobra.Command {
	c := &cobra.Command{
		Use: use, Short: short, GroupID: group, Args: noSuchCommand, SuggestionsMinimumDistance: 2,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	c.AddCommand(children...)
	return c
}

// work adapts a runner to cobra.
func work(run runner) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error { return run(cmd.Context(), args) }
}

// noSuchCommand refuses what is not a subcommand, naming the nearest ones.
func noSuchCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	err := fault.New(fault.Invalid, "read command line", "%q is not a command of %s", args[0], cmd.CommandPath())
	if reg, broken := wholeRegistry(); broken == nil && !cmd.HasParent() {
		if _, ok := reg.Get(args[0]); ok {
			return err.WithHint("It is a tool: trailblaze tool %s", strings.Join(args, " "))
		}
	}
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		return err.WithHint("Did you mean %s?", strings.Join(near, " or "))
	}
	return err.WithHint("See %s --help.", cmd.CommandPath())
}

func flagError(cmd *cobra.Command, err error) error {
	return fault.New(fault.Invalid, "read command line", "%w", err).
		WithHint("See %s --help.", cmd.CommandPath())
}

// exactly and atMost are cobra's argument checks with our kind of error.
func exactly(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == n {
			return nil
		}
		return misuse(cmd, "expected %s, got %d arguments", what, len(args))
	}
}

func atMost(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) <= n {
			return nil
		}
		return misuse(cmd, "expected %s, got %d arguments", what, len(args))
	}
}

func misuse(cmd *cobra.Command, format string, args ...any) error {
	return fault.New(fault.Invalid, "read command line", format, args...).WithHint("See %s --help.", cmd.CommandPath())
}

// exclusive refuses flags that contradict each other, then checks the arguments.
func exclusive(cmd *cobra.Command, pairs ...[2]string) {
	next := cmd.Args
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		for _, p := range pairs {
			if cmd.Flags().Changed(p[0]) && cmd.Flags().Changed(p[1]) {
				return misuse(cmd, "--%s and --%s contradict each other", p[0], p[1])
			}
		}
		if next == nil {
			return nil
		}
		return next(cmd, args)
	}
}
