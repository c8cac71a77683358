// Package testtime computes how long, in a test, an operation with a promised time may take.
//
// A promise in a time holds on a machine that does nothing else. Tests run side by side, with browsers, with the race
// detector, and on machines of others, so the allowance grows with the load: a probe compares the time of a fixed
// piece of work now with its time on an idle machine, and prints the factor. TRAILBLAZE_BARS=1 (`make bars`) allows
// nothing more than the promise.
//
//	if took := time.Since(began); took > testtime.Within(time.Second) {
//		t.Errorf("the answer took %s", took)
//	}
//
// What has no promised time is waited for with package waittest.
//
// It is for tests only, and safe for concurrent use.
package testtime

import (
	"fmt"
	"os"
	"sync"
	"time"
)

// Env holds tests to the promises themselves when it is set: the machine does nothing else.
const Env = "TRAILBLAZE_BARS"

const (
	// bursts is a factor beyond the probe's: load comes in bursts, and the probe sees only the moment it runs.
	bursts = 2
	// most bounds the factor. The waits that a test must find, half a minute or forever, stay longer than the allowed
	// time.
	most = 20
	// fresh is the time for which a probe counts as the present load.
	fresh = time.Second
)

var machine struct {
	sync.Mutex
	worst  float64
	probed time.Time
}

// Within returns how long an operation with a promised time may take in this run of the tests.
func Within(promised time.Duration) time.Duration {
	if os.Getenv(Env) != "" {
		return promised
	}
	return time.Duration(Factor() * float64(promised))
}

// Factor probes the machine, unless it did within the last second, and returns the largest factor that this process
// has seen: a call may have been held up by a load that has gone since.
func Factor() float64 {
	m := &machine
	m.Lock()
	defer m.Unlock()
	if time.Since(m.probed) < fresh {
		return m.worst
	}
	work, start := probe()
	f := allow(work, start)
	m.probed = time.Now()
	if f > m.worst {
		m.worst = f
		_, _ = fmt.Fprintf(os.Stderr,
			"testtime: work takes %s (idle: %s), a process starts in %s (idle: %s): times in tests x %.1f\n",
			work.Round(100*time.Microsecond), idleWork, start.Round(100*time.Microsecond), idleStart, f)
	}
	return m.worst
}

// allow returns the factor for the times of the probe.
func allow(work, start time.Duration) float64 {
	slower := max(1, float64(work)/float64(idleWork), float64(start)/float64(idleStart))
	return min(most, bursts*slower)
}
