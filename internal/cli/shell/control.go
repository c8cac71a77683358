package shell

import (
	"context"
	"errors"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/serve/daemon/dial"
)

// The control lane answers at once, and a daemon ends within ten seconds: one that does not is stopped itself.
const (
	ControlTime = dial.ControlTime
	StopTime    = 30 * time.Second
)

// Control asks the daemon that runs; there is no client when none does. It may ask twice: a daemon that is just ending
// may still take a question, and then there is none, or another.
func (a *Shell) Control(ctx context.Context, ask func(context.Context, *dial.Daemon) error) (*dial.Daemon, error) {
	for again := false; ; again = true {
		l, err := a.Link(ctx, false)
		if err != nil {
			if fault.KindOf(err) == fault.NotFound {
				err = nil
			}
			return nil, err
		}
		err = Within(ctx, ControlTime, l, func(ctx context.Context) error { return ask(ctx, l) })
		if again || !errors.Is(err, dial.ErrGone) {
			return l, err
		}
	}
}

// Within asks a daemon with a limit, and names the calls still open when it passes.
func Within(ctx context.Context, limit time.Duration, l *dial.Daemon, ask func(context.Context) error) error {
	bounded, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	err := ask(bounded)
	if err != nil && bounded.Err() != nil && ctx.Err() == nil {
		return dial.Silent(l.Boot.PID)
	}
	return err
}

// Stopped reports whether Ctrl-C was pressed.
func Stopped(ctx context.Context, err error) bool {
	return err != nil && ctx.Err() != nil
}
