// Package waittest waits in tests for events without a promised time, as package testtime has for others. A wait that
// fails ends the test and names the missing event, long before the time of all tests is up.
package waittest

import (
	"context"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime"
)

// enough is far more than the events of a test take. Nothing is promised of how long they take: the bound keeps a
// failed wait from using up the time of all tests.
const enough = time.Minute

// timeout grows with the load at the start of the tests, also where tests are held to the promised times: five minutes
// at the most. Load that comes later has the minute.
func timeout() time.Duration {
	return max(enough, time.Duration(testtime.Factor()*float64(enough/4)))
}

// Await returns what comes from a channel, or the zero value when it is closed. When neither happens, it ends the test
// and says what never came.
func Await[T any](t testing.TB, from <-chan T, what string) (out T) {
	t.Helper()
	select {
	case out = <-from:
		return out
	default:
	}
	limit := timeout()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case out = <-from:
	case <-timer.C:
		t.Fatalf("waited %s in vain: %s", limit, what)
	}
	return out
}

// Join is Await for functions that return when something is over, such as the Wait of a group.
func Join(t testing.TB, wait func(), what string) {
	t.Helper()
	over := make(chan struct{})
	go func() {
		wait()
		close(over)
	}()
	Await(t, over, what)
}

// Ended is Join for a wait with a result, such as the Wait of a process.
func Ended[T any](t testing.TB, wait func() T, what string) T {
	t.Helper()
	out := make(chan T, 1)
	go func() { out <- wait() }()
	return Await(t, out, what)
}

// Until is Await for conditions without an event: it checks every 5 ms.
func Until(t testing.TB, holds func() bool, what string) {
	t.Helper()
	again := time.NewTicker(5 * time.Millisecond)
	defer again.Stop()
	for end := time.Now().Add(timeout()); !holds(); <-again.C {
		if time.Now().After(end) {
			t.Fatalf("waited in vain: %s", what)
		}
	}
}

// Context is for calls, and for processes that a test reads from: it ends before the time of all tests is up. It also
// serves the clean-up of a test, whose own context has ended.
func Context(t testing.TB) context.Context {
	t.Helper()
	life := t.Context()
	if life.Err() != nil { // the test cleans up
		life = context.WithoutCancel(life)
	}
	ctx, cancel := context.WithTimeout(life, 2*timeout())
	t.Cleanup(cancel)
	return ctx
}

// Hold waits, in a goroutine that stands for something slow, until a test lets it go or is over.
func Hold(t testing.TB, until <-chan struct{}) {
	select {
	case <-until:
	case <-t.Context().Done():
	}
}
