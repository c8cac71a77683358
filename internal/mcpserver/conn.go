package mcpserver

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/internal/hub/clients"
)

// Upgrade is the protocol to which UpgradeHandler switches.
const Upgrade = "trailblaze-mcp/1"

// UpgradeHandler turns an HTTP connection into lines of JSON-RPC, for the stdio proxy.
func (s *Server) UpgradeHandler() http.Handler { return http.HandlerFunc(s.upgrade) }

func (s *Server) upgrade(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Upgrade") != Upgrade {
		w.Header().Set("Upgrade", Upgrade)
		http.Error(w, "this address speaks "+Upgrade, http.StatusUpgradeRequired)
		return
	}
	client, err := s.clientFor(r, r.Header.Get(headerClientID), new(message))
	if err == nil && r.Header.Get(headerClientID) == "" {
		err = applyOptions(client, r.Header)
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
	head := "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: " + Upgrade + "\r\n" +
		headerClientID + ": " + client.ID() + "\r\n"
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
	defer client.Enter()() // keeps the client and its secrets until the connection ends
	if len(secrets) > 0 {
		client.Hold(secrets)
	}
	_ = s.serveConn(s.life, newLineConn(upgraded{conn, buf.Reader}, s.o.MaxBody, receipts), client)
}

// upgraded is a connection whose first bytes are already in a buffer.
type upgraded struct {
	net.Conn
	in io.Reader
}

// Read implements net.Conn.
func (u upgraded) Read(p []byte) (int, error) { return u.in.Read(p) }

// ServeConn serves one client over a stream of lines, until the stream or ctx ends. It closes the stream.
func (s *Server) ServeConn(ctx context.Context, stream io.ReadWriteCloser, client *clients.Client) error {
	return s.serveConn(ctx, newLineConn(stream, s.o.MaxBody, false), client)
}

func (s *Server) serveConn(ctx context.Context, c *lineConn, client *clients.Client) error {
	cs := s.serverOf(client)
	defer cs.release()
	cs.named.Store(true) // the proxy sends its working directory
	session, err := cs.mcp.Connect(ctx, transport{c}, nil)
	if err != nil {
		_ = c.Close()
		return err
	}
	conn, ok := s.begin(cs, session)
	if !ok {
		_ = session.Close()
		return http.ErrServerClosed
	}
	stop := context.AfterFunc(ctx, func() {
		conn.cancel()
		_ = session.Close()
	})
	defer stop()
	c.ended(conn.cancel) // when the client disconnects, its calls end
	err = session.Wait()
	conn.end()
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return err
}

// transport hands an open connection to the SDK.
type transport struct{ c *lineConn }

func (t transport) Connect(context.Context) (mcp.Connection, error) { return t.c, nil }
