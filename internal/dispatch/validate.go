package dispatch

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/tool/argument"
)

// validated brings the arguments into their normal form (nulls, enum spelling, defaults) and checks them, reporting
// every violation at once: a model that is told one mistake per turn needs as many turns as it made mistakes.
func (d *Dispatcher) validated(next Handler) Handler {
	return func(ctx context.Context, inv *Invocation) (*tool.Result, error) {
		s := inv.Spec()
		op := "call " + s.Name
		decoded, err := argument.Decode(inv.Call.Args)
		if err != nil {
			return nil, fault.Wrap(err, fault.Invalid, op)
		}
		obj, ok := decoded.(map[string]any)
		if !ok && decoded != nil {
			return nil, fault.New(fault.Invalid, op, "the arguments are not a JSON object")
		}
		if obj == nil {
			obj = map[string]any{}
		}
		changed := argument.NormalizeObject(s.Input.Get(), obj) || decoded == nil
		if err := d.check(s, obj); err != nil {
			return nil, err
		}
		ready := *inv
		ready.Args = obj
		if changed {
			if ready.Call.Args, err = json.Marshal(obj); err != nil {
				return nil, fault.Wrap(err, fault.Internal, op)
			}
		}
		return next(ctx, &ready)
	}
}

func (d *Dispatcher) check(s *tool.Spec, obj map[string]any) error {
	v, _ := d.schemas.LoadOrStore(s, &argument.Checker{Schema: s.Input.Get()})
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
