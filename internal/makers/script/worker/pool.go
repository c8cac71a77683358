package worker

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"time"
)

// The bounds of all children. A job that asks for a call may wait for another job, one level deeper, so each level has
// places of its own: no job waits for one that waits.
const (
	places     = 16 // of jobs that no job waits for
	deepPlaces = 4  // of each deeper level
	idleTime   = 30 * time.Second
	maxJobs    = 1000 // of one child
)

// workers are the children of this process.
var workers = &pool{}

// pool starts children, keeps those that are idle, and bounds how many there are.
type pool struct {
	mu     sync.Mutex
	idle   []*worker
	levels []chan struct{}
	owners int
	ending sync.WaitGroup
}

// Hold keeps idle workers until the last owner has released them.
func Hold() (release func()) {
	workers.mu.Lock()
	workers.owners++
	workers.mu.Unlock()
	return sync.OnceFunc(func() {
		workers.mu.Lock()
		workers.owners--
		last := workers.owners == 0
		workers.mu.Unlock()
		if last {
			Close()
		}
	})
}

// Close ends the idle workers and returns when they are gone. Others may be started afterwards.
func Close() {
	workers.mu.Lock()
	idle := workers.idle
	workers.idle = nil
	workers.mu.Unlock()
	for _, w := range idle {
		w.idle.Stop()
		w.end()
	}
	workers.ending.Wait()
}

type levelKey struct{}

// queue waits for a place. The context is for jobs that the job sets off.
func (p *pool) queue(ctx context.Context) (inside context.Context, leave func(), err error) {
	level, _ := ctx.Value(levelKey{}).(int)
	p.mu.Lock()
	for len(p.levels) <= level {
		n := deepPlaces
		if len(p.levels) == 0 {
			n = places
		}
		p.levels = append(p.levels, make(chan struct{}, n))
	}
	turn := p.levels[level]
	p.mu.Unlock()
	if ctx.Err() != nil {
		return nil, nil, context.Cause(ctx)
	}
	select {
	case turn <- struct{}{}:
		return context.WithValue(ctx, levelKey{}, level+1), func() { <-turn }, nil
	case <-ctx.Done():
		return nil, nil, context.Cause(ctx)
	}
}

// take returns an idle worker, else a new one.
func (p *pool) take() (*worker, error) {
	p.mu.Lock()
	for len(p.idle) > 0 {
		last := len(p.idle) - 1
		w := p.idle[last]
		p.idle = p.idle[:last]
		if !w.idle.Stop() || w.gone() { // it is being ended
			continue
		}
		p.mu.Unlock()
		return w, nil
	}
	p.mu.Unlock()
	return start()
}

// gone reports whether the process of an idle worker has ended unasked.
func (w *worker) gone() bool {
	select {
	case <-w.proc.Done():
		w.end()
		return true
	default:
		return false
	}
}

// keep keeps a worker for the next job, unless there are enough.
func (p *pool) keep(w *worker) {
	w.at = nil
	p.mu.Lock()
	if len(p.idle) < max(2, runtime.GOMAXPROCS(0)) && w.jobs < maxJobs {
		defer p.mu.Unlock()
		w.idle = time.AfterFunc(idleTime, func() { p.retire(w) })
		p.idle = append(p.idle, w)
		return
	}
	p.mu.Unlock()
	p.drop(w)
}

// retire ends a worker that was not needed for a while.
func (p *pool) retire(w *worker) {
	p.mu.Lock()
	p.ending.Add(1)
	p.idle = slices.DeleteFunc(p.idle, func(o *worker) bool { return o == w })
	p.mu.Unlock()
	defer p.ending.Done()
	w.end()
}

// drop ends a worker.
func (p *pool) drop(w *worker) { w.end() }
