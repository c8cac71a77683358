package auth

import (
	"bytes"
	"context"
	"net"
	"net/http"
	"strconv"
	"sync/atomic"
)

// framing is the way in which a request marks the end of its body.
type framing int32

const (
	plain  framing = iota // a Content-Length, or no body
	open                  // by a Transfer-Encoding, or unreadable: the connection ends after it
	forged                // by both, so that two readers may see two different requests
)

// Watch follows the requests on a listener's connections. net/http drops the Content-Length of a request that has a
// Transfer-Encoding too, so that no handler could refuse it. The server needs Context as its ConnContext, and has to
// call Hijacked.
func Watch(l net.Listener) net.Listener { return watched{l} }

type watched struct{ net.Listener }

// Accept implements net.Listener.
func (w watched) Accept() (net.Conn, error) {
	c, err := w.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &conn{Conn: c}, nil
}

type connKey struct{}

// Context lets the checks find the connection of a request.
func Context(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, c)
}

// Hijacked says that a connection carries no more requests.
func Hijacked(c net.Conn) {
	if c, ok := c.(*conn); ok {
		c.hijacked.Store(true)
	}
}

func framingOf(r *http.Request) framing {
	if c, ok := r.Context().Value(connKey{}).(*conn); ok {
		return framing(c.framing.Load())
	}
	return plain
}

// conn is a connection that knows the framing of its current request. No Read gives bytes of two
// requests, so that while a handler runs its request is the last one with a whole head.
type conn struct {
	net.Conn
	rest     []byte // read already, and of the requests after this one
	line     []byte // the beginning of a line of the head
	begun    bool   // the head has a line
	known    bool   // the first line of the connection was read
	length   string
	lengths  int // headers of that name
	coded    bool
	left     uint64 // of the body
	framing  atomic.Int32
	hijacked atomic.Bool
}

const (
	maxLine   = 128     // of a header that matters here
	firstRead = 4 << 10 // of a connection, as much as net/http reads at once
)

// Read implements net.Conn.
func (c *conn) Read(p []byte) (int, error) {
	n := copy(p, c.rest)
	c.rest = c.rest[n:]
	if n == 0 {
		var err error
		if n, err = c.fetch(p); err != nil {
			return n, err
		}
	}
	own := n
	if !c.hijacked.Load() && framing(c.framing.Load()) == plain {
		own = c.follow(p[:n])
	}
	if own < n {
		c.rest = append(bytes.Clone(p[own:n]), c.rest...)
	}
	return own, nil
}

// fetch reads what the client sent. net/http asks for the 14 bytes first that HTTP/2 begins with; were the others left
// in the socket, closing it after a refusal would reset the connection, and the refusal would be lost.
func (c *conn) fetch(p []byte) (int, error) {
	if c.known || len(p) >= firstRead {
		return c.Conn.Read(p)
	}
	buf := make([]byte, firstRead)
	n, err := c.Conn.Read(buf)
	given := copy(p, buf[:n])
	c.rest = buf[given:n]
	return given, err
}

// CloseWrite lets the server end an answer before it closes: bytes that a client has sent after a
// refused request would reset the connection, and the refusal would be lost.
func (c *conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// follow says how many of these bytes belong to the connection's current request.
func (c *conn) follow(b []byte) int {
	at := 0
	for c.left == 0 {
		end := bytes.IndexByte(b[at:], '\n')
		part := b[at:]
		if end >= 0 {
			part = b[at : at+end]
		}
		c.line = append(c.line, part[:min(len(part), maxLine-len(c.line))]...)
		if end < 0 {
			return len(b)
		}
		at += end + 1
		line := bytes.TrimSuffix(c.line, []byte("\r"))
		c.line = c.line[:0]
		if len(line) > 0 && c.http2(line) {
			return len(b)
		}
		if len(line) > 0 {
			c.header(line)
		} else if c.begun { // a blank line before the first one is passed over, as net/http does
			if c.headEnds(); framing(c.framing.Load()) != plain {
				return len(b)
			}
			if c.left == 0 {
				return at
			}
		}
	}
	own := min(c.left, uint64(len(b)-at))
	c.left -= own
	return at + int(own) //nolint:gosec // no more than len(b)
}

// http2 says whether a connection begins as HTTP/2 does. Its frames mark the end of a body in one way only, so that
// there is nothing to follow.
func (c *conn) http2(line []byte) bool {
	first := !c.known
	c.known = true
	if first && string(line) == "PRI * HTTP/2.0" {
		c.hijacked.Store(true)
		return true
	}
	return false
}

// header reads a line of the head. A value continued in the next line leaves an unreadable length.
func (c *conn) header(line []byte) {
	c.begun = true
	name, value, _ := bytes.Cut(line, []byte(":"))
	switch {
	case bytes.EqualFold(name, []byte("Content-Length")):
		c.length = string(bytes.Trim(value, " \t"))
		c.lengths++
	case bytes.EqualFold(name, []byte("Transfer-Encoding")):
		c.coded = true
	}
}

func (c *conn) headEnds() {
	how := plain
	switch {
	case c.coded && c.lengths > 0:
		how = forged
	case c.coded || c.lengths > 1:
		how = open
	case c.lengths == 1:
		var err error
		if c.left, err = strconv.ParseUint(c.length, 10, 63); err != nil {
			how = open
		}
	}
	c.framing.Store(int32(how))
	c.begun, c.coded, c.length, c.lengths = false, false, "", 0
}
