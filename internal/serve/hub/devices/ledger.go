package devices

import (
	"slices"
	"strconv"
	"sync"
	"time"
)

// Holding is a device that one client has alone.
type Holding struct {
	Client string // its id, which is a key
	Short  string // the beginning of it, which others may see
	Label  string // of the client
	Since  time.Time
	Limit  time.Duration // without a call on the device, after which it is given back; 0: none
}

// Ledger keeps which client has which device alone, and whose turn is next. It is all that a Pool needs of a store and
// of a queue: pools of several machines share their devices by a Ledger that they share. It is safe for concurrent use.
//
// A Pool has a device closed before it gives it back. A Ledger of several pools also gives back what a pool held that
// is gone.
type Ledger interface {
	// Join puts a client into the queue and returns its place in it.
	Join(client string) (ticket string)
	// Leave takes a client out of the queue. One that was not served keeps its turn for its next wish.
	Leave(ticket string, served bool)
	// Take makes a device the client's: the first of the free ones that is nobody's, or the client's own, and that fits no
	// client before it in the queue. It returns "" when there is none. The client waits for all that fit.
	Take(ticket string, fits, free []string, h Holding) (device string)
	// Give ends the holding of a device.
	Give(device string)
	// Holding returns who has a device alone.
	Holding(device string) (h Holding, held bool)
	// Changed returns a channel that is closed when another Take may end otherwise.
	Changed() <-chan struct{}
}

// ledger is the Ledger of one pool. Each client has its turn: who asks for many devices waits longer for the next
// than who asks for one.
type ledger struct {
	mu      sync.Mutex
	held    map[string]Holding
	waiting []*waiting
	turn    int            // of the device that was taken last
	next    map[string]int // turn of a client's next wish, by its id
	tickets int
	changed chan struct{}
}

type waiting struct {
	ticket, client string
	turn           int
	fits           []string
}

// NewLedger makes a Ledger for one pool, in memory.
func NewLedger() Ledger {
	return &ledger{held: map[string]Holding{}, next: map[string]int{}, changed: make(chan struct{})}
}

// Join implements Ledger.
func (l *ledger) Join(client string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	for id, turn := range l.next {
		if turn <= l.turn {
			delete(l.next, id)
		}
	}
	l.tickets++
	w := &waiting{ticket: strconv.Itoa(l.tickets), client: client, turn: max(l.turn, l.next[client])}
	l.next[client] = w.turn + 1
	i := 0
	for i < len(l.waiting) && l.waiting[i].turn <= w.turn {
		i++
	}
	l.waiting = slices.Insert(l.waiting, i, w)
	return w.ticket
}

// Leave implements Ledger.
func (l *ledger) Leave(ticket string, served bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	i := l.at(ticket)
	w := l.waiting[i]
	l.waiting = slices.Delete(l.waiting, i, i+1)
	if served {
		l.turn = max(l.turn, w.turn)
	} else {
		l.next[w.client]--
	}
	l.change()
}

func (l *ledger) at(ticket string) int {
	return slices.IndexFunc(l.waiting, func(w *waiting) bool { return w.ticket == ticket })
}

// Take implements Ledger.
func (l *ledger) Take(ticket string, fits, free []string, h Holding) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	i := l.at(ticket)
	l.waiting[i].fits = fits
	for _, id := range free {
		was, held := l.held[id]
		wanted := slices.ContainsFunc(l.waiting[:i], func(w *waiting) bool { return slices.Contains(w.fits, id) })
		if held && was.Client != h.Client || !held && wanted {
			continue
		}
		if held {
			h.Since = was.Since
		}
		l.held[id] = h
		return id
	}
	return ""
}

// Give implements Ledger.
func (l *ledger) Give(device string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, held := l.held[device]; held {
		delete(l.held, device)
		l.change()
	}
}

// Holding implements Ledger.
func (l *ledger) Holding(device string) (Holding, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	h, held := l.held[device]
	return h, held
}

// Changed implements Ledger.
func (l *ledger) Changed() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.changed
}

func (l *ledger) change() {
	close(l.changed)
	l.changed = make(chan struct{})
}
