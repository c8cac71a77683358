package cli

import (
	"context"
	"sync"

	"github.com/trailblaze-dev/trailblaze/internal/event/index"
	"github.com/trailblaze-dev/trailblaze/screen"
)

// greens opens the history only when a step has failed: most runs never ask, and should not wait for it.
type greens struct {
	ctx   context.Context // the run's; the index lives as long as it
	root  string
	once  sync.Once
	index *index.Index
}

// LastGreen implements replay.Greens.
func (g *greens) LastGreen(trailKey string, step int) (*screen.Snapshot, bool) {
	g.once.Do(func() {
		x, err := index.Open(g.ctx, g.root)
		if err != nil {
			return
		}
		if err := x.Sync(g.ctx); err != nil {
			_ = x.Close()
			return
		}
		g.index = x
	})
	if g.index == nil {
		return nil, false
	}
	return index.Greens{Index: g.index}.LastGreen(trailKey, step)
}

func (g *greens) close() {
	g.once.Do(func() {})
	if g.index != nil {
		_ = g.index.Close()
	}
}
