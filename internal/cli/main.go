package cli

import (
	"context"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/api"
)

// Main runs one command line and returns the exit status. The first interrupt cancels the command's context, so that it
// stops and still writes what it has; the second ends the process at once.
func Main(ctx context.Context, s Streams, args []string) int {
	ctx, stop := interruptible(ctx)
	defer stop()
	a := &app{Streams: s}
	root := newRoot(a)
	root.SetArgs(args)
	root.SetIn(s.In)
	root.SetOut(s.Out)
	root.SetErr(s.Err)
	err := root.ExecuteContext(ctx)
	a.explain(err)
	return int(codeOf(err))
}

// explain prints an error that its command has not explained itself.
func (a *app) explain(err error) {
	if _, said := err.(exitError); err == nil || said { //nolint:errorlint // never wrapped
		return
	}
	kind, hint := fault.KindOf(err), fault.HintOf(err)
	if a.json {
		_ = a.printJSON(errorDoc{
			Schema: "trailblaze.error/1",
			Error:  api.Fault{Kind: string(kind), Message: err.Error(), Hint: hint}, ExitCode: int(codeOf(err)),
		})
		return
	}
	st := a.style()
	a.errorf("%s %s\n", st.bad("error:"), err)
	if hint != "" {
		a.errorf("%s %s\n", st.dim(" hint:"), hint)
	}
}

// errorDoc is what --json prints when a command could not do its work.
type errorDoc struct {
	Schema   string    `json:"schema"`
	Error    api.Fault `json:"error"`
	ExitCode int       `json:"exitCode"`
}
