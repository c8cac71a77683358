package cdp

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// ErrCrashed is the error of a call that waits for a script while the process of its tab or frame crashes: the
// browser answers it only when another page is loaded there.
var ErrCrashed error = PageCrashed("talk to page", "the page")

// PageCrashed returns the fault of a request to a page whose process has died.
func PageCrashed(op, what string) *fault.Error {
	return fault.New(fault.Unavailable, op, "%s crashed", what).
		WithHint("Navigate the tab to a page again, or close it and open another.")
}

// BrowserGone returns the fault of a request to a browser that has ended.
func BrowserGone(op string) *fault.Error {
	return withNext(fault.New(fault.Unavailable, op, "the browser is gone"))
}

// withNext adds the advice about a browser that has ended.
func withNext(f *fault.Error) *fault.Error {
	return f.WithHint("Run the trail again. On a live device the next call opens another browser: begin by navigating.")
}

// Conn is a connection to one browser. Close it when done; it then has no goroutines left.
type Conn struct {
	pipe chromedp.Transport // to write to
	in   *reader
	root *Session

	mu       sync.Mutex
	nextID   int64
	pending  map[int64]*pending
	sessions map[target.SessionID]*Session
	err      error // why the connection is over; set once
	cause    func() string

	inbox  inbox
	closed chan struct{} // closed when err is set
	wg     sync.WaitGroup
}

// pending is a call that waits for its answer. deliver runs exactly once, on the dispatching
// goroutine or, when the connection or session dies, on the goroutine that noticed.
type pending struct {
	session *Session
	method  string
	deliver func(result jsonv2.Value, err error)
}

// NewConn starts a connection over the two ends of a browser's pipe. cause, which may be nil, returns the reason
// why the browser may have gone away (the tail of its standard error); it becomes part of the error that calls then
// fail with.
func NewConn(r io.ReadCloser, w io.WriteCloser, cause func() string) *Conn {
	c := &Conn{
		pipe: chromedp.NewPipeConn(r, w), in: newReader(r), cause: cause,
		pending: map[int64]*pending{}, sessions: map[target.SessionID]*Session{}, closed: make(chan struct{}),
	}
	c.root = newSession(c, "")
	c.sessions[""] = c.root
	c.inbox.init()
	c.wg.Go(c.read)
	c.wg.Go(c.dispatch)
	return c
}

// Root is the session of the browser itself.
func (c *Conn) Root() *Session { return c.root }

// Closed is closed when the connection is over.
func (c *Conn) Closed() <-chan struct{} { return c.closed }

// Close ends the connection, fails what waits on it and joins its goroutines. It must not be called
// by a handler.
func (c *Conn) Close() error {
	c.fail(fault.New(fault.Unavailable, "talk to browser", "connection closed"))
	err := c.pipe.Close()
	c.wg.Wait()
	return err
}

// Session returns the session with that id, making it known if it is not yet.
func (c *Conn) Session(id target.SessionID) *Session {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.sessions[id]
	if s == nil {
		s = newSession(c, id)
		c.sessions[id] = s
	}
	return s
}

func (c *Conn) read() {
	defer c.inbox.close()
	for {
		msg, err := c.in.next()
		if err != nil {
			c.fail(c.lost(err))
			return
		}
		c.inbox.put(msg)
	}
}

// lost describes the end of the connection, with the browser's last words when it has any.
func (c *Conn) lost(err error) error {
	why := ""
	if c.cause != nil {
		why = c.cause()
	}
	if why == "" {
		return withNext(fault.New(fault.Unavailable, "talk to browser", "browser went away: %w", err))
	}
	return withNext(fault.New(fault.Unavailable, "talk to browser", "browser went away: %w; it said last:\n%s", err, why))
}

func (c *Conn) dispatch() {
	for msg := range c.inbox.all {
		switch {
		case msg.ID != 0:
			c.answer(msg)
		case msg.Method != "":
			c.event(msg)
		}
	}
}

func (c *Conn) answer(msg *cdproto.Message) {
	c.mu.Lock()
	p := c.pending[msg.ID]
	delete(c.pending, msg.ID)
	c.mu.Unlock()
	if p == nil {
		return // its caller gave up
	}
	if msg.Error != nil {
		p.deliver(nil, &Error{Method: p.method, Code: msg.Error.Code, Message: msg.Error.Message})
		return
	}
	p.deliver(msg.Result, nil)
}

