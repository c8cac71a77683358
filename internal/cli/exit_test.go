package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/api"
	"github.com/trailblaze-dev/trailblaze/internal/event"
)

func TestCodeOf(t *testing.T) {
	tests := []struct {
		name string
		err  error
		want code
	}{
		{"success", nil, exitOK},
		{"assertion", fault.New(fault.Assertion, "verify", "no text"), exitFailed},
		{"action without effect", fault.New(fault.NotActed, "click", "nothing happened"), exitFailed},
		{"bad input", fault.New(fault.Invalid, "parse", "bad"), exitMisuse},
		{"named thing is missing", fault.New(fault.NotFound, "find session", "no such"), exitMisuse},
		{"unsupported", fault.New(fault.Unsupported, "pinch", "no"), exitMisuse},
		{"name taken", fault.New(fault.Conflict, "create", "taken"), exitMisuse},
		{"held by another", fault.New(fault.Busy, "lease", "taken"), exitBroken},
		{"denied", fault.New(fault.Denied, "read file", "outside"), exitMisuse},
		{"timeout", fault.New(fault.Timeout, "wait", "deadline"), exitBroken},
		{"no browser", fault.New(fault.Unavailable, "launch", "none"), exitBroken},
		{"poor evidence", fault.New(fault.Degraded, "verify", "poor"), exitBroken},
		{"internal", fault.New(fault.Internal, "x", "y"), exitBroken},
		{"plain error", errors.New("x"), exitBroken},
		{"canceled", context.Canceled, exitBroken},
		{"wrapped", fmt.Errorf("run: %w", fault.New(fault.Invalid, "parse", "bad")), exitMisuse},
		{"already said", exit(exitFailed), exitFailed},
		{"success already said", exit(exitOK), exitOK},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := codeOf(tt.err); got != tt.want {
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
		want    code
	}{
		{"passed", event.Passed, "", exitOK},
		{"skipped", event.Skipped, "", exitOK},
		{"flaky is a pass", event.Flaky, "", exitOK},
		{"failed", event.Failed, fault.NotFound, exitFailed},
		{"infrastructure", event.Broken, fault.Unavailable, exitBroken},
		{"unusable trail", event.Broken, fault.Invalid, exitMisuse},
		{"wrong platform", event.Broken, fault.Unsupported, exitMisuse},
		{"canceled", event.Canceled, fault.Canceled, exitBroken},
		{"inconclusive", event.Undecided, fault.Degraded, exitBroken},
		{"from a newer log", event.Outcome("healed"), "", exitBroken},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var f *event.Failure
			if tt.kind != "" {
				f = &event.Failure{Kind: string(tt.kind)}
			}
			if got := codeOfOutcome(tt.outcome, f); got != tt.want {
				t.Errorf("codeOfOutcome(%s, %s) = %d, want %d", tt.outcome, tt.kind, got, tt.want)
			}
		})
	}
}

// TestWorst proves the order of a batch: 2, 3, 1, 0, whatever comes first.
func TestWorst(t *testing.T) {
	order := []code{exitOK, exitFailed, exitMisuse, exitBroken}
	for i, a := range order {
		for j, b := range order {
			if got, want := worst(a, b), order[max(i, j)]; got != want {
				t.Errorf("worst(%d, %d) = %d, want %d", a, b, got, want)
			}
		}
	}
}

// TestExitTable: the table of docs/driving.md says of every kind of fault what a command ends with.
func TestExitTable(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "driving.md"))
	if err != nil {
		t.Fatal(err)
	}
	row, word := regexp.MustCompile(`(?m)^\| ([0-3]) \|.*\|([^|]*)\|$`), regexp.MustCompile("`([a-z_]+)`( \\(on a device\\))?")
	told := map[fault.Kind]bool{}
	for _, r := range row.FindAllStringSubmatch(string(text), -1) {
		for _, k := range word.FindAllStringSubmatch(r[2], -1) {
			kind := fault.Kind(k[1])
			reply := &api.Reply{Fault: &api.Fault{Kind: k[1]}, Result: &api.Result{IsError: true}}
			if k[2] != "" {
				reply.Device = "web"
			}
			if got := codeOfReply(reply); fmt.Sprint(got) != r[1] {
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
