package act

import (
	"context"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/frames"
)

// Attended is an action that a person carries out. The page script took stock before the page saw anything of it.
type Attended struct {
	a     *action // whose effect is waited for
	begun action  // the same as it was in the beginning
	over  chan struct{}

	end    sync.Once
	done   chan struct{} // closed when the effect is known
	effect *driver.Effect
}

// Attend notes the state of the device before an action of a person in a document. token names the action there.
func (p *Performer) Attend(doc *frames.Document, token int64) *Attended {
	a := &action{p: p, t: doc.Frame.Tab, doc: doc, token: token, began: time.Now(), op: "act by hand"}
	p.frames.Locked(func() {
		a.noteBefore()
		a.nav = p.watchNavigation(a.t)
	})
	return &Attended{a: a, begun: *a, over: make(chan struct{}), done: make(chan struct{})}
}

// Token names the action in its document.
func (x *Attended) Token() int64 { return x.begun.token }

// Report is what the page script says of an action that is over; see Outcome in act.ts.
type Report = outcome

// Over closes the books of the action: the person does the next thing. now is what the page script says of it, nil when
// its document has ended. Over is called once.
func (x *Attended) Over(now *Report) {
	close(x.over)
	x.settled(&x.begun, now, driver.Settle{Reason: "busy", Pending: []string{"the next action of the person"}})
}

// Next returns a channel that is closed when the person does the next thing.
func (x *Attended) Next() <-chan struct{} { return x.over }

// Effect waits until the device has come to rest, or the person does the next thing.
func (x *Attended) Effect(ctx context.Context) (*driver.Effect, error) {
	rest, cancel := context.WithCancel(ctx)
	defer cancel()
	failed := make(chan error, 1)
	go func() {
		now, s, err := x.a.settle(rest, x.a.finish)
		for err == nil && s.Reason == "dialog" && x.answered(rest) {
			now, s, err = x.a.settle(rest, x.a.finish)
		}
		if err == nil {
			x.settled(x.a, now, s)
		}
		failed <- err
	}()
	var err error
	select {
	case <-x.done:
		cancel()
		err = <-failed
	case err = <-failed:
	}
	switch {
	case err == nil:
	case ctx.Err() != nil:
		return nil, ctx.Err()
	default: // unless it is settled already
		x.settled(x.a, nil, driver.Settle{Reason: "busy", Pending: []string{err.Error()}})
	}
	return x.effect, nil
}

// answered waits until the person has answered the dialog that is open.
func (x *Attended) answered(ctx context.Context) bool {
	t := x.a.t
	return x.a.p.frames.Await(ctx, "answer to the dialog", func() (bool, error) {
		return !t.AwaitsDialog() || t.Closed(), nil
	}) == nil
}

// settled keeps the effect of the action, as far as it is known when it ends.
func (x *Attended) settled(a *action, now *outcome, s driver.Settle) {
	x.end.Do(func() {
		x.effect = a.effect(now, s)
		x.begun.close()
		close(x.done)
	})
}
