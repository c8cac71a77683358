package cli

import (
	"context"
	"errors"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/daemon/link"
)

// The control lane answers at once, and a daemon ends within ten seconds: one that does not is stopped itself.
const (
	controlTime = 10 * time.Second
	stopTime    = 30 * time.Second
)

// control asks the daemon that runs; there is no client when none does. What is asked may be asked twice: a daemon that is
// just ending may still take a question, and then there is none, or another.
func (a *app) control(ctx context.Context, ask func(context.Context, *link.Client) error) (*link.Client, error) {
	for again := false; ; again = true {
		l, err := a.link(ctx, false)
		if err != nil {
			if fault.KindOf(err) == fault.NotFound {
				err = nil
			}
			return nil, err
		}
		err = within(ctx, controlTime, l, func(ctx context.Context) error { return ask(ctx, l) })
		if again || !errors.Is(err, link.ErrGone) {
			return l, err
		}
	}
}

// within asks a daemon with a limit, and says what is left to do when it passes.
func within(ctx context.Context, limit time.Duration, l *link.Client, ask func(context.Context) error) error {
	bounded, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	err := ask(bounded)
	if err != nil && bounded.Err() != nil && ctx.Err() == nil {
		return silent(l.Boot.PID)
	}
	return err
}

// silent is the error of a daemon that is there and does not answer: stopped, or wedged.
func silent(process int) error {
	return fault.New(fault.Timeout, "ask daemon", "the daemon, process %d, gives no sign of life", process).
		WithHint("End that process by its number (kill -9 %d); what comes next starts a new daemon, which goes on with its sessions.", process)
}
