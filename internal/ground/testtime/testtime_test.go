package testtime

import (
	"runtime"
	"testing"
	"time"
)

// TestAllow proves that the allowance follows the slower of the two probes, never falls below the promise, and is
// bounded.
func TestAllow(t *testing.T) {
	for _, test := range []struct {
		name        string
		work, start time.Duration
		want        float64
	}{
		{"an idle machine", idleWork, idleStart, bursts},
		{"a faster one", idleWork / 4, idleStart / 4, bursts},
		{"a machine without a process to start", idleWork, 0, bursts},
		{"work that is slow", 3 * idleWork, idleStart, 3 * bursts},
		{"processes that are slow", idleWork, 4 * idleStart, 4 * bursts},
		{"a machine that hardly runs", 1000 * idleWork, idleStart, most},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := allow(test.work, test.start); got != test.want {
				t.Errorf("allow(%s, %s) = %.1f, want %.1f", test.work, test.start, got, test.want)
			}
		})
	}
}

// TestWithin proves that strict runs hold tests to the promise, and that others allow more, but not without end.
func TestWithin(t *testing.T) {
	t.Setenv(Env, "1")
	if got := Within(time.Second); got != time.Second {
		t.Errorf("with %s=1 a second may take %s", Env, got)
	}
	t.Setenv(Env, "")
	if got := Within(time.Second); got < bursts*time.Second || got > most*time.Second {
		t.Errorf("a second may take %s, want between %d and %d of them", got, bursts, most)
	}
}

// TestFactor prints the factor of this machine, for the log of CI.
func TestFactor(t *testing.T) {
	if f := Factor(); f < bursts || f > most {
		t.Errorf("the factor is %.1f, want between %d and %d", f, bursts, most)
	}
}

func BenchmarkProbe(b *testing.B) {
	b.Run("work", func(b *testing.B) {
		for b.Loop() {
			runtime.KeepAlive(spin(rounds))
		}
	})
	b.Run("start", func(b *testing.B) {
		for b.Loop() {
			startOne()
		}
	})
}
