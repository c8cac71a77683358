package action

import (
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/tools/locator"
)

// Within bounds the wait for the element.
type Within struct {
	TimeoutMs int `json:"timeoutMs,omitempty" minimum:"0" jsonschema:"how long to wait for the element; default 10000, for a ref or text given live 1500"`
}

// Query looks for the target as long as the caller allows.
func (w Within) Query(t locator.Target) locator.Query {
	return locator.Query{Target: t, Timeout: time.Duration(w.TimeoutMs) * time.Millisecond}
}

// CallTimeout gives the call the time its caller allows for the wait, and some for the action after it.
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
