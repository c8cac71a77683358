package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
	"github.com/trailblaze-dev/trailblaze/internal/serve/api"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/hubtest"
	"github.com/trailblaze-dev/trailblaze/tool"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const timeout = time.Minute

// rig is an MCP server over a hub with devices in memory.
type rig struct {
	*hubtest.Rig
	t    *testing.T
	mcp  *Server
	url  string
	http *http.Client

	entered, left chan struct{} // of demo_block
}

// block is a tool that lasts until it is cancelled.
func (r *rig) block() tool.Tool {
	type in struct{}
	return tool.Define(tool.Spec{Name: "demo_block", Description: "Lasts.", Kind: tool.Action, ExposedToLLM: true},
		func(ctx context.Context, _ tool.Env, _ in) (string, error) {
			r.entered <- struct{}{}
			<-ctx.Done()
			r.left <- struct{}{}
			return "", context.Cause(ctx)
		})
}

func newRig(t *testing.T, o hubtest.Options, change ...func(*Options)) *rig {
	t.Helper()
	r := &rig{t: t, entered: make(chan struct{}, 10), left: make(chan struct{}, 10)}
	o.Tools = append(o.Tools, r.block())
	r.Rig = hubtest.New(t, o)
	r.serve(change...)
	return r
}

// serve starts an MCP server on the rig's hub, in place of the one before.
func (r *rig) serve(change ...func(*Options)) {
	opts := Options{Version: "1.2.3", Workspace: r.Workspace}
	for _, fn := range change {
		fn(&opts)
	}
	agents := api.NewAgents(api.AgentOptions{Hub: r.Hub, Version: "1.2.3", Sessions: r.Home + "/sessions", AnswerTimeout: opts.AnswerTimeout})
	opts.Daemon = agents
	m := New(opts)
	srv := httptest.NewServer(m)
	r.mcp, r.url = m, srv.URL
	transport := &http.Transport{}
	r.http = &http.Client{Transport: transport}
	r.t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), timeout)
		defer cancel()
		if err := errors.Join(m.Close(ctx), agents.Close(ctx)); err != nil {
			r.t.Errorf("close MCP server: %v", err)
		}
		transport.CloseIdleConnections()
		srv.CloseClientConnections()
		srv.Close()
	})
}

// client is an SDK client and what it was told.
type client struct {
	*mcp.ClientSession
	t *testing.T

	progress chan *mcp.ProgressNotificationParams
	changes  chan string // list_changed and resource updates, as they come
	hangUp   func()      // breaks the line, and waits until the server has noticed
}

const legacy = "2025-11-25"

// connect connects a client over HTTP. version "" lets the two agree, which gives the protocol without sessions.
func (r *rig) connect(version string, o mcp.ClientOptions) *client {
	r.t.Helper()
	return r.dial(&mcp.StreamableClientTransport{Endpoint: r.url, HTTPClient: r.http}, version, o)
}

// attach connects a client over a stream of lines.
func (r *rig) attach(hubClient *clients.Client, version string, o mcp.ClientOptions) *client {
	r.t.Helper()
	ours, theirs := net.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = r.mcp.ServeConn(r.mcp.life, theirs, hubClient.ID())
	}()
	hangUp := func() {
		_ = ours.Close()
		waittest.Await(r.t, done, "the connection ends")
	}
	r.t.Cleanup(hangUp)
	c := r.dial(&mcp.IOTransport{Reader: ours, Writer: ours}, version, o)
	c.hangUp = hangUp
	return c
}

func (r *rig) dial(tr mcp.Transport, version string, o mcp.ClientOptions) *client {
	r.t.Helper()
	c := &client{t: r.t, changes: make(chan string, 100), progress: make(chan *mcp.ProgressNotificationParams, 10_000)}
	o.ToolListChangedHandler = func(context.Context, *mcp.ToolListChangedRequest) { c.changes <- "tools" }
	o.ResourceUpdatedHandler = func(_ context.Context, req *mcp.ResourceUpdatedNotificationRequest) { c.changes <- req.Params.URI }
	o.ProgressNotificationHandler = func(_ context.Context, req *mcp.ProgressNotificationClientRequest) {
		c.progress <- req.Params
	}
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	s, err := mcp.NewClient(&mcp.Implementation{Name: "tester", Version: "1"}, &o).Connect(ctx, tr, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		r.t.Fatalf("connect: %v", err)
	}
	c.ClientSession = s
	r.t.Cleanup(func() { _ = s.Close() })
	return c
}

func (c *client) ctx() context.Context {
	ctx, cancel := context.WithTimeout(c.t.Context(), timeout)
	c.t.Cleanup(cancel)
	return ctx
}

// try calls a tool.
func (c *client) try(name, args string, meta ...map[string]any) *mcp.CallToolResult {
	c.t.Helper()
	p := &mcp.CallToolParams{Name: name, Arguments: json.RawMessage(args)}
	if len(meta) > 0 {
		p.Meta = mcp.Meta{metaKey: meta[0]}
	}
	res, err := c.CallTool(c.ctx(), p)
	if err != nil {
		c.t.Fatalf("%s %s: %v", name, args, err)
	}
	return res
}

// must calls a tool that has to succeed and gives its text.
func (c *client) must(name, args string, meta ...map[string]any) string {
	c.t.Helper()
	res := c.try(name, args, meta...)
	if res.IsError {
		c.t.Fatalf("%s %s failed: %s", name, args, text(res))
	}
	return text(res)
}

func text(res *mcp.CallToolResult) string {
	var out []string
	for _, p := range res.Content {
		if t, ok := p.(*mcp.TextContent); ok {
			out = append(out, t.Text)
		}
	}
	return strings.Join(out, "\n")
}

// metaOf is _meta.trailblaze of a result.
func metaOf(t *testing.T, m mcp.Meta) map[string]any {
	t.Helper()
	out, ok := m[metaKey].(map[string]any)
	if !ok {
		t.Fatalf("no _meta.%s in %v", metaKey, m)
	}
	return out
}

// handleOf is the client id in a result.
func clientIDOf(t *testing.T, m mcp.Meta) string {
	t.Helper()
	h, _ := metaOf(t, m)["trailblazeSessionId"].(string)
	if !clients.ValidID(h) {
		t.Fatalf("%q is no client id", h)
	}
	return h
}

// names lists what the client sees.
func (c *client) names() []string {
	c.t.Helper()
	var out []string
	for tl, err := range c.Tools(c.ctx(), nil) {
		if err != nil {
			c.t.Fatal(err)
		}
		out = append(out, tl.Name)
	}
	return out
}

// read reads a resource.
func (c *client) read(uri string) string {
	c.t.Helper()
	res, err := c.ReadResource(c.ctx(), &mcp.ReadResourceParams{URI: uri})
	if err != nil {
		c.t.Fatalf("read %s: %v", uri, err)
	}
	return res.Contents[0].Text
}

// change changes a client.
func change(t *testing.T, s *clients.Client, change func(*clients.State)) {
	t.Helper()
	if err := s.Update(func(st *clients.State) error { change(st); return nil }); err != nil {
		t.Fatal(err)
	}
}

func mustClient(t *testing.T, r *rig, c *client) *clients.Client {
	t.Helper()
	s, ok := r.Lookup(clientIDIn(c.ID()))
	if !ok {
		t.Fatalf("no client behind session %q", c.ID())
	}
	return s
}
