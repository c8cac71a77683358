package fault

import (
	"context"
	"errors"
	"fmt"
	"testing"
)

func TestKindOf(t *testing.T) {
	inner := New(NotFound, "resolve ref", "no element e7").WithHint("take a new snapshot")
	tests := []struct {
		name string
		err  error
		want Kind
	}{
		{"nil", nil, ""},
		{"plain error is our own fault", errors.New("x"), Internal},
		{"cancel", fmt.Errorf("run: %w", context.Canceled), Canceled},
		{"deadline", fmt.Errorf("run: %w", context.DeadlineExceeded), Timeout},
		{"fault", inner, NotFound},
		{"wrapped keeps its kind", Wrap(inner, "", "click"), NotFound},
		{"wrapped with another kind", Wrap(inner, Assertion, "verify"), Assertion},
		{"a cancel stays a cancel", Wrap(context.Canceled, Assertion, "verify"), Canceled},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := KindOf(tt.err); got != tt.want {
				t.Errorf("KindOf(%v) = %q, want %q", tt.err, got, tt.want)
			}
		})
	}
}

func TestHintAndDetailSurviveWrapping(t *testing.T) {
	err := fmt.Errorf("step 3: %w", Wrap(New(NotFound, "find", "no button").WithHint("look again").
		WithDetail(Detail{Looked: `button "Save"`}), Assertion, "click"))
	if got := HintOf(err); got != "look again" {
		t.Errorf("HintOf = %q, want the inner hint", got)
	}
	if d := DetailOf(err); d == nil || d.Looked != `button "Save"` {
		t.Errorf("DetailOf = %+v, want what was looked for", d)
	}
	if want := "step 3: click: find: no button"; err.Error() != want {
		t.Errorf("Error() = %q, want %q", err, want)
	}
	again := &Error{Tool: "click", Op: "click", Err: Wrap(New(NotFound, "click", "no button"), "", "click")}
	if want := "click: no button"; again.Error() != want {
		t.Errorf("of one operation: %q, want %q", again, want)
	}
}
