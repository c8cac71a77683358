package hub

import (
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/event"
)

// feed carries signs of life from a call to whoever watches it. Telling never blocks: who reads too slowly misses some.
type feed struct {
	mu   sync.Mutex
	last Progress
	subs map[chan Progress]bool
}

const feedSize = 64

func (f *feed) tell(p Progress) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if p.Step == 0 {
		p.Step = f.last.Step
	}
	if p.Total == 0 {
		p.Total = f.last.Total
	}
	f.last = p
	for ch := range f.subs {
		select {
		case ch <- p:
		default:
		}
	}
}

func (f *feed) newest() Progress {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.last
}

func (f *feed) watch() (ch chan Progress, stop func()) {
	ch = make(chan Progress, feedSize)
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.subs == nil {
		f.subs = map[chan Progress]bool{}
	}
	f.subs[ch] = true
	return ch, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.subs, ch)
	}
}

// report hands signs of life to fn, from one goroutine, until stop; while nothing is said, a heartbeat. Nothing is handed
// over after stop has returned.
func (c *call) report(fn func(Progress)) (stop func()) {
	if fn == nil {
		return func() {}
	}
	ch, unwatch := c.feed.watch()
	quit := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		beat := time.NewTicker(c.hub.o.Heartbeat)
		defer beat.Stop()
		for {
			select {
			case <-quit:
				for len(ch) > 0 { // what was said before the end is handed over before the end
					c.hand(fn, <-ch)
				}
				return
			case p := <-ch:
				c.hand(fn, p)
			case <-beat.C:
				fn(c.heartbeat())
			}
		}
	})
	return sync.OnceFunc(func() {
		unwatch()
		close(quit)
		wg.Wait()
	})
}

func (c *call) hand(fn func(Progress), p Progress) {
	p.Elapsed = c.elapsed()
	fn(p)
}

// heartbeat says that the call still runs, or what it waits for.
func (c *call) heartbeat() Progress {
	last := c.feed.newest()
	p := Progress{Elapsed: c.elapsed(), Step: last.Step, Total: last.Total, Event: "heartbeat"}
	p.Message = c.req.Call.Name + " has been running for " + spell(p.Elapsed)
	c.mu.Lock()
	sl, waiting := c.slot, c.waiting
	c.mu.Unlock()
	if waiting && sl != nil {
		p.Message = c.req.Call.Name + " has been waiting for " + sl.id + " for " + spell(p.Elapsed)
	} else if last.Message != "" {
		p.Message += ": " + last.Message
	}
	return p
}

// listen makes signs of life of what a session's log is told while the call runs.
func (c *call) listen(log *event.Log) (stop func()) {
	tell := func(p Progress) {
		for x := c; x != nil; x = x.parent {
			x.feed.tell(p)
		}
	}
	return log.Observe(func(e event.Event) {
		switch {
		case e.Type == event.TrailStarted && e.Trail != nil:
			tell(Progress{Event: "trail", Message: e.Trail.Title, Total: e.Trail.Steps})
		case e.Type == event.StepStarted && e.Step != nil:
			tell(Progress{Event: "step", Message: e.Step.Text, Step: max(e.Step.Index+1, 0)})
		case e.Type == event.ToolStarted && e.Call != nil && (e.Call.ID != c.id || c.parent != nil):
			tell(Progress{Event: "tool", Message: e.Call.Name})
		}
	})
}
