package adbd

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"maps"
	"net"
	"slices"
	"strings"
	"sync"
)

// features are what the host may use. Compression, delayed acknowledgements and abb are not among them.
var features = []string{"shell_v2", "cmd", "stat_v2", "ls_v2", "fixed_push_mkdir", "sendrecv_v2"}

// conn is the connection of one host, and the streams on it.
type conn struct {
	server  *Server
	net     net.Conn
	ctx     context.Context // ends with the connection
	end     context.CancelFunc
	token   []byte // the challenge that the host has to sign
	known   bool   // the host has been let in
	payload int    // that the host takes in one packet
	wait    sync.WaitGroup
	writing sync.Mutex

	mu      sync.Mutex
	last    uint32
	streams map[uint32]*stream
	reverse reverses
}

func (c *conn) send(command, arg0, arg1 uint32, data []byte) error {
	b := appendPacket(make([]byte, 0, headerSize+len(data)), packet{command, arg0, arg1, data})
	c.writing.Lock()
	defer c.writing.Unlock()
	_, err := c.net.Write(b)
	return err
}

// read serves the connection until it ends.
func (c *conn) read() error {
	for {
		p, err := readPacket(c.net)
		if err != nil {
			return err
		}
		if c.server.State() == Offline {
			continue
		}
		if err := c.take(p); err != nil {
			return err
		}
	}
}

func (c *conn) take(p packet) error {
	switch p.command {
	case cmdConnect:
		if 0 < p.arg1 && p.arg1 < maxPayload {
			c.payload = int(p.arg1)
		}
		if c.server.State() != Unauthorized && c.server.options.Keys == nil {
			return c.welcome()
		}
		return c.challenge()
	case cmdAuth:
		if p.arg0 == authSignature && c.token != nil && c.server.State() != Unauthorized &&
			signed(c.server.options.Keys(), c.token, p.data) {
			return c.welcome()
		}
		if p.arg0 == authSignature {
			return c.challenge() // the host may have another key
		}
		return nil // a new key: a person would be asked now, and agrees to none
	case cmdOpen:
		if !c.known {
			return fmt.Errorf("a stream before the host was let in")
		}
		s := c.add(p.arg0)
		if err := c.send(cmdOkay, s.local, s.remote, nil); err != nil {
			return err
		}
		c.wait.Go(func() {
			defer func() { _ = s.Close() }()
			c.serve(s, strings.TrimRight(string(p.data), "\x00"))
		})
		return nil
	case cmdOkay, cmdWrite, cmdClose:
		c.mu.Lock()
		s := c.streams[p.arg1]
		c.mu.Unlock()
		if s == nil {
			if p.command == cmdWrite { // it is late, and must not wait for an answer
				return c.send(cmdClose, 0, p.arg0, nil)
			}
			return nil
		}
		return s.take(p)
	}
	return fmt.Errorf("unknown command %08x", p.command)
}

// welcome lets the host in.
func (c *conn) welcome() error {
	c.known = true
	var b strings.Builder
	b.WriteString("device::")
	for _, name := range slices.Sorted(maps.Keys(c.server.options.Banner)) {
		fmt.Fprintf(&b, "%s=%s;", name, c.server.options.Banner[name])
	}
	b.WriteString("features=" + strings.Join(features, ","))
	return c.send(cmdConnect, protocol, maxPayload, []byte(b.String()))
}

func (c *conn) challenge() error {
	c.token = make([]byte, tokenSize)
	if _, err := rand.Read(c.token); err != nil {
		return err
	}
	return c.send(cmdAuth, authToken, 0, c.token)
}

// add makes a stream. remote is the host's number of it, 0 where the host has yet to answer.
func (c *conn) add(remote uint32) *stream {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last++
	s := &stream{conn: c, local: c.last, remote: remote, in: make(chan []byte, 1), ready: make(chan struct{}, 1),
		done: make(chan struct{})}
	s.ctx, s.cancel = context.WithCancel(c.ctx)
	c.streams[s.local] = s
	return s
}

// finish closes the streams and waits for what they run.
func (c *conn) finish() {
	c.end()
	c.reverse.close()
	c.mu.Lock()
	open := slices.Collect(maps.Values(c.streams))
	c.mu.Unlock()
	for _, s := range open {
		s.drop()
	}
	c.wait.Wait()
}

// stream is one service that the host has opened, or a connection to the host. Each written packet waits until the host
// has taken it, as each that is read waits for us.
type stream struct {
	conn   *conn
	local  uint32
	remote uint32
	in     chan []byte
	ready  chan struct{} // the host takes the next packet
	ctx    context.Context
	cancel context.CancelFunc

	rest []byte
	once sync.Once
	done chan struct{}
}

func (s *stream) take(p packet) error {
	switch p.command {
	case cmdOkay:
		if s.remote == 0 { // the host has opened its side
			s.remote = p.arg0
		}
		select {
		case s.ready <- struct{}{}:
		default:
		}
	case cmdWrite:
		select {
		case s.in <- p.data:
		case <-s.done:
		default:
			return fmt.Errorf("stream %d: the host does not wait until its data has been taken", s.local)
		}
	case cmdClose:
		s.drop()
	}
	return nil
}

// Read implements io.Reader.
func (s *stream) Read(b []byte) (int, error) {
	for len(s.rest) == 0 {
		select {
		case s.rest = <-s.in:
		default:
			select {
			case s.rest = <-s.in:
			case <-s.done:
				return 0, io.EOF
			}
		}
		if err := s.conn.send(cmdOkay, s.local, s.remote, nil); err != nil {
			return 0, err
		}
	}
	n := copy(b, s.rest)
	s.rest = s.rest[n:]
	return n, nil
}

// Write implements io.Writer.
func (s *stream) Write(b []byte) (int, error) {
	for n := 0; n < len(b); {
		part := b[n:min(len(b), n+s.conn.payload)]
		if err := s.conn.send(cmdWrite, s.local, s.remote, part); err != nil {
			return n, err
		}
		select {
		case <-s.ready:
		case <-s.done:
			return n, io.ErrClosedPipe
		}
		n += len(part)
	}
	return len(b), nil
}

// Close ends the stream on both sides.
func (s *stream) Close() error {
	_ = s.conn.send(cmdClose, s.local, s.remote, nil)
	s.drop()
	return nil
}

// drop ends the stream on our side.
func (s *stream) drop() {
	s.once.Do(func() {
		close(s.done)
		s.cancel()
		s.conn.mu.Lock()
		delete(s.conn.streams, s.local)
		s.conn.mu.Unlock()
	})
}

func (s *Server) serve(n net.Conn) {
	defer func() { _ = n.Close() }()
	c := &conn{server: s, net: n, streams: map[uint32]*stream{}, payload: maxPayload}
	c.ctx, c.end = context.WithCancel(s.ctx)
	s.mu.Lock()
	gone := s.state == Gone || s.ctx.Err() != nil
	if !gone {
		s.conns[c] = true
	}
	s.mu.Unlock()
	if !gone {
		err := c.read()
		s.log.Debug("connection ended", "host", n.RemoteAddr(), "err", err)
	}
	c.finish()
	s.mu.Lock()
	delete(s.conns, c)
	s.mu.Unlock()
}
