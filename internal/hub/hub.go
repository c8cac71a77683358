package hub

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Hub holds the seats, slots, calls and live sessions of a daemon.
type Hub struct {
	o       Options
	started time.Time
	store   seatStore
	open    *openFile // what a next daemon must know should this one be lost
	desk    []tool.Tool
	isDesk  map[string]bool
	life    context.Context // of what outlives a call: cleaning up after one, opening devices
	stop    context.CancelCauseFunc
	work    sync.WaitGroup // goroutines of ours, and calls

	choosing sync.Mutex // held while a client's slot is chosen: two must not take one free name

	keeping sync.Mutex // held while what is open is written down: what is newer is written later

	mu     sync.Mutex // held for moments, never while anything is waited for
	seats  map[string]*Seat
	slots  map[string]*slot
	spaces map[string]*space
	calls  map[string]*call
	jobs   map[string]*job
	active time.Time
	swept  time.Time
	closed bool
}

var errClosing = fault.New(fault.Canceled, "", "the daemon is stopping")

// New makes a Hub. What a lost daemon had open under the same home is brought back when it is next used.
func New(o Options) (*Hub, error) {
	o = o.filled()
	if o.Provider == nil {
		return nil, fault.New(fault.Internal, "make hub", "nothing opens devices")
	}
	h := &Hub{
		o: o, started: o.Now(), isDesk: map[string]bool{},
		seats: map[string]*Seat{}, slots: map[string]*slot{}, spaces: map[string]*space{}, calls: map[string]*call{}, jobs: map[string]*job{},
	}
	h.active = h.started
	h.store = seatStore{now: o.Now}
	if o.Home != "" {
		h.store.dir = filepath.Join(o.Home, "run", "seats")
	}
	h.life, h.stop = context.WithCancelCause(context.Background())
	if o.Desk != nil {
		h.desk = o.Desk(h)
	}
	for _, t := range h.desk {
		h.isDesk[t.Spec().Name] = true
	}
	h.open = newOpenFile(o.Home)
	h.recover(true)
	return h, nil
}

// Close ends what runs, ends the live sessions and closes the devices. It returns when all of that is done, or when ctx
// ends, with an error that says what still runs. Later calls are refused.
func (h *Hub) Close(ctx context.Context) error {
	h.mu.Lock()
	h.closed = true
	spaces := make([]*space, 0, len(h.spaces))
	for _, sp := range h.spaces {
		spaces = append(spaces, sp)
	}
	h.mu.Unlock()
	h.cancelAll(errClosing)
	h.stop(errClosing)
	var errs []error
	errs = append(errs, wait(ctx, &h.work, "calls"))
	var ends sync.WaitGroup
	for _, sl := range h.allSlots() {
		ends.Go(sl.shut)
	}
	errs = append(errs, wait(ctx, &ends, "devices"))
	for _, sp := range spaces {
		errs = append(errs, sp.close(ctx))
	}
	err := errors.Join(errs...)
	if err == nil {
		h.open.remove()
	}
	return fault.Wrap(err, "", "close hub")
}

// wait is WaitGroup.Wait with an end. Should ctx end first, one goroutine goes on waiting for what is stuck.
func wait(ctx context.Context, wg *sync.WaitGroup, what string) error {
	done := make(chan struct{})
	go func() {
		wg.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return fault.New(fault.Timeout, "", "%s still run: %w", what, ctx.Err())
	}
}

func (h *Hub) now() time.Time { return h.o.Now() }

// IsDesk says whether a tool manages the house: it needs no device, no turn and no claim.
func (h *Hub) IsDesk(name string) bool { return h.isDesk[name] }

// Thinker is what answers prompts, nil without a model.
func (h *Hub) Thinker() Thinker { return h.o.Thinker }
