package testtime

import (
	"os"
	"runtime"
	"time"
)

// These are the times of the probe on an idle machine with two cores of 2024. A slower machine gets a larger factor,
// as it should.
const (
	idleWork  = 20 * time.Millisecond
	idleStart = 1 * time.Millisecond
)

const (
	rounds = 12_000_000 // of the fixed piece of work
	starts = 10         // of processes
)

// probe measures a fixed piece of work and the start of a process.
func probe() (work, start time.Duration) {
	began := time.Now()
	runtime.KeepAlive(spin(rounds)) // the compiler would leave it out
	work = time.Since(began)
	return work, startOne()
}

// spin is work whose every round needs the one before.
func spin(n int) uint64 {
	x := uint64(0x9e3779b97f4a7c15)
	for range n {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	return x
}

// startOne returns how long a process takes to start and end, on average; 0 where there is none to start.
func startOne() time.Duration {
	const program = "/bin/true"
	began := time.Now()
	for range starts {
		p, err := os.StartProcess(program, []string{program}, &os.ProcAttr{})
		if err != nil {
			return 0
		}
		if _, err := p.Wait(); err != nil {
			return 0
		}
	}
	return time.Since(began) / starts
}
