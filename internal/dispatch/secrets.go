package dispatch

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// confined refuses a call whose tokens would put a secret anywhere but into a field, into a request to the origin that
// it is bound to, or into an argument that is declared to take it: whoever makes the call, and however the token is
// spelled. What a call was given so, the calls that it makes may not spell out elsewhere either.
func confined(inv *Invocation, expanded json.RawMessage) error {
	m, s := inv.Session.Memory, inv.Spec()
	if inv.Parent != nil {
		inv.frame.secrets = inv.Parent.frame.secrets
	}
	put := m.SecretsPut(inv.Authored.Args, inv.frame.secrets)
	if len(put) == 0 {
		return nil
	}
	var args tool.Args
	_ = json.Unmarshal(expanded, &args) // what is no object is refused for that
	for _, argument := range slices.Sorted(maps.Keys(put)) {
		for _, name := range put[argument] {
			bound := m.SecretOrigin(name)
			if !s.Verbatim && !s.Admits(argument, bound, args) {
				return fault.New(fault.Denied, "call "+s.Name, "the argument %s would hold the secret %s", argument, name).
					WithHint("%s", s.Where(argument, name, bound))
			}
			if !slices.Contains(inv.frame.secrets, name) {
				inv.frame.secrets = append(slices.Clip(inv.frame.secrets), name)
			}
		}
	}
	return nil
}
