package shell

import (
	"context"
	"encoding/json"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/daemon/client"
)

// checkEvery is the time between health checks while a call lasts. Without them a call to a daemon that
// is stopped or hangs would never end.
const checkEvery = 5 * time.Second

// withHealthCheck runs ask, and gives up when the daemon answers no health check.
func withHealthCheck(ctx context.Context, every, limit time.Duration, l *client.Client,
	ask func(context.Context) error) error {
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
		if healthy(asking, limit, l) {
			continue
		}
		end(nil)
		if err := <-done; err == nil || ctx.Err() != nil {
			return err // it answered at last
		}
		return fault.New(fault.Timeout, "ask daemon",
			"the daemon, process %d, gives no sign of life; it is not known whether the call took effect", l.Boot.PID).
			WithHint("%s", fault.HintOf(Silent(l.Boot.PID)))
	}
}

// healthy sends a health check. Any answer counts as alive; a lost daemon surfaces in the call.
func healthy(ctx context.Context, limit time.Duration, l *client.Client) bool {
	asking, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var about json.RawMessage
	err := l.Get(asking, "/v1/ping", &about)
	return err == nil || ctx.Err() != nil || asking.Err() == nil
}
