// Package gate enforces network rules that no browser flag can express: a SOCKS5 proxy on loopback
// for one browser, which checks every connection and makes it itself. So the name that was allowed
// is the name that is looked up, and the address that was found is the address that is connected
// to. Browsers without such rules have no gate.
//
//	g, err := gate.Open(dial)
//	launch(g.Args()...)
//	defer g.Close()
package gate

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/netip"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/listen"
)

// Dial makes a connection, or refuses it with fault.Denied. It calls secure when a rule depends on
// TLS; secure waits for the browser's first byte.
type Dial = func(ctx context.Context, host string, port int, secure func() (bool, error)) (net.Conn, error)

const (
	version = 5
	// maxThrough bounds the connections that go through a gate: many times those of a browser.
	maxThrough = 1024
)

// Gate is safe for concurrent use.
type Gate struct {
	listener net.Listener
	dial     Dial
	ctx      context.Context // of everything that goes through it, over with Close
	stop     context.CancelFunc
	wg       sync.WaitGroup

	through chan struct{} // an element for each connection that has said where to
}

// Open starts listening.
func Open(dial Dial) (*Gate, error) {
	l, err := listen.TCP(context.Background(), 0)
	if err != nil {
		return nil, err
	}
	return openOn(l, dial), nil
}

func openOn(l *listen.Listener, dial Dial) *Gate {
	l.Bounded = true
	g := &Gate{listener: l, dial: dial, through: make(chan struct{}, maxThrough)}
	g.ctx, g.stop = context.WithCancel(context.Background())
	g.wg.Go(g.accept)
	return g
}

// Args make a browser use the gate for all it does, loopback included, and say nothing past it.
func (g *Gate) Args() []string {
	return []string{"--proxy-server=socks5://" + g.listener.Addr().String(), "--proxy-bypass-list=<-loopback>",
		"--disable-quic",
		"--force-webrtc-ip-handling-policy=disable_non_proxied_udp"}
}

// Close ends all connections and returns when they are over. It is idempotent, and does nothing
// without a gate.
func (g *Gate) Close() {
	if g == nil {
		return
	}
	g.stop()
	_ = g.listener.Close() // a listener that fails to close ends with the process
	g.wg.Wait()
}

func (g *Gate) accept() {
	for {
		c, err := g.listener.Accept()
		if err != nil {
			return
		}
		g.wg.Go(func() {
			defer func() { _ = c.Close() }()
			defer context.AfterFunc(g.ctx, func() { _ = c.Close() })()
			g.serve(c)
		})
	}
}

// serve is one connection, from the greeting to the end.
func (g *Gate) serve(c net.Conn) {
	_ = c.SetDeadline(time.Now().Add(listen.HeaderTime))
	r := bufio.NewReader(c)
	host, port, err := greet(r, c)
	if err != nil {
		return
	}
	listen.Admit(c)
	select {
	case g.through <- struct{}{}:
		defer func() { <-g.through }()
	default:
		return // no browser has so many
	}
	answered := false
	answer := func(code byte) error {
		answered = true
		_, err := c.Write([]byte{version, code, 0, 1, 0, 0, 0, 0, 0, 0})
		return err
	}
	secure := func() (bool, error) {
		if !answered {
			if err := answer(0); err != nil {
				return false, err
			}
		}
		first, err := r.Peek(1)
		return len(first) == 1 && first[0] == 0x16, err // a TLS handshake
	}
	_ = c.SetDeadline(time.Time{})
	out, err := g.dial(g.ctx, host, port, secure)
	if err != nil {
		if !answered {
			_ = answer(reason(err))
		}
		return
	}
	defer func() { _ = out.Close() }()
	defer context.AfterFunc(g.ctx, func() { _ = out.Close() })()
	if !answered && answer(0) != nil {
		return
	}
	var wg sync.WaitGroup
	wg.Go(func() { pour(out, r) })
	pour(c, out)
	wg.Wait()
}

// pour copies until the end, and passes the end on.
func pour(to net.Conn, from io.Reader) {
	_, err := io.Copy(to, from)
	if half, ok := to.(interface{ CloseWrite() error }); ok && err == nil {
		_ = half.CloseWrite()
		return
	}
	_ = to.Close()
}

// greet reads what a client wants: CONNECT, without a login, to a name or an address.
func greet(r *bufio.Reader, w io.Writer) (host string, port int, err error) {
	var head [4]byte
	bad := errors.New("not a SOCKS5 client")
	if _, err := io.ReadFull(r, head[:2]); err != nil || head[0] != version {
		return "", 0, bad
	}
	methods := make([]byte, head[1])
	if _, err := io.ReadFull(r, methods); err != nil {
		return "", 0, bad
	}
	if _, err := w.Write([]byte{version, 0}); err != nil {
		return "", 0, err
	}
	if _, err := io.ReadFull(r, head[:]); err != nil || head[0] != version || head[1] != 1 {
		return "", 0, bad
	}
	size := map[byte]int{1: 4, 4: 16}[head[3]]
	if head[3] == 3 {
		n, err := r.ReadByte()
		if err != nil {
			return "", 0, bad
		}
		size = int(n)
	}
	to := make([]byte, size+2)
	if _, err := io.ReadFull(r, to); err != nil || size == 0 {
		return "", 0, bad
	}
	host, port = string(to[:size]), int(binary.BigEndian.Uint16(to[size:]))
	if ip, ok := netip.AddrFromSlice(to[:size]); ok && head[3] != 3 {
		host = ip.String()
	}
	return host, port, nil
}

// reason returns the protocol's name of an error.
func reason(err error) byte {
	var dns *net.DNSError
	switch {
	case fault.KindOf(err) == fault.Denied:
		return 2
	case errors.As(err, &dns):
		return 4
	}
	return 5
}
