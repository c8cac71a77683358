package gate

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/listen"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
)

// hello asks for a name and port.
func hello(host string) []byte {
	return append(append([]byte{5, 1, 0, 5, 1, 0, 3, byte(len(host))}, host...), 0, 80)
}

func open(t *testing.T, dial Dial) net.Conn {
	t.Helper()
	g, err := Open(dial)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.Close)
	c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", g.listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	if err := c.SetDeadline(time.Now().Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}
	return c
}

// A connection goes to where it was asked for, both ways, to its end; one that is refused is told
// why.
func TestGate(t *testing.T) {
	var asked string
	c := open(t, func(_ context.Context, host string, port int, _ func() (bool, error)) (net.Conn, error) {
		asked = fmt.Sprint(host, ":", port)
		near, far := net.Pipe()
		go func() {
			r := bufio.NewReader(far)
			line, _ := r.ReadString('\n')
			_, _ = io.WriteString(far, "got "+line)
			_ = far.Close()
		}()
		return near, nil
	})
	if _, err := c.Write(append(hello("shop.test"), "hi\n"...)); err != nil {
		t.Fatal(err)
	}
	all, err := io.ReadAll(c)
	if want := "\x05\x00\x05\x00\x00\x01\x00\x00\x00\x00\x00\x00got hi\n"; err != nil || string(all) != want || asked != "shop.test:80" {
		t.Errorf("%q, %v, want %q; asked for %s", all, err, want, asked)
	}
	for err, code := range map[error]byte{fault.New(fault.Denied, "x", "no"): 2, &net.DNSError{}: 4, io.EOF: 5} {
		c := open(t, func(context.Context, string, int, func() (bool, error)) (net.Conn, error) { return nil, err })
		_, _ = c.Write(hello("shop.test"))
		if all, _ := io.ReadAll(c); len(all) != 12 || all[3] != code {
			t.Errorf("%v: answered %v, want code %d", err, all, code)
		}
	}
}

// Whether TLS is spoken is known before a connection is made.
func TestSecure(t *testing.T) {
	for first, want := range map[string]bool{"\x16\x03\x01": true, "GET / HTTP/1.1": false} {
		got := make(chan bool, 1)
		c := open(t, func(_ context.Context, _ string, _ int, secure func() (bool, error)) (net.Conn, error) {
			yes, err := secure()
			if err != nil {
				t.Error(err)
			}
			got <- yes
			return nil, io.EOF
		})
		_, _ = c.Write(append(hello("shop.test"), first...))
		_, _ = io.ReadAll(c)
		if yes := waittest.Await(t, got, "the gate has looked"); yes != want {
			t.Errorf("%q: TLS %v", first, yes)
		}
	}
}

// Close ends what is under way: a client that says nothing, and a connection that stands.
func TestClose(t *testing.T) {
	g, err := Open(func(context.Context, string, int, func() (bool, error)) (net.Conn, error) {
		near, _ := net.Pipe()
		return near, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var conns []net.Conn
	for _, say := range []string{"", string(hello("a"))} {
		c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", g.listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(c, say)
		conns = append(conns, c)
	}
	g.Close()
	g.Close()
	for _, c := range conns {
		_ = c.SetDeadline(time.Now().Add(10 * time.Second))
		if _, err := io.ReadAll(c); err != nil && strings.Contains(err.Error(), "timeout") {
			t.Error(err)
		}
	}
	(*Gate)(nil).Close()
}

// FuzzGreet: whoever is not the browser gets nowhere, and nothing panics; a page's HTTP request
// least of all.
func FuzzGreet(f *testing.F) {
	for _, s := range []string{string(hello("shop.test")), "GET / HTTP/1.1\r\nHost: x\r\n\r\n", "\x05\x00",
		"\x05\x01\x00\x05\x01\x00\x03\x00\x00\x50", "\x05\x01\x00\x05\x01\x00\x04", "\x04\x01"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		host, port, err := greet(bufio.NewReader(bytes.NewReader(in)), io.Discard)
		if err == nil && (host == "" || port < 0 || port > 65535 || in[0] != 5) {
			t.Errorf("%q asks for %q:%d", in, host, port)
		}
	})
}

// Silent connections lock the browser out of no gate, and an accept error ends none.
func TestGateAndStrangers(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	g := openOn(listen.Steady(&failing{Listener: l}), func(context.Context, string, int, func() (bool, error)) (net.Conn, error) {
		near, far := net.Pipe()
		_ = far.Close()
		return near, nil
	})
	t.Cleanup(g.Close)
	for range 150 {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
	}
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	_ = c.SetDeadline(time.Now().Add(time.Minute))
	if _, err := c.Write(hello("shop.test")); err != nil {
		t.Fatal(err)
	}
	answer := make([]byte, 12)
	if _, err := io.ReadFull(c, answer); err != nil || answer[3] != 0 {
		t.Errorf("the browser gets %v, %v", answer, err)
	}
}

// failing fails to accept once, as when no more files may be open.
type failing struct {
	net.Listener
	failed bool
}

func (f *failing) Accept() (net.Conn, error) {
	if !f.failed {
		f.failed = true
		return nil, &net.OpError{Op: "accept", Err: syscall.EMFILE}
	}
	return f.Listener.Accept()
}
