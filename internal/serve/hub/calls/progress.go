package calls

import (
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/call/event"
)

// feed carries the progress of a call to its subscribers. Publish never blocks; a slow subscriber
// loses reports.
type feed struct {
	mu   sync.Mutex
	last Progress
	subs map[chan Progress]bool
}

const feedSize = 64

// Publish reports progress of the call.
func (c *Call) Publish(p Progress) {
	f := &c.feed
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

func (f *feed) subscribe() (ch chan Progress, stop func()) {
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

// report hands progress to fn, from one goroutine, until stop; in silence, a heartbeat. Nothing is
// handed over after stop has returned.
func (c *Call) report(fn func(Progress)) (stop func()) {
	if fn == nil {
		return func() {}
	}
	ch, unsubscribe := c.feed.subscribe()
	quit := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		heartbeat := time.NewTicker(c.registry.o.Heartbeat)
		defer heartbeat.Stop()
		for {
			select {
			case <-quit:
				for len(ch) > 0 { // hand over the reports from before the end
					c.hand(fn, <-ch)
				}
				return
			case p := <-ch:
				c.hand(fn, p)
			case <-heartbeat.C:
				fn(c.heartbeat())
			}
		}
	})
	return sync.OnceFunc(func() {
		unsubscribe()
		close(quit)
		wg.Wait()
	})
}

func (c *Call) hand(fn func(Progress), p Progress) {
	p.Elapsed = c.Elapsed()
	fn(p)
}

// heartbeat reports that the call still runs, or its reason to wait.
func (c *Call) heartbeat() Progress {
	last := c.feed.newest()
	p := Progress{Elapsed: c.Elapsed(), Step: last.Step, Total: last.Total, Event: "heartbeat"}
	p.Message = c.Tool() + " has been running for " + DurationText(p.Elapsed)
	c.mu.Lock()
	place, waiting := c.place, c.waiting
	c.mu.Unlock()
	if waiting && place != nil {
		p.Message = c.Tool() + " has been waiting for " + place.ID() + " for " + DurationText(p.Elapsed)
	} else if last.Message != "" {
		p.Message += ": " + last.Message
	}
	return p
}

// Tell publishes progress for the call and those that made it.
func (c *Call) Tell(p Progress) {
	for x := c; x != nil; x = x.parent {
		x.Publish(p)
	}
}

// Follow publishes the events of a session's log while the call runs, for the call and those that made it.
func (c *Call) Follow(log *event.Log) (stop func()) {
	return log.Observe(func(e event.Event) {
		switch {
		case e.Type == event.TrailStarted && e.Trail != nil:
			c.Tell(Progress{Event: "trail", Message: e.Trail.Title, Total: e.Trail.Steps})
		case e.Type == event.StepStarted && e.Step != nil:
			c.Tell(Progress{Event: "step", Message: e.Step.Text, Step: max(e.Step.Index+1, 0)})
		case e.Type == event.Note && e.Note.Level == event.LevelWaiting:
			c.Tell(Progress{Event: "waiting", Message: e.Note.Text})
		case e.Type == event.ToolStarted && e.Call != nil && (e.Call.ID != c.id || c.parent != nil):
			c.Tell(Progress{Event: "tool", Message: e.Call.Name})
		}
	})
}
