package dispatch

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/permit"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/tool/argument"
)

// validate brings the arguments into their normal form (nulls, enum spelling, defaults) and checks them, reporting
// every violation at once: a model that learns of one mistake per turn needs as many turns as it made mistakes.
func (d *Dispatcher) validate(ctx context.Context, inv *Invocation) error {
	s := inv.Spec()
	op := "call " + s.Name
	decoded, err := argument.Decode(inv.Call.Args)
	if err != nil {
		return fault.Wrap(err, fault.Invalid, op)
	}
	obj, ok := decoded.(map[string]any)
	if !ok && decoded != nil {
		return fault.New(fault.Invalid, op, "the arguments are not a JSON object")
	}
	if obj == nil {
		obj = map[string]any{}
	}
	changed := argument.NormalizeObject(s.Input.Get(), obj) || decoded == nil
	if err := d.check(s, obj); err != nil {
		return err
	}
	if err := permit.Call(ctx, s, obj); err != nil {
		return fault.Wrap(err, fault.Denied, op)
	}
	inv.Args = obj
	if changed {
		inv.Call.Args, err = json.Marshal(obj)
	}
	return fault.Wrap(err, fault.Internal, op)
}

func (d *Dispatcher) check(s *tool.Spec, obj map[string]any) error {
	v, ok := d.schemas.Load(s)
	if !ok {
		v, _ = d.schemas.LoadOrStore(s, &argument.Checker{Schema: s.Accepts()})
	}
	c, ok := v.(*argument.Checker)
	if !ok {
		return nil
	}
	list, err := c.Mistakes(obj)
	if err != nil {
		return fault.Wrap(err, fault.Internal, "read input schema of "+s.Name)
	}
	op := "call " + s.Name
	switch len(list) {
	case 0:
		return nil
	case 1:
		return fault.New(fault.Invalid, op, "%s", list[0])
	}
	return fault.New(fault.Invalid, op, "%d arguments are wrong: %s", len(list), strings.Join(list, "; "))
}

// confined refuses a call whose tokens would put a secret anywhere but into a field, into a request to the origin that
// it is bound to, or into an argument that is declared to take it: for every caller, and every spelling of the token.
// The calls that it makes may not spell out such a secret elsewhere either.
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
