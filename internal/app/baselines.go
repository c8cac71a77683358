package app

import (
	"context"
	"sync"

	"github.com/trailblaze-dev/trailblaze/internal/event/index"
	"github.com/trailblaze-dev/trailblaze/screen"
)

// baselines finds the screens of earlier passes. It opens the history when a step has failed, because most runs need
// none.
type baselines struct {
	ctx   context.Context // of the run; the index lives as long
	root  string
	once  sync.Once
	index *index.Index
}

// Baseline implements replay.Baselines.
func (b *baselines) Baseline(trailKey string, step int) (*screen.Snapshot, bool) {
	b.once.Do(func() {
		x, err := index.Open(b.ctx, b.root)
		if err != nil {
			return
		}
		if err := x.Sync(b.ctx); err != nil {
			_ = x.Close()
			return
		}
		b.index = x
	})
	if b.index == nil {
		return nil, false
	}
	return index.Baselines{Index: b.index}.Baseline(trailKey, step)
}

func (b *baselines) close() {
	b.once.Do(func() {})
	if b.index != nil {
		_ = b.index.Close()
	}
}
