package redact_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/redact"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/memory/mask"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
)

const secret = "correct-horse"

func secrets() *memory.Store {
	m := memory.New()
	m.SetSecret("password", secret)
	return m
}

// TestError proves that no part of an error keeps a secret, and that an error without one stays what it is.
func TestError(t *testing.T) {
	cause := errors.New("typed " + secret)
	for name, err := range map[string]error{
		"message":    fault.New(fault.NotFound, "type", "%w", cause),
		"hint":       fault.New(fault.NotFound, "type", "no").WithHint("Type %s again.", secret),
		"looked":     fault.New(fault.NotFound, "find", "no").WithDetail(fault.Detail{Looked: secret}),
		"candidates": fault.New(fault.NotFound, "find", "no").WithDetail(fault.Detail{Candidates: []string{secret}}),
		"green":      fault.New(fault.NotFound, "find", "no").WithDetail(fault.Detail{SinceGreen: []string{secret}}),
		"log":        fmt.Errorf("step: %w", fault.New(fault.NotFound, "find", "no").WithDetail(fault.Detail{Log: []string{secret}})),
		"inner hint": fault.Wrap(fault.New(fault.NotFound, "find", "no").WithHint("%s", secret), "", "outer").(*fault.Error).WithHint("fine"),
	} {
		t.Run(name, func(t *testing.T) {
			got := redact.Error(secrets(), err)
			if kind := fault.KindOf(got); kind != fault.NotFound {
				t.Errorf("kind is %s", kind)
			}
			for e := got; e != nil; e = errors.Unwrap(e) {
				if text, _ := json.Marshal(fault.FailureOf(e)); strings.Contains(string(text), secret) {
					t.Errorf("shows the secret: %s", text)
				}
			}
		})
	}
	sentinel := errors.New("plain")
	if got := redact.Error(secrets(), fault.Wrap(sentinel, fault.Busy, "wait")); !errors.Is(got, sentinel) {
		t.Errorf("an error without a secret lost its cause: %v", got)
	}
}

// TestFailureRoundTrip proves that a failure loses nothing on its way through an error.
func TestFailureRoundTrip(t *testing.T) {
	want := &fault.Failure{
		Kind: fault.Assertion, Message: "click: no", Hint: `See device {"action":"LIST"}.`, Next: []fault.Action{{Tool: "device", Action: "LIST"}},
		Device: "web", Looked: "button", Candidates: []string{"a"}, SinceGreen: []string{"b"}, Log: []string{"c"},
	}
	if d := cmp.Diff(want, fault.FailureOf(fmt.Errorf("%w", want.Err()))); d != "" {
		t.Error(d)
	}
}

// TestEvidenceFailsClosed proves that evidence which cannot be masked proves nothing, instead of being shown in the
// clear.
func TestEvidenceFailsClosed(t *testing.T) {
	bad := &tool.Evidence{Checked: secret, Bounds: &screen.Rect{X: math.NaN()}, Effect: &driver.Effect{}, Screen: &screen.Snapshot{}}
	got := redact.Result(secrets(), &tool.Result{Evidence: bad}).Evidence
	if d := cmp.Diff(&tool.Evidence{}, got, cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".Screen" }, cmp.Ignore())); d != "" {
		t.Error(d)
	}
	if got.Screen != bad.Screen {
		t.Error("lost the capture")
	}
}

// TestResult proves that each part of a result is masked and that the input stays as it was.
func TestResult(t *testing.T) {
	raw := json.RawMessage(`{"k":"` + secret + `"}`)
	in := &tool.Result{
		Content: []tool.Content{{Type: "text", Text: secret}}, Value: raw, Fault: errors.New(secret),
		Record: &tool.Call{Name: "a", Args: raw}, Evidence: &tool.Evidence{Checked: secret},
	}
	out := redact.Result(secrets(), in)
	text := fmt.Sprint(out.Content, string(out.Value), out.Fault, string(out.Record.Args), out.Evidence.Checked)
	if strings.Contains(text, secret) || strings.Count(text, mask.Masked) != 5 {
		t.Errorf("masked: %s", text)
	}
	if in.Content[0].Text != secret || in.Evidence.Checked != secret {
		t.Error("the input was changed")
	}
}
