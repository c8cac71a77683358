package client

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

// WithHealthCheck runs ask, and gives up when the daemon answers no health check.
func (c *Client) WithHealthCheck(
	ctx context.Context, every, limit time.Duration, ask func(context.Context) error,
) error {
	asking, end := context.WithCancelCause(ctx)
	done := make(chan error, 1)
	go func() { done <- ask(asking) }()
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		select {
		case err := <-done:
			end(nil)
			return err
		case <-t.C:
		}
		if c.healthy(asking, limit) {
			continue
		}
		end(nil)
		if err := <-done; err == nil || ctx.Err() != nil {
			return err // it answered at last
		}
		return NoSign(c.Boot.PID)
	}
}

// NoSign is the error of a call to a daemon that gives no sign of life.
func NoSign(process int) error {
	return fault.New(fault.Timeout, "ask daemon",
		"the daemon, process %d, gives no sign of life; it is not known whether the call took effect", process).
		WithHint("%s", fault.HintOf(Silent(process)))
}

// healthy sends a health check. Any answer counts as alive; a lost daemon surfaces in the call.
func (c *Client) healthy(ctx context.Context, limit time.Duration) bool {
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
