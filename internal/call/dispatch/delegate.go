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
// They are recorded in its place when the tool delegates or is not recordable itself. A recordable tool that is not a
// delegating one, such as a YAML tool, is alone in the recording, and its expansion is nested. Nothing below a nested
// call is ever recorded.
func (d *Dispatcher) delegate(ctx context.Context, inv *Invocation, res *tool.Result) (*tool.Result, error) {
	role := Inner
	if s := inv.Spec(); inv.Role != Inner && (s.Delegating || !s.Recordable || res.Unfold) {
		role = Delegate
	}
	out := *res
	for i, c := range res.Delegates {
		if i > 0 && res.Between != nil {
			if err := res.Between(ctx, i, last(out.Made)); err != nil {
				return halted(&out, i, fault.Wrap(err, "", after(i, res)), nil, inv), nil
			}
		}
		one, err := d.invoke(ctx, &Invocation{Session: inv.Session, Caller: Nested, Parent: inv, Role: role, Authored: c})
		failure := err
		if failure == nil {
			failure = one.Err()
		}
		if failure == nil {
			out.Made = appendMade(out.Made, c, one)
			out.Content = append(slices.Clip(out.Content), one.Content...)
			continue
		}
		f := fault.Wrap(failure, "", fmt.Sprintf("delegate %d of %d, %s", i+1, len(res.Delegates), c.Name))
		if err != nil && (i == 0 || !answers(f)) {
			return nil, named(f, inv)
		}
		return halted(&out, i, f, one, inv), nil
	}
	out.Evidence = folded(out.Made, out.Evidence)
	return &out, nil
}

// answers reports whether a call that could not be carried out is the answer to the whole: calls before it were made,
// and their caller must know that. The session is still fit for others.
func answers(err error) bool {
	switch fault.KindOf(err) {
	case fault.Canceled, fault.Unavailable, fault.Internal, fault.Timeout:
		return false
	}
	return true
}

func after(i int, res *tool.Result) string {
	return fmt.Sprintf("after delegate %d of %d, %s", i, len(res.Delegates), res.Delegates[i-1].Name)
}

func named(err error, inv *Invocation) error {
	return &fault.Error{Kind: fault.KindOf(err), Tool: inv.Authored.Name, Err: err}
}

// halted returns the result of a sequence that ended at delegate i. The calls before it stay done, and are listed, so
// that no caller repeats them unknowingly.
func halted(out *tool.Result, i int, err error, one *tool.Result, inv *Invocation) *tool.Result {
	failed := tool.Fail(named(err, inv))
	failed.Delegates, failed.Made = out.Delegates, out.Made
	for _, c := range out.Content {
		if c.Type == "text" {
			failed.Content = append(failed.Content, c)
		}
	}
	if one != nil {
		failed.Evidence = one.Evidence
	}
	acted := slices.ContainsFunc(out.Made, func(m tool.Made) bool {
		return m.Evidence != nil && (m.Evidence.Effect != nil || m.Evidence.None != "")
	})
	if acted && (failed.Evidence == nil || failed.Evidence.Effect == nil && failed.Evidence.None == "") {
		ev := tool.Evidence{}
		if failed.Evidence != nil {
			ev = *failed.Evidence
		}
		ev.None = fmt.Sprintf("%d of its calls were made", i)
		failed.Evidence = &ev
	}
	return failed
}

// last is the evidence of the last call that left any.
func last(made []tool.Made) *tool.Evidence {
	for _, m := range slices.Backward(made) {
		if m.Evidence != nil {
			return m.Evidence
		}
	}
	return nil
}

// folded is the evidence of a composite: that of the worst of its calls, which is one without an effect where there
// is one, at the address where the last of them left the page.
func folded(made []tool.Made, own *tool.Evidence) *tool.Evidence {
	end := last(made)
	if end == nil {
		return own
	}
	for i, m := range made {
		if !m.Evidence.InVain() || i < len(made)-1 && m.Evidence.Effect.Changes.Focused {
			continue // a press that only gave the focus is judged by the input after it
		}
		ev, effect := *m.Evidence, *m.Evidence.Effect
		if end.Effect != nil {
			effect.URL = end.Effect.URL
		}
		ev.Effect = &effect
		return &ev
	}
	return end
}
