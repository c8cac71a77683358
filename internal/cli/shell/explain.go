package shell

import (
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// Explain prints an error that its command has not explained itself.
func (a *Shell) Explain(err error) {
	if _, said := err.(exitError); err == nil || said { //nolint:errorlint // never wrapped
		return
	}
	f := fault.FailureOf(err).Worded(a.AtShell)
	if a.JSON {
		_ = a.PrintJSON(errorDoc{
			Schema: "trailblaze.error/1",
			Error:  f, ExitCode: int(CodeOf(err)),
		})
		return
	}
	st := a.Style()
	a.Errorf("%s %s\n", st.Bad("error:"), err)
	if f.Hint != "" && !f.Repeats() {
		a.Errorf("%s %s\n", st.Dim(" hint:"), f.Hint)
	}
	a.Errorf("%s", f.Search())
}

// errorDoc is the output of --json when a command could not do its work.
type errorDoc struct {
	Schema   string         `json:"schema"`
	Error    *fault.Failure `json:"error"`
	ExitCode int            `json:"exitCode"`
}

// AtShell words a call that a hint advises as one types it here.
func (a *Shell) AtShell(x fault.Action) string {
	verb := strings.ToLower(x.Action)
	if a.Root != nil {
		if cmd, _, err := a.Root().Find([]string{x.Tool, verb}); err == nil && cmd.Name() == verb {
			return cmd.CommandPath()
		}
	}
	return "trailblaze tool " + x.Tool + " action=" + x.Action
}
