package llm

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// Relay is a Model that is asked through one after the other of the calls of its client: when the call that asks
// continues as a job, the calls that wait for the job carry its questions. It is safe for concurrent use.
type Relay struct {
	name string
	wait time.Duration

	mu         sync.Mutex
	attendants []*attendant  // the first of them is asked
	came       chan struct{} // closed when there is another one, or the end
	ended      error
}

// attendant is a model that a Relay asks.
type attendant struct {
	Model
	asked sync.WaitGroup
	left  chan struct{}
}

var _ Model = (*Relay)(nil)

// ErrEnough is the answer of a model that can be asked no more in its call. The question goes to the next.
var ErrEnough = errors.New("no further question in this call")

// NewRelay makes a Relay whose questions wait so long for a model.
func NewRelay(name string, wait time.Duration) *Relay {
	return &Relay{name: name, wait: wait, came: make(chan struct{})}
}

// Name implements Model.
func (l *Relay) Name() string { return l.name }

// Attend has questions asked of m until leave is called, which waits for the answer to the one under way. left is
// closed when m has had enough of them.
func (l *Relay) Attend(m Model) (left <-chan struct{}, leave func()) {
	c := &attendant{Model: m, left: make(chan struct{})}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.attendants = append(l.attendants, c)
	l.wakeLocked()
	return c.left, func() {
		l.remove(c)
		c.asked.Wait()
	}
}

// End fails the questions that have not been asked yet, and all further ones.
func (l *Relay) End(why error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended = why
	l.wakeLocked()
}

func (l *Relay) wakeLocked() {
	close(l.came)
	l.came = make(chan struct{})
}

func (l *Relay) remove(c *attendant) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, have := range l.attendants {
		if have == c {
			l.attendants = append(l.attendants[:i:i], l.attendants[i+1:]...)
			return
		}
	}
}

// Generate implements Model.
func (l *Relay) Generate(ctx context.Context, r Request, say func(string)) (*Response, error) {
	for {
		c, err := l.next(ctx)
		if err != nil {
			return nil, err
		}
		res, err := c.Generate(ctx, r, say)
		c.asked.Done()
		if !errors.Is(err, ErrEnough) {
			return res, err
		}
		l.remove(c)
		close(c.left)
	}
}

// next waits for a model that can be asked.
func (l *Relay) next(ctx context.Context) (*attendant, error) {
	const op = "sample model"
	late := time.NewTimer(l.wait)
	defer late.Stop()
	for {
		l.mu.Lock()
		came, ended := l.came, l.ended
		if ended == nil && len(l.attendants) > 0 {
			c := l.attendants[0]
			c.asked.Add(1)
			l.mu.Unlock()
			return c, nil
		}
		l.mu.Unlock()
		if ended != nil {
			return nil, ended
		}
		select {
		case <-came:
		case <-late.C:
			return nil, fault.New(fault.Timeout, op, "no call of the client came within %s to carry the question to its model",
				l.wait).WithHint("Wait for the job with the tool that gives its result: it carries the questions of the job.")
		case <-ctx.Done():
			return nil, fault.Wrap(context.Cause(ctx), "", op)
		}
	}
}
