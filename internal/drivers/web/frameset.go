package web

import (
	"context"
	"sync"
	"time"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/screen"
)

// frameSet holds the tabs of a device with their sessions, frames and documents, and tells waiting
// calls of every change. Nothing in it knows of actions, captures or the driver.
type frameSet struct {
	changes broadcast
	done    chan struct{}   // closed with the device
	lost    <-chan struct{} // closed with the connection to the browser

	mu         sync.Mutex // guards the rest, and the device's logs
	tabs       []*tab     // in opening order
	privates   []*tab     // tabs of our own, see private
	asking     int        // private tabs that are in use, or asked for
	active     *tab
	lastTab    int
	hosts      map[target.SessionID]*host
	frameNo    map[proto.FrameID]int
	lastDoc    int64
	documents  map[int64]*document // those alive, by serial
	ended      map[int64]string    // why the others ended, by serial
	generation uint64              // grows whenever frames, tabs or dialogs change
}

// worldGrace is how long a tab between two documents may take to get one.
const worldGrace = 2 * time.Second

func newFrameSet(lost <-chan struct{}) frameSet {
	return frameSet{
		done: make(chan struct{}), lost: lost,
		hosts: map[target.SessionID]*host{}, frameNo: map[proto.FrameID]int{},
		documents: map[int64]*document{}, ended: map[int64]string{},
	}
}

// locked makes an event handler that runs with the lock held and wakes the waiters after it.
func locked[E any](d interface{ locked(fn func()) }, fn func(E)) func(E) {
	return func(e E) { d.locked(func() { fn(e) }) }
}

// locked runs fn with the lock held and wakes the waiters after it.
func (d *frameSet) locked(fn func()) {
	d.mu.Lock()
	fn()
	d.mu.Unlock()
	d.changes.notify()
}

// changed notes a change of frames, tabs or dialogs. Device.mu is held.
func (d *frameSet) changed() { d.generation++ }

// await waits until cond, called with Device.mu held, is true or fails.
func (d *frameSet) await(ctx context.Context, what string, cond func() (bool, error)) error {
	for {
		changed := d.changes.wait()
		ok, err := d.underLock(cond)
		if ok || err != nil {
			return err
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fault.Wrap(ctx.Err(), "", "wait for "+what)
		case <-d.done:
			return fault.New(fault.Unavailable, "wait for "+what, "the device was closed")
		case <-d.lost:
			return fault.New(fault.Unavailable, "wait for "+what, "the browser is gone")
		}
	}
}

func (d *frameSet) underLock(cond func() (bool, error)) (bool, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return cond()
}

// current is the active tab, or the reason why there is none.
func (d *frameSet) current() (*tab, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.currentLocked()
}

func (d *frameSet) currentLocked() (*tab, error) {
	select {
	case <-d.done:
		return nil, fault.New(fault.Unavailable, "use tab", "the device is closed")
	case <-d.lost:
		return nil, fault.New(fault.Unavailable, "use tab", "the browser is gone")
	default:
	}
	switch {
	case d.active != nil && d.active.crashed:
		return nil, fault.New(fault.Unavailable, "use tab", "the page in %s crashed", d.active).
			WithHint("Navigate it to a page again, or close it.")
	case d.active != nil:
		return d.active, nil
	default:
		return nil, fault.New(fault.NotFound, "use tab", "no tab is open").
			WithHint("Navigate to an address, or open a new tab.")
	}
}

// element finds the document and number that a NodeID names. The error says why a document ended.
func (d *frameSet) element(id screen.NodeID) (*document, int64, error) {
	serial, element := splitID(id)
	d.mu.Lock()
	defer d.mu.Unlock()
	if doc := d.documents[serial]; doc != nil {
		return doc, element, nil
	}
	why := d.ended[serial]
	if why == "" {
		why = "its document is gone"
	}
	return nil, 0, fault.New(fault.NotFound, "find element", "%s", why).WithHint("Take a new snapshot.")
}

// documentGone notes a document's end. Device.mu is held.
func (d *frameSet) documentGone(doc *document) {
	delete(d.documents, doc.serial)
	d.changes.notify()
}

func (d *frameSet) frameNumber(id proto.FrameID) int {
	n, ok := d.frameNo[id]
	if !ok {
		n = len(d.frameNo)
		d.frameNo[id] = n
	}
	return n
}

// broadcast wakes every goroutine that waits for a change. The zero value is ready.
type broadcast struct {
	mu   sync.Mutex
	next chan struct{}
}

// wait returns a channel that the next notify closes. Take it before you check the condition, or a
// notify in between is lost.
func (p *broadcast) wait() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.next == nil {
		p.next = make(chan struct{})
	}
	return p.next
}

// notify wakes all waiters.
func (p *broadcast) notify() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.next != nil {
		close(p.next)
		p.next = nil
	}
}

// awaitDocument waits a moment for frames that are between two documents, whose content is of no
// use.
func (d *frameSet) awaitDocument(ctx context.Context, t *tab, grace time.Duration) error {
	wait, cancel := context.WithTimeout(ctx, grace)
	defer cancel()
	err := d.await(wait, "page", func() (bool, error) {
		if t.closed() || t.dialog != nil || t.crashed {
			return true, nil
		}
		for _, f := range t.frames {
			if f.doc == nil && (f == t.main || grace < worldGrace) {
				return false, nil
			}
		}
		return t.main != nil, nil
	})
	if err != nil && wait.Err() != nil {
		return fault.Wrap(ctx.Err(), "", "capture screen")
	}
	return err
}
