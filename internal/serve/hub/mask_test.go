package hub_test

import (
	"context"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// What a management tool fails with is masked like what it says: doors tell the fault to programs.
func TestFailuresOfDeskToolsAreMasked(t *testing.T) {
	r := rig(t, hub.Options{Management: func(*hub.Hub) []tool.Tool {
		spec := tool.Spec{Name: "demo_fail", Description: "Fails.", Kind: tool.Action, ExposedToLLM: true}
		return []tool.Tool{tool.Define(spec, func(context.Context, tool.Env, struct{}) (*tool.Result, error) {
			return tool.Fail(fault.New(fault.Assertion, "", "not tr0ub4dor").WithHint("Try tr0ub4dor.")), nil
		})}
	}})
	q := req("demo_fail")
	q.Secrets = map[string]string{"pin": "tr0ub4dor"}
	rep, err := r.Do(soon(t), r.Client("cli", ""), q)
	if err != nil || !rep.Result.IsError {
		t.Fatal(rep, err)
	}
	why := rep.Result.Err()
	for _, text := range []string{rep.Result.Text(), why.Error(), fault.HintOf(why)} {
		if text == "" || strings.Contains(text, "tr0ub4dor") {
			t.Errorf("told: %q", text)
		}
	}
	if fault.KindOf(why) != fault.Assertion {
		t.Errorf("it became %v", fault.KindOf(why))
	}
	if got := hub.Masked(fault.New(fault.Invalid, "", "no tr0ub4dor"), q.Secrets); strings.Contains(got.Error(), "tr0ub4dor") {
		t.Error(got)
	}
}
