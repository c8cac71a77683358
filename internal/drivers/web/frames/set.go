package frames

import (
	"context"
	"fmt"
	"sync"
	"time"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/screen"
)

// Set holds the tabs of a device with their sessions, frames and documents, and notifies waiting calls of every
// change.
type Set struct {
	Changes Broadcast
	Done    chan struct{}   // closed with the device
	Lost    <-chan struct{} // closed with the connection to the browser

	Hands bool // a person sees to which tab is in front

	sync.Mutex        // guards the rest, and the device's logs
	Tabs       []*Tab // in opening order
	privates   []*Tab // tabs of our own, see private
	asking     int    // private tabs that are in use, or asked for
	Active     *Tab
	lastTab    int
	Hosts      map[target.SessionID]*Host
	frameNo    map[proto.FrameID]int
	lastDoc    int64
	documents  map[int64]*Document // those alive, by serial
	ended      map[int64]string    // why the others ended, by serial
	Generation uint64              // grows whenever frames, tabs or dialogs change
}

// WorldGrace limits the time in which a tab between two documents gets one.
const WorldGrace = 2 * time.Second

// New is a set without tabs. lost is closed with the connection to the browser.
func New(lost <-chan struct{}) *Set {
	return &Set{
		Done: make(chan struct{}), Lost: lost,
		Hosts: map[target.SessionID]*Host{}, frameNo: map[proto.FrameID]int{},
		documents: map[int64]*Document{}, ended: map[int64]string{},
	}
}

// Locked makes an event handler that runs with the lock held and wakes the waiters after it.
func Locked[E any](set *Set, fn func(E)) func(E) {
	return func(e E) { set.Locked(func() { fn(e) }) }
}

// Locked runs fn with the lock held and wakes the waiters after it.
func (set *Set) Locked(fn func()) {
	set.Lock()
	fn()
	set.Unlock()
	set.Changes.Notify()
}

// Changed notes a change of frames, tabs or dialogs. The lock is held.
func (set *Set) Changed() { set.Generation++ }

// Await waits until cond, called with the lock held, is true or fails.
func (set *Set) Await(ctx context.Context, what string, cond func() (bool, error)) error {
	for {
		changed := set.Changes.Wait()
		ok, err := set.underLock(cond)
		if ok || err != nil {
			return err
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fault.Wrap(ctx.Err(), "", "wait for "+what)
		case <-set.Done:
			return fault.New(fault.Unavailable, "wait for "+what, "the device was closed")
		case <-set.Lost:
			return cdp.BrowserGone("wait for " + what)
		}
	}
}

func (set *Set) underLock(cond func() (bool, error)) (bool, error) {
	set.Lock()
	defer set.Unlock()
	return cond()
}

// CurrentLocked is Current with the lock held.
func (set *Set) CurrentLocked() (*Tab, error) {
	select {
	case <-set.Done:
		return nil, fault.New(fault.Unavailable, "use tab", "the device is closed")
	case <-set.Lost:
		return nil, cdp.BrowserGone("use tab")
	default:
	}
	switch {
	case set.Active != nil && set.Active.Crashed:
		return nil, cdp.PageCrashed("use tab", fmt.Sprintf("the page in %s", set.Active))
	case set.Active != nil:
		return set.Active, nil
	default:
		return nil, fault.New(fault.NotFound, "use tab", "no tab is open").
			WithHint("Navigate to an address, or open a new tab.")
	}
}

// Element finds the document and number that a NodeID names. The error says why a document ended.
func (set *Set) Element(id screen.NodeID) (*Document, int64, error) {
	set.Lock()
	defer set.Unlock()
	doc, element := set.Holder(id)
	if doc == nil {
		return nil, 0, fault.New(fault.NotFound, "find element", "%s", set.WhyGone(id)).WithHint("Take a new snapshot.")
	}
	return doc, element, nil
}

// Holder is the document that holds the element with this id, and the element's number; nil once it has ended. The lock
// is held.
func (set *Set) Holder(id screen.NodeID) (doc *Document, element int64) {
	serial, element := splitID(id)
	return set.documents[serial], element
}

// WhyGone returns the reason why the document that held the element with this id has ended. The lock is held.
func (set *Set) WhyGone(id screen.NodeID) string {
	serial, _ := splitID(id)
	if why := set.ended[serial]; why != "" {
		return why
	}
	return "its document is gone"
}

// Close ends all tabs and every wait. The lock is held.
func (set *Set) Close() {
	for _, t := range append(set.Tabs, set.privates...) {
		set.endTab(t)
	}
	set.Tabs, set.privates, set.Active = nil, nil, nil
	close(set.Done)
}

// documentGone notes a document's end. The lock is held.
func (set *Set) documentGone(doc *Document) {
	delete(set.documents, doc.serial)
	set.Changes.Notify()
}

func (set *Set) frameNumber(id proto.FrameID) int {
	n, ok := set.frameNo[id]
	if !ok {
		n = len(set.frameNo)
		set.frameNo[id] = n
	}
	return n
}

// Broadcast wakes every goroutine that waits for a change. The zero value is ready.
type Broadcast struct {
	mu   sync.Mutex
	next chan struct{}
}

// Wait returns a channel that the next notify closes. Take it before you check the condition, or a
// notify in between is lost.
func (p *Broadcast) Wait() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.next == nil {
		p.next = make(chan struct{})
	}
	return p.next
}

// Notify wakes all waiters.
func (p *Broadcast) Notify() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.next != nil {
		close(p.next)
		p.next = nil
	}
}

// Knows reports whether a frame or tab with that id was ever met here: a new tab may turn into a download before its
// frame is known.
func (set *Set) Knows(id proto.FrameID) bool {
	set.Lock()
	defer set.Unlock()
	_, known := set.frameNo[id]
	for _, t := range set.Tabs {
		known = known || string(t.Target) == string(id)
	}
	return known
}
