package policy

import (
	"context"
	"maps"
	"slices"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// ties decides about a call that holds secrets which are tied to an origin: by a script, an address, a clipboard or an
// answer to a dialog they would reach other pages as well as by a field. A tool that only reads sends nothing, unless
// it opens an address. Tokens are decided about when they are expanded, by dispatch; this is for secrets that are
// spelled out.
func (p *Policy) ties(ctx context.Context, inv *dispatch.Invocation, opens []string) []decision {
	s := inv.Spec()
	if inv.Session == nil || inv.Session.Memory == nil || s.Kind != tool.Action && !runsCode(s) && len(opens) == 0 {
		return nil
	}
	if e := s.Effects; e != nil && (len(e.Types) > 0 || e.CallsTools && !e.RunsCode && len(opens) == 0) {
		// The driver asks the field's own document, and each call that is made in place of this one is decided on its own.
		return nil
	}
	bound := inv.Session.Memory.BoundIn(inv.Authored.Args)
	if len(bound) == 0 {
		return nil
	}
	to := reached(ctx, inv, opens)
	var out []decision
	for _, name := range slices.Sorted(maps.Keys(bound)) {
		for _, o := range to {
			d := decision{Subject: "the secret " + quoted(name)}
			if o != bound[name] {
				out = append(out, d.no("it is bound to "+bound[name], "secrets."+name,
					"Open "+bound[name]+" first, or type it into a field there."))
			}
		}
	}
	return out
}

// reached are the origins that a call gets to: of the addresses it opens, else of the page that is open, "" where that
// has none.
func reached(ctx context.Context, inv *dispatch.Invocation, opens []string) []string {
	var to []string
	for _, raw := range opens {
		if o := driver.Origin(raw); o != "" {
			to = append(to, o)
		}
	}
	if nav, ok := navigator(inv); ok && len(to) == 0 {
		here, err := nav.URL(ctx)
		if err != nil {
			here = ""
		}
		to = append(to, driver.Origin(here))
	}
	return to
}
