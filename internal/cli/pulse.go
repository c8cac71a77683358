package cli

import (
	"context"
	"encoding/json"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/daemon/link"
)

// pulseEvery is how often who waits for a call asks the daemon, beside it, for a sign of life. A call may last; a daemon that
// is stopped or wedged would let it last for ever.
const pulseEvery = 5 * time.Second

// attended runs ask, and gives it up when the daemon gives no sign of life any more.
func attended(ctx context.Context, every, limit time.Duration, l *link.Client, ask func(context.Context) error) error {
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
		if pulse(asking, limit, l) {
			continue
		}
		end(nil)
		if err := <-done; err == nil || ctx.Err() != nil {
			return err // it answered at last
		}
		return fault.New(fault.Timeout, "ask daemon", "the daemon, process %d, gives no sign of life; it is not known whether the call took effect", l.Boot.PID).
			WithHint("%s", fault.HintOf(silent(l.Boot.PID)))
	}
}

// pulse asks for a sign of life. Only silence is a no: that a daemon has gone is noticed by the call itself.
func pulse(ctx context.Context, limit time.Duration, l *link.Client) bool {
	asking, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var about json.RawMessage
	err := l.Get(asking, "/v1/ping", &about)
	return err == nil || ctx.Err() != nil || asking.Err() == nil
}
