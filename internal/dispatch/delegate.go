package dispatch

import (
	"context"
	"fmt"
	"slices"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// delegate makes the calls that a tool asked for in place of itself, in order, and stops at the first that fails.
//
// They are recorded in its place when the tool delegates or is not recordable itself. A recordable tool
// that is not a delegating one, such as a YAML tool, stands in the recording alone, and what it expands to is
// nested. Nothing below a nested call is ever recorded.
func (d *Dispatcher) delegate(ctx context.Context, inv *Invocation, res *tool.Result) (*tool.Result, error) {
	role := Inner
	if s := inv.Spec(); inv.Role != Inner && (s.Delegating || !s.Recordable) {
		role = Delegate
	}
	out := *res
	for i, c := range res.Delegates {
		one, err := d.invoke(ctx, &Invocation{Session: inv.Session, Caller: Nested, Parent: inv, Role: role, Authored: c})
		failure := err
		if failure == nil {
			failure = one.Err()
		}
		if failure == nil {
			out.Made = appendMade(out.Made, c, one)
			out.Content = append(slices.Clip(out.Content), one.Content...)
			if one.Evidence != nil { // what is shown of it is what the last of them did
				out.Evidence = one.Evidence
			}
			continue
		}
		f := &fault.Error{Kind: fault.KindOf(failure), Tool: inv.Authored.Name,
			Op: fmt.Sprintf("delegate %d of %d, %s", i+1, len(res.Delegates), c.Name), Err: failure}
		if err != nil {
			return nil, f
		}
		failed := tool.Fail(f)
		failed.Delegates, failed.Evidence = res.Delegates, one.Evidence
		return failed, nil
	}
	return &out, nil
}
