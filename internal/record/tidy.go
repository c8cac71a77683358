package record

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"

	"github.com/trailblaze-dev/trailblaze/internal/evidence"
	"github.com/trailblaze-dev/trailblaze/tool"
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
