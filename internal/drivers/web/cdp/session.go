package cdp

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// ErrDetached is the error of a call on the session of a closed tab or frame.
var ErrDetached = errors.New("target is gone")

// Error is an error that the browser answered instead of a result.
type Error struct {
	Method  string
	Code    int64
	Message string
}

func (e *Error) Error() string { return fmt.Sprintf("%s: %s (%d)", e.Method, e.Message, e.Code) }

// Session talks to one target: the browser, a tab, an out-of-process frame, a worker. It implements
// cdproto's Session.
type Session struct {
	conn *Conn
	id   target.SessionID

	sent, received atomic.Int64

	mu       sync.Mutex
	handlers map[string][]*handler
	closed   chan struct{}
}

type handler struct{ run func(jsonv2.Value) }

var _ proto.Session = (*Session)(nil)

// ID is the flat session id; "" for the browser.
func (s *Session) ID() target.SessionID { return s.id }

// Closed is closed when the target or the browser is gone.
func (s *Session) Closed() <-chan struct{} { return s.closed }

// CommandsSent counts the commands sent so far, without those of Tell.
func (s *Session) CommandsSent() int64 { return s.sent.Load() }

// Heard counts the events received so far, without those that show no change of the target. It grows before their
// handlers run.
func (s *Session) Heard() int64 { return s.received.Load() }

func (s *Session) gone() bool {
	select {
	case <-s.closed:
		return true
	default:
		return false
	}
}

func (s *Session) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.gone() {
		close(s.closed)
	}
}

type answer struct {
	result jsonv2.Value
	err    error
}

// Call implements cdproto's Session: it sends a command and waits for its answer, for ctx, or for
// the end of the target.
func (s *Session) Call(ctx context.Context, method string, params, result any) error {
	raw, err := s.CallRaw(ctx, method, params)
	if err != nil {
		return err
	}
	if result == nil || len(raw) == 0 {
		return nil
	}
	if _, empty := result.(*proto.Empty); empty {
		return nil
	}
	if err := jsonv2.Unmarshal(raw, result, chromedp.DefaultUnmarshalOptions); err != nil {
		return fmt.Errorf("decode answer to %s: %w", method, err)
	}
	return nil
}

// CallRaw is Call without decoding the answer.
func (s *Session) CallRaw(ctx context.Context, method string, params any) (jsonv2.Value, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", method, err)
	}
	got := make(chan answer, 1)
	s.sent.Add(1)
	id, err := s.conn.send(s, method, params, func(r jsonv2.Value, err error) { got <- answer{r, err} })
	if err != nil {
		return nil, err
	}
	select {
	case a := <-got:
		return a.result, a.err
	case <-ctx.Done():
		s.conn.forget(id)
		return nil, fmt.Errorf("%s: %w", method, ctx.Err())
	}
}

// Go sends a command and returns at once. done, which may be nil, runs on the dispatching goroutine
// like an event handler; it is the only way for a handler to ask the browser something.
func (s *Session) Go(method string, params any, done func(raw jsonv2.Value, err error)) {
	s.sent.Add(1)
	s.start(method, params, done)
}

// Tell sends a command that changes nothing about the target but its own bookkeeping, and returns
// at once.
func (s *Session) Tell(method string, params any) { s.start(method, params, nil) }

func (s *Session) start(method string, params any, done func(raw jsonv2.Value, err error)) {
	if done == nil {
		done = func(jsonv2.Value, error) {}
	}
	if _, err := s.conn.send(s, method, params, done); err != nil {
		done(nil, err)
	}
}

// On runs fn for every event of that method, in order. stop takes fn off again; it does not wait
// for a running fn.
func (s *Session) On(method string, fn func(jsonv2.Value)) (stop func()) {
	h := &handler{fn}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.handlers[method] = append(s.handlers[method], h)
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		var kept []*handler
		for _, x := range s.handlers[method] {
			if x != h {
				kept = append(kept, x)
			}
		}
		s.handlers[method] = kept
	}
}

// unchanging are the events that show no change of the target: calls of our own script, and stages of a load that
// other events report where the page takes notice.
var unchanging = map[string]bool{
	runtime.BindingCalled.Method: true, page.LifecycleEvent.Method: true, page.FrameStoppedLoading.Method: true,
	page.ScreencastFrame.Method: true, page.ScreencastVisibilityChanged.Method: true,
}

func (s *Session) emit(method string, params jsonv2.Value) {
	if !unchanging[method] {
		s.received.Add(1)
	}
	s.mu.Lock()
	hs := s.handlers[method]
	s.mu.Unlock()
	for _, h := range hs {
		h.run(params)
	}
}

// Subscribe implements cdproto's Session with an unbounded buffer, so that a slow reader blocks
// no other.
func (s *Session) Subscribe(method string) (<-chan jsonv2.Value, func()) {
	out, wake, quit := make(chan jsonv2.Value), make(chan struct{}, 1), make(chan struct{})
	var mu sync.Mutex
	var buf []jsonv2.Value
	stop := s.On(method, func(v jsonv2.Value) {
		mu.Lock()
		buf = append(buf, v)
		mu.Unlock()
		select {
		case wake <- struct{}{}:
		default:
		}
	})
	var wg sync.WaitGroup
	wg.Go(func() {
		defer close(out)
		for {
			mu.Lock()
			batch := buf
			buf = nil
			mu.Unlock()
			for _, v := range batch {
				select {
				case out <- v:
				case <-quit:
					return
				}
			}
			select {
			case <-wake:
			case <-quit:
				return
			case <-s.closed:
				return
			}
		}
	})
	return out, sync.OnceFunc(func() { stop(); close(quit); wg.Wait() })
}
