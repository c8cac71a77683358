package look

import (
	"runtime"
	"sync"
	"weak"

	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/screen"
)

// last keeps the newest snapshot that was shown in each session, for telling what changed since. A session is known by
// its memory, of which there is exactly one; when that is collected, its snapshot goes with it.
type last struct {
	shown sync.Map // weak.Pointer[memory.Store] -> *screen.Snapshot
}

// swap notes what is shown now and returns what was shown before, nil at first.
func (l *last) swap(session *memory.Store, now *screen.Snapshot) *screen.Snapshot {
	if session == nil {
		return nil
	}
	key := weak.Make(session)
	before, seen := l.shown.Swap(key, now)
	if !seen {
		runtime.AddCleanup(session, func(key weak.Pointer[memory.Store]) { l.shown.Delete(key) }, key)
		return nil
	}
	snap, _ := before.(*screen.Snapshot)
	return snap
}
