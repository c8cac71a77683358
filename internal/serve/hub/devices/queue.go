package devices

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
)

// queue leases one device to one call at a time, first come first served. An idle device goes to
// the next call. Calls of the client that uses a busy device wait as long as it takes; calls of
// other clients wait only a moment.
type queue struct {
	mu        sync.Mutex
	holder    *clients.Client
	running   *calls.Call
	restoring bool          // the call is over, its device is being made usable again
	waiting   []*waiter     // first come first served
	changed   chan struct{} // closed when running or restoring changes
}

type waiter struct {
	call    *calls.Call
	granted chan struct{}
}

// acquire leases the device to a call, or says which call has it.
func (q *queue) acquire(ctx context.Context, me *calls.Call, device string, timeout time.Duration) error {
	w := q.enqueue(me)
	if w == nil {
		return nil
	}
	if _, r := q.current(); r != nil && (me.Within(r) || me.Within(r.Parent())) && q.leave(w) {
		return fault.New(fault.Conflict, "", "%s would wait for %s, which waits for it", me.Tool(), r.Tool()).
			WithHint("A management tool that has leased a device calls the device's tools through its lease.")
	}
	me.Await(true)
	defer me.Await(false)
	for {
		foreign, changed := q.look(me)
		waited := w.wait(ctx, changed, foreign, timeout)
		if foreign {
			timeout -= waited // counts only while a call of another client runs
		}
		switch {
		case w.won():
			return nil
		case ctx.Err() != nil:
			if !q.leave(w) {
				q.release(me)
			}
			return fault.Wrap(context.Cause(ctx), fault.KindOf(ctx.Err()), "wait for "+device)
		case foreign && timeout <= 0:
			busy := q.busy(device)
			if !q.leave(w) {
				return nil
			}
			return busy
		}
	}
}

// enqueue grants the device at once when it is free, or queues the call.
func (q *queue) enqueue(me *calls.Call) *waiter {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.running == nil && len(q.waiting) == 0 {
		q.grantLocked(me)
		return nil
	}
	w := &waiter{call: me, granted: make(chan struct{})}
	q.waiting = append(q.waiting, w)
	return w
}

// wait waits until something changes for the call, and no longer than timeout while a call of another client runs.
func (w *waiter) wait(ctx context.Context, changed <-chan struct{}, foreign bool, timeout time.Duration) time.Duration {
	var over <-chan time.Time
	if foreign {
		timer := time.NewTimer(timeout)
		defer timer.Stop()
		over = timer.C
	}
	began := time.Now()
	select {
	case <-w.granted:
	case <-changed:
	case <-over:
	case <-ctx.Done():
	}
	return time.Since(began)
}

func (w *waiter) won() bool {
	select {
	case <-w.granted:
		return true
	default:
		return false
	}
}

func (q *queue) grantLocked(to *calls.Call) {
	q.running, q.restoring = to, false
	if to != nil {
		q.holder = to.Client()
	}
	q.changeLocked()
}

func (q *queue) changeLocked() {
	if q.changed != nil {
		close(q.changed)
		q.changed = nil
	}
}

// look reports whether a call of another client runs, and returns a channel to wait for.
func (q *queue) look(me *calls.Call) (foreign bool, changed <-chan struct{}) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.changed == nil {
		q.changed = make(chan struct{})
	}
	return q.running != nil && q.running.Client() != me.Client() && !q.restoring, q.changed
}

// leave takes a call out of the queue; false says that it has the device already.
func (q *queue) leave(w *waiter) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	i := slices.Index(q.waiting, w)
	if i < 0 {
		return false
	}
	q.waiting = slices.Delete(q.waiting, i, i+1)
	return true
}

// release ends a call's lease; the next in the queue has the device when it returns.
func (q *queue) release(me *calls.Call) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.running != me {
		return
	}
	if len(q.waiting) == 0 {
		q.grantLocked(nil)
		return
	}
	w := q.waiting[0]
	q.waiting = q.waiting[1:]
	q.grantLocked(w.call)
	close(w.granted)
}

// restore notes that the running call is over and its device is being made usable.
func (q *queue) restore() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.restoring = true
	q.changeLocked()
}

// free ends a client's hold on a device that it does not use.
func (q *queue) free(c *clients.Client) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.holder == c {
		q.holder = nil
	}
}

// current is the client that used the device last and has not left, and the call that uses it now.
func (q *queue) current() (holder *clients.Client, running *calls.Call) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.restoring {
		return q.holder, nil
	}
	return q.holder, q.running
}

// busy is the refusal, with holder, tool and elapsed time.
func (q *queue) busy(device string) error {
	_, r := q.current()
	if r == nil {
		return fault.New(fault.Busy, "", "Device %s is busy", device).WithHint("Try again.")
	}
	by := r.Client()
	f := fault.New(fault.Busy, "", "Device %s is busy: %s (client %s) has been running %s for %s",
		device, by.Label(), by.Short(), r.Tool(), calls.DurationText(r.Elapsed()))
	f.Device = device
	return f.WithHint("Try again when it is done, or work on a device of your own: connect web/NAME and use that.")
}
