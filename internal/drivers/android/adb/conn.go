package adb

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// maxText bounds a text that the server gives; its length field holds no more.
const maxText = 0xffff

// conn is one connection to the server. It is closed when its context ends.
type conn struct {
	net.Conn
	r    *bufio.Reader
	ctx  context.Context // of the request that the connection is for
	stop func() bool
}

func newConn(ctx context.Context, raw net.Conn) *conn {
	c := &conn{Conn: raw, r: bufio.NewReader(raw), ctx: ctx}
	c.stop = context.AfterFunc(ctx, func() { _ = raw.Close() })
	return c
}

// Read implements io.Reader on what is buffered.
func (c *conn) Read(b []byte) (int, error) { return c.r.Read(b) }

// Close implements io.Closer.
func (c *conn) Close() error {
	c.stop()
	return c.Conn.Close()
}

// err is the reason why the connection is of no more use: the end of its context, rather than what that did to it.
func (c *conn) err(err error, op string) error {
	if err == nil {
		return nil
	}
	if c.ctx.Err() != nil {
		return fault.Wrap(context.Cause(c.ctx), "", op)
	}
	if own := (*fault.Error)(nil); errors.As(err, &own) {
		return fault.Wrap(err, "", op)
	}
	return fault.Wrap(err, fault.Unavailable, op)
}

// ask sends a request and reads OKAY, or the reason why not.
func (c *conn) ask(service string) error {
	const op = "ask adb server"
	if len(service) > maxText {
		return fault.New(fault.Invalid, op, "a request of %d bytes is longer than adb takes", len(service))
	}
	if _, err := fmt.Fprintf(c.Conn, "%04x%s", len(service), service); err != nil {
		return c.err(err, op)
	}
	return c.status()
}

// text reads four hexadecimal digits and as many bytes.
func (c *conn) text() (string, error) {
	const op = "read from adb server"
	b, err := readText(c.r)
	return string(b), c.err(err, op)
}

func readText(r io.Reader) ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	n, err := strconv.ParseUint(string(head[:]), 16, 16)
	if err != nil {
		return nil, fmt.Errorf("%q is not the length of a text", head)
	}
	b := make([]byte, n)
	_, err = io.ReadFull(r, b)
	return b, err
}
