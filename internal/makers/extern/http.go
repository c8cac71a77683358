package extern

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/listen"
	"github.com/trailblaze-dev/trailblaze/internal/ground/proc"
)

// mcpPath is the path at which the SDKs serve MCP over HTTP by default.
const mcpPath = "/mcp"

// startHTTP starts the process of the server once for all sessions, on a port that is free now.
func (s *Server) startHTTP(ctx context.Context) (*connection, error) {
	port, err := freePort()
	if err != nil {
		return nil, fault.Wrap(err, fault.Unavailable, "start "+s.c.Title())
	}
	c := &connection{name: s.c.Title(), output: &proc.Tail{}, handed: s.handed}
	args := append(slices.Clone(s.c.Args), "--transport", "http", "--port", strconv.Itoa(port))
	if err = s.start(c, args, nil, nil); err != nil {
		return nil, err
	}
	c.finish = func() { c.end() }
	at := net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	if err := c.listening(ctx, at); err != nil {
		err = c.failed("start with --transport http --port "+strconv.Itoa(port), err)
		c.stop()
		return nil, err
	}
	return s.connectHTTP(ctx, "http://"+at+mcpPath, c)
}

func freePort() (int, error) {
	l, err := listen.TCP(context.Background(), 0)
	if err != nil {
		return 0, err
	}
	defer func() { _ = l.Close() }()
	return l.Addr().(*net.TCPAddr).Port, nil //nolint:forcetypeassert // a TCP listener
}

// listening waits until the process takes connections. Nothing announces that, so it is tried.
func (c *connection) listening(ctx context.Context, at string) error {
	var d net.Dialer
	for wait := 10 * time.Millisecond; ; wait = min(2*wait, 200*time.Millisecond) {
		conn, err := d.DialContext(ctx, "tcp", at)
		if err == nil {
			_ = conn.Close()
			return nil
		}
		select {
		case <-c.process.Done():
			return fmt.Errorf("its process ended (%s)", exit(c.process.Err()))
		case <-ctx.Done():
			return fault.New(fault.Timeout, "", "it does not listen on %s: %w", at, context.Cause(ctx))
		case <-time.After(wait):
		}
	}
}

// find connects to a server that runs anyway. Where its address has no path, and MCP is not there, it is at mcpPath.
func (s *Server) find(ctx context.Context) (*connection, error) {
	c, err := s.connectHTTP(ctx, s.c.URL, nil)
	u, bad := url.Parse(s.c.URL)
	if err == nil || bad != nil || u.Host == "" || strings.Trim(u.Path, "/") != "" || ctx.Err() != nil {
		return c, err
	}
	u.Path = mcpPath
	c, below := s.connectHTTP(ctx, u.String(), nil)
	if below != nil {
		return nil, fault.New(fault.KindOf(err), "", "%w; nor is it at %s: %w", err, u.Redacted(), below)
	}
	return c, nil
}

// connectHTTP connects to a server over HTTP. c is that of a process that was started here, nil for one that runs
// anyway.
func (s *Server) connectHTTP(ctx context.Context, address string, c *connection) (*connection, error) {
	if c == nil {
		c = &connection{name: s.c.Title(), finish: func() {}}
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fault.New(fault.Invalid, "connect "+s.c.Title(), "%q is not a URL of http or https", address).
			WithHint("Mend the url in %s.", s.place())
	}
	life, cut := context.WithCancel(context.WithoutCancel(ctx))
	trip := &trip{headers: s.c.Headers, life: life, next: &http.Transport{Proxy: http.ProxyFromEnvironment}}
	finish := c.finish
	c.finish = func() {
		cut()
		finish()
		trip.next.CloseIdleConnections()
	}
	return s.shake(ctx, c, &mcp.StreamableClientTransport{
		Endpoint: address, MaxEventSize: maxMessage, MaxRetries: 2,
		HTTPClient: &http.Client{Transport: trip, CheckRedirect: sameHost},
	})
}

// sameHost follows no redirect to another host, nor out of TLS: the request is meant for this one.
func sameHost(r *http.Request, via []*http.Request) error {
	open := via[0].URL.Scheme == "https" && r.URL.Scheme != "https"
	if len(via) > 5 || open || !strings.EqualFold(r.URL.Host, via[0].URL.Host) {
		return http.ErrUseLastResponse
	}
	return nil
}

// trip sends the declared headers, bounds answers, and ends every request when the connection is to end.
type trip struct {
	headers map[string]string
	life    context.Context // of the connection: a lifetime owner
	next    *http.Transport
}

// RoundTrip implements http.RoundTripper.
func (t *trip) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancel(r.Context())
	stop := context.AfterFunc(t.life, cancel)
	r = r.Clone(ctx)
	for name, v := range t.headers {
		r.Header.Set(name, v)
	}
	resp, err := t.next.RoundTrip(r)
	if err != nil {
		stop()
		cancel()
		return nil, err
	}
	resp.Body = &body{resp.Body, func() { stop(); cancel() }, maxMessage,
		!strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream")}
	return resp, nil
}

// body is the body of an answer. Unless it is a stream of events, which are bounded one by one, it ends with an error
// beyond its bound.
type body struct {
	io.ReadCloser
	closed  func()
	left    int
	bounded bool
}

// Read implements io.Reader.
func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.left -= n; b.bounded && b.left < 0 {
		return 0, fault.New(fault.Unavailable, "", "it sent an answer of more than %d MiB", maxMessage>>20)
	}
	return n, err
}

// Close implements io.Closer.
func (b *body) Close() error {
	defer b.closed()
	return b.ReadCloser.Close()
}
