package cli

import (
	"context"

	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
)

// Main runs one command line and returns the exit status. The first interrupt cancels the command's context, so that it
// stops and still writes what it has; the second ends the process at once.
func Main(ctx context.Context, s shell.Streams, args []string) int {
	ctx, stop := interruptible(ctx)
	defer stop()
	a := &shell.Shell{Streams: s}
	root := newRoot(a)
	root.SetArgs(args)
	root.SetIn(s.In)
	root.SetOut(s.Out)
	root.SetErr(s.Err)
	err := root.ExecuteContext(ctx)
	a.Explain(err)
	return int(shell.CodeOf(err))
}

// Streams is all that a command sees of its terminal and its environment.
type Streams = shell.Streams

// System returns the streams of this process.
func System() Streams { return shell.System() }
