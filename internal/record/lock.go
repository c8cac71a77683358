package record

import (
	"context"
	"os"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// lockPoll is how often a folder that somebody else has is asked for. The kernel tells nobody when a lock is free, and a
// blocked request for one cannot be given up.
const lockPoll = 10 * time.Millisecond

// lockFolder keeps other savers, of this process and of others, out of a folder. The kernel frees the lock when its
// holder dies.
func lockFolder(ctx context.Context, root *os.Root, folder string, wait time.Duration) (unlock func(), err error) {
	const op = "lock trails folder"
	if wait <= 0 {
		wait = lockWait
	}
	f, err := openLock(root, folder)
	if err != nil {
		return nil, fault.Wrap(err, fault.Denied, op)
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	tick := time.NewTicker(lockPoll)
	defer tick.Stop()
	for tryLock(f) != nil {
		select {
		case <-tick.C:
		case <-ctx.Done():
			_ = f.Close()
			return nil, fault.New(fault.Busy, op, "somebody else has been saving in %s for %s", folder, wait).
				WithHint("Try again when that is done.")
		}
	}
	return func() { _ = f.Close() }, nil
}
