package extern

import (
	"context"
	"errors"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace/source"
)

// supervise keeps the server up until Close.
func (s *Server) supervise() {
	for failures := 0; s.life.Err() == nil; {
		c, err := s.open(s.life)
		if err == nil {
			began := time.Now()
			err = s.tend(c)
			if time.Since(began) > steadyTime {
				failures = 0
			}
		}
		if s.life.Err() != nil {
			break
		}
		failures++
		s.o.Log.Warn("an external MCP server is not up", "server", s.c.Name, "error", err, "failures", failures)
		if failures == 1 && !refused(err) {
			s.set(nil, nil) // it is started again at once, and calls wait for that
		} else {
			s.set(nil, err)
		}
		s.pause(failures, refused(err))
	}
	s.set(nil, errClosed)
}

// refused reports whether starting the server again changes nothing: a person has to do something first.
func refused(err error) bool {
	k := fault.KindOf(err)
	return k == fault.Denied || k == fault.Invalid
}

// pause waits before the server is started again: ever longer, and after too many failures until a call needs it.
func (s *Server) pause(failures int, refused bool) {
	var timer <-chan time.Time
	if failures < maxFailures && !refused {
		timer = time.After(min(firstPause<<(failures-1), maxPause))
	}
	select {
	case <-timer:
	case <-s.wanted:
	case <-s.life.Done():
	}
}

// tend has a connection used until it ends. When calls of two sessions meet, one over HTTP takes its place.
func (s *Server) tend(c *connection) error {
	s.set(c, nil)
	defer func() { c.stop() }()
	for {
		select {
		case <-c.over:
			return c.ended()
		case <-s.life.Done():
			return context.Cause(s.life)
		case <-s.overlap:
			if !c.stdio {
				continue
			}
			if next := s.widen(); next != nil {
				last := c
				c = next
				s.set(c, nil)
				if !s.spawn(func() { s.retire(last) }) {
					last.stop()
				}
			}
		}
	}
}

// widen starts the server for HTTP beside the process that it is now.
func (s *Server) widen() *connection {
	s.mu.Lock()
	s.http = true
	s.mu.Unlock()
	c, err := s.open(s.life)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		s.o.Log.Warn("an external MCP server cannot be started for HTTP: its calls wait for each other",
			"server", s.c.Name, "error", err)
		s.http, s.single = false, true
		s.tellLocked()
		return nil
	}
	return c
}

// retire ends a connection once its calls have ended.
func (s *Server) retire(c *connection) {
	for c.usable() && s.life.Err() == nil {
		s.mu.Lock()
		carries, changed := s.inFlight.carries(c), s.changed
		s.mu.Unlock()
		if !carries { // and no other gets in
			break
		}
		select {
		case <-changed:
		case <-c.over:
		case <-s.life.Done():
		}
	}
	c.stop()
}

// open starts the server, or connects to it, and reads what it offers.
func (s *Server) open(life context.Context) (*connection, error) {
	ctx, cancel := context.WithTimeoutCause(life, s.startTime(), errSlow)
	defer cancel()
	began, state := time.Now(), s.state()
	c, err := s.connect(ctx)
	if err != nil {
		return nil, err
	}
	l, err := s.list(ctx, c)
	if err != nil {
		err = c.failed("list tools", err)
		c.stop()
		return nil, err
	}
	c.took = time.Since(began)
	s.keep(state, l)
	o := s.offered(l)
	s.o.Log.Info("an external MCP server is up", "server", s.c.Name, "transport", c.how(), "took", c.took, "tools",
		len(o.tools))
	s.offers(o)
	return c, nil
}

var errSlow = errors.New("it has not answered in time")

// connect makes a connection of the kind that is due.
func (s *Server) connect(ctx context.Context) (*connection, error) {
	if err := s.o.Trusted(s.c.Process()); err != nil {
		return nil, err
	}
	if s.c.Transport == source.HTTP {
		return s.find(ctx)
	}
	s.mu.Lock()
	overHTTP := s.http
	s.mu.Unlock()
	if overHTTP {
		return s.startHTTP(ctx)
	}
	return s.startStdio(ctx)
}

// client speaks MCP for us. It offers what the server may use.
func (s *Server) client() *mcp.Client {
	o := &mcp.ClientOptions{
		Logger:       s.o.Log,
		Capabilities: &mcp.ClientCapabilities{},
		ToolListChangedHandler: func(_ context.Context, r *mcp.ToolListChangedRequest) {
			s.relist(r.Session)
		},
		ProgressNotificationHandler: s.progressed,
	}
	if s.c.Sampling { // with a model or without one it lists the same tools
		o.CreateMessageHandler = s.complete
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "trailblaze", Title: "Trailblaze", Version: "1"}, o)
	client.AddReceivingMiddleware(s.refuseSampling)
	return client
}

// progressed passes on what the server says of the progress of a call, to those who wait for that call.
func (s *Server) progressed(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
	id, _ := r.Params.ProgressToken.(string)
	s.mu.Lock()
	f := s.inFlight[id]
	own := f != nil && f.by != nil && f.by.session == r.Session
	s.mu.Unlock()
	if !own || s.o.Report == nil {
		return
	}
	text := s.handed.Mask(r.Params.Message)
	if m := f.env.Memory(); m != nil {
		text = m.Mask(text)
	}
	s.o.Report(f.ctx, clip(text, maxLine), int(r.Params.Progress), int(r.Params.Total))
}

// protocol is the version that is asked for. Servers of all SDKs know it, and some stumble over what comes before the
// handshake in later ones.
const protocol = "2025-11-25"

// relist reads the tools again after the server said that they have changed. It must not wait: the server's messages
// do.
func (s *Server) relist(session *mcp.ClientSession) {
	s.mu.Lock()
	c := s.up
	s.mu.Unlock()
	if c == nil || c.session != session || s.life.Err() != nil {
		return
	}
	s.spawn(func() {
		ctx, cancel := context.WithTimeoutCause(s.life, s.startTime(), errSlow)
		defer cancel()
		l, err := s.list(ctx, c)
		if err != nil {
			s.o.Log.Warn("the tools of an external MCP server could not be read again", "server", s.c.Name, "error", err)
			return
		}
		s.offers(s.offered(l))
	})
}
