package action

import (
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/locator"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// NoInput is the input of a tool that takes no arguments of its own.
type NoInput struct{ Note }

// Terms holds the arguments that every action on an element takes besides the element.
type Terms struct {
	Within
	Expect
	Note
}

// Within bounds the wait for the element.
type Within struct {
	TimeoutMs int `json:"timeoutMs,omitempty" minimum:"0" jsonschema:"how long to wait for the element; default 10000, for a ref or text given live 1500"`
}

// Query returns the query of the target, with the caller's time limit.
func (w Within) Query(t locator.Target) locator.Query {
	return locator.Query{Target: t, Timeout: time.Duration(w.TimeoutMs) * time.Millisecond}
}

// CallTimeout returns the time of the call: its caller's time for the wait, and some for the action after it.
func (w Within) CallTimeout() time.Duration {
	if w.TimeoutMs == 0 {
		return 0
	}
	return time.Duration(w.TimeoutMs)*time.Millisecond + afterWait
}

// afterWait is the time of a call beyond the wait that its arguments ask for.
const afterWait = 20 * time.Second

// Timeout is the timeout of a call that waits as long as ms says, by default as long as std.
func Timeout(ms int, std time.Duration) time.Duration {
	if ms == 0 {
		return std
	}
	return time.Duration(ms) * time.Millisecond
}

// Limit is the deadline of a call that waits that long.
func Limit(wait time.Duration) time.Duration { return wait + afterWait }

// Expect holds the arguments by which a recorded action declares its expected outcome.
type Expect struct {
	Effect       string `json:"effect,omitempty" enum:"none" jsonschema:"none: nothing observable is expected to change"`
	ExpectStatus int    `json:"expectStatus,omitempty" jsonschema:"HTTP status a navigation is expected to end with; without it 400 and above fail"`
	ExpectOrigin string `json:"expectOrigin,omitempty" jsonschema:"origin (https://host) a navigation may end on, when it is not the one asked for"`
}

var _ interface{ Expectation() tool.Expectation } = Expect{}

// Expectation returns the expected outcome that tool.Define puts into the evidence.
func (x Expect) Expectation() tool.Expectation {
	return tool.Expectation{Effect: x.Effect, Status: x.ExpectStatus, Origin: x.ExpectOrigin}
}

func (x Expect) expected() Expect { return x }
