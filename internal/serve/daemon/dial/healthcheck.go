package dial

import (
	"context"
	"encoding/json"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// CheckEvery is the time between health checks while a call lasts, and ControlTime how long the daemon may take for the
// answer. Without them a call to a daemon that is stopped or hangs would never end.
const (
	CheckEvery  = 5 * time.Second
	ControlTime = 10 * time.Second
)

// Attend checks the health of the daemon while a request to it lasts. The context of the request ends when the daemon
// gives no sign of life; ended takes the error of the request, and returns that reason in its place.
func (c *Daemon) Attend(
	ctx context.Context, every, limit time.Duration,
) (attended context.Context, ended func(error) error) {
	attended, end := context.WithCancel(ctx)
	silent := make(chan bool, 1)
	go func() {
		t := time.NewTicker(every)
		defer t.Stop()
		healthy := true
		for healthy && attended.Err() == nil {
			select {
			case <-t.C:
				healthy = c.healthy(attended, limit)
			case <-attended.Done():
			}
		}
		end()
		silent <- !healthy
	}()
	return attended, func(err error) error {
		end()
		if <-silent && err != nil && ctx.Err() == nil { // else it answered at last
			return NoSign(c.Boot.PID)
		}
		return err
	}
}

// NoSign is the error of a call to a daemon that gives no sign of life.
func NoSign(process int) error {
	return fault.New(fault.Timeout, "ask daemon",
		"the daemon, process %d, gives no sign of life; it is not known whether the call took effect", process).
		WithHint("%s", fault.HintOf(Silent(process)))
}

// healthy sends a health check. Any answer counts as alive; a lost daemon surfaces in the call.
func (c *Daemon) healthy(ctx context.Context, limit time.Duration) bool {
	asking, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var about json.RawMessage
	err := c.Get(asking, "/v1/ping", &about)
	return err == nil || ctx.Err() != nil || asking.Err() == nil
}

// Silent is the error of a daemon that is there and does not answer: stopped, or wedged.
func Silent(process int) error {
	return fault.New(fault.Timeout, "ask daemon", "the daemon, process %d, gives no sign of life", process).
		WithHint("End that process by its number (kill -9 %d); what comes next starts a new daemon, which goes on with "+
			"its sessions.", process)
}
