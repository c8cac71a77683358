// Package bar says how long, in a test, what is promised within a time may take.
//
// CI runs all tests at once, with the race detector, on two cores: a promise of a second that is kept a hundred times over
// on a machine of one's own is then broken by whatever else runs, and the test says nothing about the product. There a test
// asserts what no load explains, ten times the promise; `make bars` runs the tests one after the other and holds the
// product to its word.
//
//	if took := time.Since(began); took > bar.Within(time.Second) {
//		t.Errorf("the answer took %s", took)
//	}
//
// It is for tests only, and safe for concurrent use.
package bar

import (
	"os"
	"time"
)

// Env holds tests to the promises themselves when it is set: the machine does nothing else.
const Env = "TRAILBLAZE_BARS"

// slack is how much longer anything may take on a machine that runs all tests at once. What it must not hide are waits:
// the product's are half a minute, or for ever.
const slack = 10

// Within is how long what is promised within a time may take in this run of the tests.
func Within(promised time.Duration) time.Duration {
	if os.Getenv(Env) != "" {
		return promised
	}
	return slack * promised
}
