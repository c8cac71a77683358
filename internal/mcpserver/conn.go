package mcpserver

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/internal/hub"
)

// Upgrade is the protocol that UpgradeHandler switches to.
const Upgrade = "trailblaze-mcp/1"

// UpgradeHandler turns an HTTP connection into lines of JSON-RPC, for the stdio front.
func (s *Server) UpgradeHandler() http.Handler { return http.HandlerFunc(s.upgrade) }

func (s *Server) upgrade(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Upgrade") != Upgrade {
		w.Header().Set("Upgrade", Upgrade)
		http.Error(w, "this address speaks "+Upgrade, http.StatusUpgradeRequired)
		return
	}
	seat, err := s.seatFor(r, r.Header.Get(headerHandle), new(message))
	if err == nil && r.Header.Get(headerHandle) == "" {
		err = begin(seat, r.Header)
	}
	var secrets map[string]string
	if err == nil {
		secrets, err = secretsIn(r.Header)
	}
	if err != nil {
		refuseFault(w, nil, err)
		return
	}
	hj, ok := w.(http.Hijacker)
	if !ok {
		http.Error(w, "the connection cannot be taken over", http.StatusInternalServerError)
		return
	}
	conn, buf, err := hj.Hijack()
	if err != nil {
		http.Error(w, "the connection cannot be taken over", http.StatusInternalServerError)
		return
	}
	head := "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: " + Upgrade + "\r\n" + headerHandle + ": " + seat.Handle() + "\r\n"
	receipts := r.Header.Get(headerReceipts) != ""
	if receipts {
		head += headerReceipts + ": 1\r\n"
	}
	_, err = buf.WriteString(head + "\r\n")
	if err == nil {
		err = buf.Flush()
	}
	if err != nil {
		_ = conn.Close()
		return
	}
	defer seat.Enter()() // so that what it holds stays until the end
	if len(secrets) > 0 {
		seat.Hold(secrets)
	}
	_ = s.serveConn(s.life, newLineConn(upgraded{conn, buf.Reader}, s.o.MaxBody, receipts), seat)
}

// upgraded is a connection of which something has been read already.
type upgraded struct {
	net.Conn
	in io.Reader
}

// Read implements net.Conn.
func (u upgraded) Read(p []byte) (int, error) { return u.in.Read(p) }

// ServeConn serves one client over a stream of lines, until the stream or ctx ends. It closes the stream.
func (s *Server) ServeConn(ctx context.Context, stream io.ReadWriteCloser, seat *hub.Seat) error {
	return s.serveConn(ctx, newLineConn(stream, s.o.MaxBody, false), seat)
}

func (s *Server) serveConn(ctx context.Context, c *lineConn, seat *hub.Seat) error {
	h := s.hostOf(seat)
	defer h.release()
	h.named.Store(true) // the front says where it was started
	session, err := h.mcp.Connect(ctx, transport{c}, nil)
	if err != nil {
		_ = c.Close()
		return err
	}
	v, ok := s.begin(h, session)
	if !ok {
		_ = session.Close()
		return http.ErrServerClosed
	}
	stop := context.AfterFunc(ctx, func() {
		v.cancel()
		_ = session.Close()
	})
	defer stop()
	c.ended(v.cancel) // the client went away: its calls must not outlive it
	err = session.Wait()
	v.end()
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return err
}

// transport hands an open connection to the SDK.
type transport struct{ c *lineConn }

func (t transport) Connect(context.Context) (mcp.Connection, error) { return t.c, nil }
