package record

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"

	"github.com/trailblaze-dev/trailblaze/internal/trails/evidence"
	"github.com/trailblaze-dev/trailblaze/memory/mask"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// tidy leaves out of one step's actions what a later run does not need, and says how much. It never changes what the
// app goes through.
func (c *composer) tidy(actions []Action) (out []Action, left Left) {
	for _, a := range actions {
		if a.Kind == tool.Query && c.spec(a).Purpose != tool.KeepScreen && len(a.Kept) == 0 {
			left.Looks++ // a look changes nothing and judges nothing, unless it puts a value into memory
			continue
		}
		if a.Kind == tool.Assertion && checkedAlready(out, a) {
			left.Repeated++
			continue
		}
		if last := len(out) - 1; last >= 0 && c.supersedes(a, out[last]) {
			out[last] = a
			left.Repeated++
			continue
		}
		out = append(out, a)
	}
	return out, left
}

// conditions are the actions of a group, and among them what was asked to decide whether anything was to do, as calls
// that ask again. Where the step states a condition each answer decided, but for those before the one that led to the
// next action; where it states none, and nothing was done or checked, what was asked shows that nothing was to do.
func (c *composer) conditions(g Group) []Action {
	states := (&trail.Step{Text: g.Intent}).Conditional()
	again := c.plan.Tools.For(tool.AskAgain, "")
	if again == nil || g.Kind == trail.VerifyStep || !states && (len(g.Actions) > 0 || c.plan.Blazed == nil) {
		return g.Actions
	}
	var out []Action
	asked := c.asked(g, 0, again.Name)
	for i, a := range g.Actions {
		switch {
		case a.Played || a.Kind == tool.Query:
			out = append(out, a)
		case a.Kind == tool.Assertion && c.decides(a.Call):
			asked = append(asked, condition(again.Name, a, true))
		default:
			out, asked = append(append(out, led(asked)...), a), nil
		}
		asked = append(asked, c.asked(g, i+1, again.Name)...)
	}
	return slices.CompactFunc(append(out, asked...), func(a, b Action) bool {
		return a.Call.Name == b.Call.Name && a.Call.Name == again.Name && bytes.Equal(a.Call.Args, b.Call.Args)
	})
}

// asked are what was asked right before an action of a group, as conditions.
func (c *composer) asked(g Group, before int, again string) (out []Action) {
	for _, l := range g.Looks {
		if l.Before == before && c.decides(l.Call) {
			out = append(out, condition(again, Action{Call: l.Call, Step: l.Step}, l.Yes))
		}
	}
	return out
}

// led are the conditions that led to an action: the last that held, or all when none did.
func led(asked []Action) []Action {
	for i := range slices.Backward(asked) {
		if bytes.HasSuffix(asked[i].Call.Args, []byte("true}")) {
			return asked[i : i+1]
		}
	}
	return asked
}

// decides says whether a call can be asked again, and its answer be a yes or a no then. A snapshot's ref means nothing
// in another session.
func (c *composer) decides(call tool.Call) bool {
	t, ok := c.plan.Tools.Get(call.Name)
	if !ok || bytes.Contains(call.Args, []byte(mask.Masked)) || !t.Spec().Decides(call.Args) {
		return false
	}
	named, _ := meaning(call.Args)["ref"].(string)
	_, gone := screen.RefOf(named)
	return !gone
}

// condition is an action that asks again what was asked, and takes another answer for no verdict.
func condition(name string, a Action, yes bool) Action {
	args, err := json.Marshal(map[string]any{"query": map[string]json.RawMessage{a.Call.Name: a.Call.Args}, "was": yes})
	if err != nil {
		return a
	}
	return Action{Call: tool.Call{Name: name, Args: args}, Kind: tool.Action, At: a.At, ID: a.ID,
		Client: a.Client, Step: a.Step}
}

// checkedAlready reports whether the same was verified and no action came since.
func checkedAlready(done []Action, a Action) bool {
	for _, d := range slices.Backward(done) {
		if d.Kind == tool.Action {
			return false
		}
		if d.Call.Name == a.Call.Name && reflect.DeepEqual(meaning(d.Call.Args), meaning(a.Call.Args)) {
			return true
		}
	}
	return false
}

// supersedes reports whether a fills the very field that the action just before it filled, so that nothing is left of
// that one. Nothing else may have changed: a form that answered to the first text may not be the same without it.
func (c *composer) supersedes(a, before Action) bool {
	if c.spec(a).Purpose != tool.EnterText || before.Call.Name != a.Call.Name || !before.Effect.Alone ||
		a.Target == nil || before.Target == nil {
		return false
	}
	now, then := meaning(a.Call.Args), meaning(before.Call.Args)
	text, _ := now["text"].(string)
	if text == "" || now["nodeSelector"] == nil {
		return false // an empty field that is emptied would leave no effect
	}
	for _, args := range []map[string]any{now, then} {
		if args["clearFirst"] == false || args["keys"] == true || args["submit"] == true {
			return false
		}
		delete(args, "text")
		delete(args, "fingerprint") // what stands around a field may name what is in it
		delete(args, evidence.EffectArg)
	}
	return maps.EqualFunc(now, then, func(x, y any) bool { return reflect.DeepEqual(x, y) }) &&
		a.Target.Role == before.Target.Role
}

// meaning are the arguments without what changes nothing.
func meaning(raw json.RawMessage) map[string]any {
	out := map[string]any{}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if d.Decode(&out) != nil {
		return map[string]any{"": string(raw)}
	}
	delete(out, "reason")
	delete(out, "reasoning")
	return out
}