func (c *Conn) event(msg *cdproto.Message) {
	c.mu.Lock()
	s := c.sessions[msg.SessionID]
	c.mu.Unlock()
	if s != nil {
		s.emit(string(msg.Method), msg.Params)
	}
	switch msg.Method {
	case cdproto.EventTargetDetachedFromTarget:
		var e target.EventDetachedFromTarget
		if jsonv2.Unmarshal(msg.Params, &e) == nil {
			c.drop(e.SessionID)
		}
	case cdproto.EventInspectorTargetCrashed:
		c.failCalls(msg.SessionID, ofRenderer, ErrCrashed)
	default:
	}
}

// drop forgets a session whose target is gone and fails its calls: the browser does not answer them
// any more.
func (c *Conn) drop(id target.SessionID) {
	c.mu.Lock()
	s := c.sessions[id]
	delete(c.sessions, id)
	c.mu.Unlock()
	if s != nil {
		s.close()
	}
	c.failCalls(id, func(string) bool { return true }, ErrDetached)
}

// ofRenderer reports whether the process of a page answers a method. The browser answers the others: a navigation
// continues when that process dies.
func ofRenderer(method string) bool {
	domain, name, _ := strings.Cut(method, ".")
	switch domain {
	case "Runtime", "Input", "DOM", "CSS", "DOMDebugger", "DOMSnapshot", "Accessibility", "DOMStorage":
		return true
	case "Page":
		return name == "captureScreenshot" || name == "getLayoutMetrics" || name == "createIsolatedWorld"
	}
	return false
}

// failCalls fails the calls of a session that wait for an answer and whose method is one of those.
func (c *Conn) failCalls(id target.SessionID, those func(method string) bool, why error) {
	c.mu.Lock()
	var lost []*pending
	for k, p := range c.pending {
		if p.session.id == id && those(p.method) {
			lost = append(lost, p)
			delete(c.pending, k)
		}
	}
	c.mu.Unlock()
	for _, p := range lost {
		p.deliver(nil, fmt.Errorf("%s: %w", p.method, why))
	}
}

func (c *Conn) fail(err error) {
	c.mu.Lock()
	if c.err != nil {
		c.mu.Unlock()
		return
	}
	c.err = err
	lost := c.pending
	c.pending = nil
	sessions := c.sessions
	c.sessions = nil
	close(c.closed)
	c.mu.Unlock()
	for _, s := range sessions {
		s.close()
	}
	for _, p := range lost {
		p.deliver(nil, err)
	}
}

// send writes one command. It returns the id of the registered call, or the error that prevents it.
func (c *Conn) send(s *Session, method string, params any, deliver func(jsonv2.Value, error)) (int64, error) {
	raw, err := encode(params)
	if err != nil {
		return 0, fmt.Errorf("encode %s: %w", method, err)
	}
	c.mu.Lock()
	if c.err != nil {
		c.mu.Unlock()
		return 0, c.err
	}
	if s.gone() {
		c.mu.Unlock()
		return 0, fmt.Errorf("%s: %w", method, ErrDetached)
	}
	c.nextID++
	id := c.nextID
	c.pending[id] = &pending{session: s, method: method, deliver: deliver}
	c.mu.Unlock()

	msg := &cdproto.Message{ID: id, SessionID: s.id, Method: cdproto.MethodType(method), Params: raw}
	if err := c.pipe.Write(context.Background(), msg); err != nil {
		if c.forget(id) {
			return 0, c.lost(err)
		}
	}
	return id, nil
}

// forget withdraws a call; false means that it was or is being delivered.
func (c *Conn) forget(id int64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, ok := c.pending[id]
	delete(c.pending, id)
	return ok
}

func encode(params any) (jsonv2.Value, error) {
	switch p := params.(type) {
	case nil:
		return nil, nil
	case jsonv2.Value:
		return p, nil
	}
	b, err := jsonv2.Marshal(params, chromedp.DefaultMarshalOptions)
	if err != nil || string(b) == "{}" {
		return nil, err
	}
	return b, nil
}

func newSession(c *Conn, id target.SessionID) *Session {
	return &Session{conn: c, id: id, handlers: map[string][]*handler{}, closed: make(chan struct{})}
}

// Conn is the connection the session lives on.
func (s *Session) Conn() *Conn { return s.conn }
