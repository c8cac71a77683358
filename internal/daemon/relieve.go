package daemon

import (
	"context"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/proc"
)

const (
	// plenty is how much memory an idle daemon may hold.
	plenty = 80 << 20
	// restTime is the time without a garbage collection after which the daemon counts as idle.
	restTime = 10 * time.Second
	// againTime is the pause before another attempt when much memory was still in use.
	againTime = 30 * time.Second
)

// relieve gives memory back to the system after a large call: Go collects garbage when more is
// allocated, and an idle daemon allocates nothing for minutes. It follows the collector's own
// cycles, because every large call causes one.
func (d *Daemon) relieve(ctx context.Context) {
	cycles := make(chan struct{}, 1)
	follow(ctx, cycles)
	t := time.NewTimer(restTime)
	defer t.Stop()
	pause := proc.StartQuiet
	quiet := time.NewTimer(pause)
	defer quiet.Stop()
	var seen uint64
	for {
		select {
		case <-ctx.Done():
			return
		case <-d.asked:
			quiet.Reset(pause)
		case <-quiet.C:
			proc.Relieve()
			if pause = proc.NextQuiet(pause); pause < proc.Quiet {
				quiet.Reset(pause)
			}
		case <-cycles:
			if n := read(automaticCycles); n != seen { // else FreeOSMemory made the cycle
				seen = n
				t.Reset(restTime)
			}
		case <-t.C:
			if held() <= plenty {
				continue
			}
			debug.FreeOSMemory()
			if held() > plenty { // a large page is open, whose end makes no cycle
				t.Reset(againTime)
			}
		}
	}
}

// follow signals every cycle of the garbage collector, until ctx ends.
func follow(ctx context.Context, cycles chan<- struct{}) {
	type sentinel struct{ _ *sentinel } // with a pointer, so that it has its own block of memory
	runtime.AddCleanup(new(sentinel), func(cycles chan<- struct{}) {
		if ctx.Err() != nil {
			return
		}
		select {
		case cycles <- struct{}{}:
		default:
		}
		follow(ctx, cycles)
	}, cycles)
}

const (
	automaticCycles = "/gc/cycles/automatic:gc-cycles"
	mapped          = "/memory/classes/total:bytes"
	released        = "/memory/classes/heap/released:bytes"
)

// held is the memory that the runtime has from the system.
func held() uint64 { return read(mapped) - read(released) }

func read(name string) uint64 {
	s := []metrics.Sample{{Name: name}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}
