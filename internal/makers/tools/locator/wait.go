package locator

import (
	"context"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/screen"
)

// These set how often the screen is captured while waiting. Changes wake the wait; the pauses only keep a page that
// never rests from taking a whole core, and find changes without an event (a style sheet that arrives, a transition
// that ends).
const (
	firstPause = 10 * time.Millisecond
	longPause  = 100 * time.Millisecond
	blindPause = 500 * time.Millisecond
)

// Judge judges a capture: done ends the wait. An error ends it too.
type Judge func(*screen.Snapshot) (done bool, err error)

// Until captures the screen until look is satisfied or the timeout is over, and returns the last capture and whether
// look was satisfied. It wakes on changes of the screen. Before it gives up it looks once more at everything, caches
// aside. When ctx ends first it returns ctx's error with the last capture.
func Until(ctx context.Context, dev driver.Device, timeout time.Duration, css []string, look Judge) (*screen.Snapshot,
	bool, error) {
	deadline := time.Now().Add(timeout)
	var last *screen.Snapshot
	for pause := firstPause; ; pause = min(2*pause, longPause) {
		final := !time.Now().Before(deadline)
		snap, err := dev.Snapshot(ctx, driver.SnapshotOptions{CSS: css, Full: final && timeout > 0})
		if err != nil {
			return last, false, fault.Wrap(err, "", "capture screen")
		}
		last = snap
		done, err := look(snap)
		if done || err != nil || final {
			return snap, done && err == nil, err
		}
		if err := next(ctx, dev, snap, pause, time.Until(deadline)); err != nil {
			return snap, false, err
		}
	}
}

// next returns when the screen has changed since snap (but not before pause), when left is over, or with ctx's error.
func next(ctx context.Context, dev driver.Device, snap *screen.Snapshot, pause, left time.Duration) error {
	rest := time.NewTimer(min(pause, max(left, 0)))
	defer rest.Stop()
	if w, ok := driver.As[driver.Waiter](dev); ok {
		// A wait without news is no failure, and neither is a driver that is busy being navigated: the next capture decides.
		wctx, cancel := context.WithTimeout(ctx, min(blindPause, max(left, 0)))
		err := w.WaitChange(wctx, snap)
		cancel()
		if err != nil && ctx.Err() == nil && fault.KindOf(err) == fault.Unavailable {
			return err
		}
	}
	select {
	case <-rest.C:
		return nil
	case <-ctx.Done():
		return fault.Wrap(ctx.Err(), "", "wait for change")
	}
}
