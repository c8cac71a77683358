package shell

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/app"
)

// Shell holds the common parts of all commands: the streams and the global flags.
type Shell struct {
	Streams
	JSON   bool
	Daemon caller                // instead of the one that would be found; tests set it
	Root   func() *cobra.Command // of all commands, for hints that name one; may be nil
}

// Runner is the work of a command, apart from the parsing of its options.
type Runner func(ctx context.Context, args []string) error

// Parent makes a command that only holds others.
func Parent(use, short, group string, children ...*cobra.Command) *cobra.Command {
	c := &cobra.Command{
		Use: use, Short: short, GroupID: group, Args: NoSuchCommand, SuggestionsMinimumDistance: 2,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	c.AddCommand(children...)
	return c
}

// Work adapts a runner to cobra.
func Work(run Runner) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error { return run(cmd.Context(), args) }
}

// NoSuchCommand refuses an unknown subcommand, naming the nearest ones.
func NoSuchCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	err := fault.New(fault.Invalid, "read command line", "%q is not a command of %s", args[0], cmd.CommandPath())
	if reg, broken := app.Catalog(); broken == nil && !cmd.HasParent() {
		if _, ok := reg.Get(args[0]); ok {
			return err.WithHint("It is a tool: trailblaze tool %s", strings.Join(args, " "))
		}
	}
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		return err.WithHint("Did you mean %s?", strings.Join(near, " or "))
	}
	return err.WithHint("See %s --help.", cmd.CommandPath())
}

// FlagError is the failure of a flag that cannot be read.
func FlagError(cmd *cobra.Command, err error) error {
	return fault.New(fault.Invalid, "read command line", "%w", err).
		WithHint("See %s --help.", cmd.CommandPath())
}

// Exactly wants n arguments, as cobra's check does, with our kind of error.
func Exactly(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == n {
			return nil
		}
		return Misuse(cmd, "expected %s, got %d arguments", what, len(args))
	}
}

// AtMost is Exactly for n arguments or fewer.
func AtMost(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) <= n {
			return nil
		}
		return Misuse(cmd, "expected %s, got %d arguments", what, len(args))
	}
}

// Misuse is the failure of a command line that a command does not take.
func Misuse(cmd *cobra.Command, format string, args ...any) error {
	return fault.New(fault.Invalid, "read command line", format, args...).WithHint("See %s --help.", cmd.CommandPath())
}

// Exclusive refuses flags that contradict each other, then checks the arguments.
func Exclusive(cmd *cobra.Command, pairs ...[2]string) {
	next := cmd.Args
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		for _, p := range pairs {
			if cmd.Flags().Changed(p[0]) && cmd.Flags().Changed(p[1]) {
				return Misuse(cmd, "--%s and --%s contradict each other", p[0], p[1])
			}
		}
		if next == nil {
			return nil
		}
		return next(cmd, args)
	}
}
