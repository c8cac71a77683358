package replay

import (
	"context"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/action"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// TestJudgedAsItRan proves that a call which changes memory is judged against the arguments that it ran with: not
// against what its tokens stand for afterwards.
func TestJudgedAsItRan(t *testing.T) {
	reg, _ := demo(t)
	reg, err := reg.With(tool.Define(tool.Spec{Name: "demo_pay", Title: "Pay", Description: "Leads somewhere and remembers where the next one leads.",
		Kind: tool.Action, Recordable: true},
		func(_ context.Context, env tool.Env, in struct {
			To   string `json:"to"`
			Next string `json:"next"`
			action.Expect
		}) (*tool.Result, error) {
			env.Memory().Set("shop", in.Next)
			r := tool.TextResult("done")
			r.Evidence = &tool.Evidence{Effect: &driver.Effect{URL: in.To, Status: 200, Changes: driver.Changes{Navigation: true}}}
			return r, nil
		}))
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, to, next string
		outcome        event.Outcome
	}{
		{"it ended where it was to end", "https://a.test/", "https://b.test", event.Passed},
		{"it ended where only a later call is to end", "https://b.test/", "https://b.test", event.Failed},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			source := "trail:\n  - step: Pay\n    recording:\n      web:\n        - demo_pay: {to: '" + tt.to + "', next: '" + tt.next + "', expectOrigin: '{{shop}}'}\n"
			tr, problems := trail.Parse("pay.trail.yaml", []byte(source), trail.Strict)
			if err := problems.Err(); err != nil {
				t.Fatal(err)
			}
			s := open(t)
			s.Memory.Set("shop", "https://a.test")
			out := newPlayer(t, reg).Play(t.Context(), s, tr, Attempt{})
			if out.Outcome != tt.outcome {
				t.Fatalf("outcome %s (%+v), want %s", out.Outcome, out.Failure, tt.outcome)
			}
			if out.Failure != nil && !strings.Contains(out.Failure.Message, "expected origin https://a.test") {
				t.Errorf("the failure says %q", out.Failure.Message)
			}
		})
	}
}
