package shell

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/serve/api"
)

func TestCodeOf(t *testing.T) {
	tests := []struct {
		name string
		err  error
		want Code
	}{
		{"success", nil, ExitOK},
		{"assertion", fault.New(fault.Assertion, "verify", "no text"), ExitFailed},
		{"action without effect", fault.New(fault.NotActed, "click", "nothing happened"), ExitFailed},
		{"bad input", fault.New(fault.Invalid, "parse", "bad"), ExitMisuse},
		{"named thing is missing", fault.New(fault.NotFound, "find session", "no such"), ExitMisuse},
		{"unsupported", fault.New(fault.Unsupported, "pinch", "no"), ExitMisuse},
		{"name taken", fault.New(fault.Conflict, "create", "taken"), ExitMisuse},
		{"held by another", fault.New(fault.Busy, "lease", "taken"), ExitBroken},
		{"denied", fault.New(fault.Denied, "read file", "outside"), ExitMisuse},
		{"timeout", fault.New(fault.Timeout, "wait", "deadline"), ExitBroken},
		{"no browser", fault.New(fault.Unavailable, "launch", "none"), ExitBroken},
		{"poor evidence", fault.New(fault.Degraded, "verify", "poor"), ExitBroken},
		{"internal", fault.New(fault.Internal, "x", "y"), ExitBroken},
		{"plain error", errors.New("x"), ExitBroken},
		{"canceled", context.Canceled, ExitBroken},
		{"wrapped", fmt.Errorf("run: %w", fault.New(fault.Invalid, "parse", "bad")), ExitMisuse},
		{"already said", Exit(ExitFailed), ExitFailed},
		{"success already said", Exit(ExitOK), ExitOK},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := CodeOf(tt.err); got != tt.want {
				t.Errorf("codeOf(%v) = %d, want %d", tt.err, got, tt.want)
			}
		})
	}
}

func TestCodeOfOutcome(t *testing.T) {
	tests := []struct {
		name    string
		outcome event.Outcome
		kind    fault.Kind
		want    Code
	}{
		{"passed", event.Passed, "", ExitOK},
		{"skipped", event.Skipped, "", ExitOK},
		{"flaky is a pass", event.Flaky, "", ExitOK},
		{"failed", event.Failed, fault.NotFound, ExitFailed},
		{"infrastructure", event.Broken, fault.Unavailable, ExitBroken},
		{"unusable trail", event.Broken, fault.Invalid, ExitMisuse},
		{"wrong platform", event.Broken, fault.Unsupported, ExitMisuse},
		{"canceled", event.Canceled, fault.Canceled, ExitBroken},
		{"inconclusive", event.Undecided, fault.Degraded, ExitBroken},
		{"passed after a repair", event.Healed, "", ExitHealed},
		{"from a newer log", event.Outcome("of_tomorrow"), "", ExitBroken},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var f *fault.Failure
			if tt.kind != "" {
				f = &fault.Failure{Kind: tt.kind}
			}
			if got := CodeOfOutcome(tt.outcome, f); got != tt.want {
				t.Errorf("codeOfOutcome(%s, %s) = %d, want %d", tt.outcome, tt.kind, got, tt.want)
			}
		})
	}
}

// TestWorst proves the order of a batch: 2, 3, 1, 0, whatever comes first.
func TestWorst(t *testing.T) {
	order := []Code{ExitOK, ExitFailed, ExitMisuse, ExitBroken}
	for i, a := range order {
		for j, b := range order {
			if got, want := Worst(a, b), order[max(i, j)]; got != want {
				t.Errorf("worst(%d, %d) = %d, want %d", a, b, got, want)
			}
		}
	}
}

// TestExitTable: the table of docs/driving.md says of every kind of fault what a command ends with.
func TestExitTable(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "driving.md"))
	if err != nil {
		t.Fatal(err)
	}
	row, word := regexp.MustCompile(`(?m)^\| ([0-3]) \|.*\|([^|]*)\|$`), regexp.MustCompile("`([a-z_]+)`( \\(on a device\\))?")
	told := map[fault.Kind]bool{}
	for _, r := range row.FindAllStringSubmatch(string(text), -1) {
		for _, k := range word.FindAllStringSubmatch(r[2], -1) {
			kind := fault.Kind(k[1])
			reply := &api.Reply{Fault: &fault.Failure{Kind: fault.Kind(k[1])}, Result: &api.Result{IsError: true}}
			if k[2] != "" {
				reply.Device = "web"
			}
			if got := CodeOfReply(reply); fmt.Sprint(got) != r[1] {
				t.Errorf("%s%s ends with %d, the table says %s", kind, k[2], got, r[1])
			}
			told[kind] = true
		}
	}
	for _, kind := range []fault.Kind{
		fault.Invalid, fault.NotFound, fault.Assertion, fault.NotActed, fault.Timeout, fault.Canceled, fault.Unavailable,
		fault.Unsupported, fault.Conflict, fault.Busy, fault.Denied, fault.Degraded, fault.Internal,
	} {
		if !told[kind] {
			t.Errorf("the table lacks %s", kind)
		}
	}
}
