package record

import (
	"context"
	"os"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/file"
)

// lockFolder keeps other savers, of this process and of others, out of a folder. The kernel frees the lock when its
// holder dies.
func lockFolder(ctx context.Context, root *os.Root, folder string, wait time.Duration) (unlock func(), err error) {
	const op = "lock trails folder"
	if wait <= 0 {
		wait = lockWait
	}
	f, err := file.OpenFolderLock(root, folder)
	if err != nil {
		return nil, fault.Wrap(err, fault.Denied, op)
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	switch err := file.Lock(ctx, f); {
	case err == nil:
		return func() { _ = f.Close() }, nil
	case ctx.Err() == nil:
		return nil, fault.Wrap(err, fault.Unavailable, op)
	}
	return nil, fault.New(fault.Busy, op, "somebody else has been saving in %s for %s", folder, wait).
		WithHint("Try again when that is done.")
}
