package policy

import (
	"context"
	"maps"
	"slices"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/dispatch"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// typists are the tools whose text goes into one field: the driver asks the field's own document whether it may.
var typists = []string{"web_type", "web_fillSecret", "fill", "inputText"}

// ties decides about a call that holds secrets which are tied to an origin: by a script, an address, a clipboard or an answer
// to a dialog they would reach other pages as well as by a field. What only looks sends nothing.
func (p *Policy) ties(ctx context.Context, inv *dispatch.Invocation, w wants) []decision {
	s := inv.Spec()
	if inv.Session == nil || inv.Session.Memory == nil || slices.Contains(typists, s.Name) || s.Kind != tool.Action && !isScript(s.Name) {
		return nil
	}
	bound := inv.Session.Memory.BoundIn(inv.Authored.Args)
	if len(bound) == 0 {
		return nil
	}
	var to []string
	for _, raw := range w.urls {
		if o := driver.Origin(raw); o != "" {
			to = append(to, o)
		}
	}
	if nav, ok := navigator(inv); ok && len(to) == 0 {
		here, err := nav.URL(ctx)
		if err != nil {
			here = "" // then it is nobody's
		}
		to = append(to, driver.Origin(here))
	}
	var out []decision
	for _, name := range slices.Sorted(maps.Keys(bound)) {
		for _, o := range to {
			d := decision{Subject: "the secret " + quoted(name)}
			if o != bound[name] {
				out = append(out, d.no("it is bound to "+bound[name], "secrets."+name, "Open "+bound[name]+" first, or type it into a field there."))
			}
		}
	}
	return out
}
