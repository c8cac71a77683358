package evidence

import (
	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Declaration is an argument by which a recorded call declares its outcome.
type Declaration struct {
	Key   string
	Value any
}

// The arguments that declare an outcome.
const (
	EffectArg = "effect"
	StatusArg = "expectStatus"
	OriginArg = "expectOrigin"
)

// Declarations returns the arguments by which an action must declare an outcome so that its verdict is a pass: an
// action without any effect, a page that answers with an HTTP error, a navigation that ends on another origin than it
// set out for. from is the address of the page before the call, "" when it is unknown.
func Declarations(ev *tool.Evidence, from string) []Declaration {
	if ev == nil || ev.Effect == nil {
		return nil
	}
	e := ev.Effect
	var out []Declaration
	start, end := driver.Origin(startOf(expected(ev), from)), driver.Origin(e.URL)
	if (e.Changes.Navigation || e.Changes.URL) && start != "" && end != "" && start != end {
		out = append(out, Declaration{OriginArg, end})
	}
	if !e.Changes.Any() && ev.None == "" {
		out = append(out, Declaration{EffectArg, tool.NoEffect})
	}
	if e.Status >= 400 && e.Changes.Navigation {
		out = append(out, Declaration{StatusArg, e.Status})
	}
	return out
}
