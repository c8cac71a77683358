package cli

import (
	"context"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/trailblaze-dev/trailblaze/internal/app"
	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Program runs the command line of the process, with tools of a team's own, and ends the process.
func Program(own ...tool.Tool) {
	os.Exit(Main(context.Background(), System(), os.Args[1:], own...)) //nolint:forbidigo // it is the main of a program
}

// Main runs one command line and returns the exit status. The first interrupt cancels the command's context, so that it
// stops and still writes what it has; the second ends the process at once.
func Main(ctx context.Context, s shell.Streams, args []string, own ...tool.Tool) int {
	ctx, stop := interruptible(ctx)
	defer stop()
	a := &shell.Shell{Streams: s}
	if len(own) > 0 {
		if err := app.Compile(own...); err != nil {
			a.Explain(err)
			return int(shell.CodeOf(err))
		}
	}
	if len(args) > 0 && args[0] == "help" {
		if args = args[1:]; len(args) == 0 || wanted(args) != "" { // what is no command is refused as one
			args = append(slices.Clip(args), "--help")
		}
	}
	root := newRoot(a, args...)
	root.SetArgs(args)
	root.SetIn(s.In)
	root.SetOut(s.Out)
	root.SetErr(s.Err)
	err := unknown(root, args)
	if err == nil {
		err = root.ExecuteContext(ctx)
	}
	a.Explain(err)
	return int(shell.CodeOf(err))
}

// unknown refuses a word that is no command where help is asked for it; cobra shows the help of what is around it.
func unknown(root *cobra.Command, args []string) error {
	cmd, rest, err := root.Find(args)
	if err != nil || !cmd.HasSubCommands() || !slices.Contains(rest, "--help") && !slices.Contains(rest, "-h") {
		return nil //nolint:nilerr // the command says what is wrong with it
	}
	words := slices.DeleteFunc(slices.Clone(rest), func(a string) bool { return strings.HasPrefix(a, "-") })
	return cmd.ValidateArgs(words)
}

// Streams is all that a command sees of its terminal and its environment.
type Streams = shell.Streams

// System returns the streams of this process.
func System() Streams { return shell.System() }

// interruptible returns a context that ends with the first interrupt or termination signal. From then on signals have
// their default effect again: the second one ends the process.
func interruptible(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, cancel)
	return ctx, cancel
}
