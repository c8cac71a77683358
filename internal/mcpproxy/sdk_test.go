package mcpproxy

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// realDaemons dials servers of the official SDK, one per connection, as daemons do.
type realDaemons struct {
	t    *testing.T
	wg   sync.WaitGroup
	mu   sync.Mutex
	last net.Conn
	n    int

	acting chan struct{} // one for each call of act that waits
}

type countIn struct {
	Wait bool `json:"wait,omitempty"`
}

func (d *realDaemons) Dial(ctx context.Context, _ string) (io.ReadWriteCloser, string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.n++
	life := d.n
	s := mcp.NewServer(&mcp.Implementation{Name: "daemon", Version: "1"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "look", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}},
		func(ctx context.Context, r *mcp.CallToolRequest, in countIn) (*mcp.CallToolResult, any, error) {
			if in.Wait && life == 1 {
				<-ctx.Done()
			}
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: strings.Repeat("life ", life)}}}, nil, nil
		})
	mcp.AddTool(s, &mcp.Tool{Name: "act"}, func(ctx context.Context, r *mcp.CallToolRequest, in countIn) (*mcp.CallToolResult, any, error) {
		if in.Wait {
			d.acting <- struct{}{}
			<-ctx.Done()
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "done"}}}, nil, nil
	})
	ours, theirs := net.Pipe()
	d.last = theirs
	d.wg.Go(func() { _ = s.Run(context.WithoutCancel(ctx), &mcp.IOTransport{Reader: theirs, Writer: theirs}) })
	return ours, "tb_real", nil
}

func (d *realDaemons) Stopped() bool { return false }

func (d *realDaemons) kill() {
	d.mu.Lock()
	defer d.mu.Unlock()
	_ = d.last.Close()
}

// TestRealClientAndServer: the official client, in either era, does not notice that its server was replaced under it,
// but for the news that tools may have changed.
func TestRealClientAndServer(t *testing.T) {
	for _, era := range []string{"2025-11-25", "2026-07-28"} {
		t.Run(era, func(t *testing.T) {
			d := &realDaemons{t: t, acting: make(chan struct{}, 10)}
			in, clientOut := io.Pipe()
			clientIn, out := io.Pipe()
			done := make(chan error, 1)
			go func() { done <- Run(t.Context(), Options{In: in, Out: out, Dialer: d}) }()

			changed := make(chan struct{}, 10)
			agent := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "1"}, &mcp.ClientOptions{
				ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { changed <- struct{}{} },
			})
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			s, err := agent.Connect(ctx, &mcp.IOTransport{Reader: clientIn, Writer: clientOut}, &mcp.ClientSessionOptions{ProtocolVersion: era})
			if err != nil {
				t.Fatal(err)
			}
			if got := s.InitializeResult().ProtocolVersion; got != era {
				t.Errorf("negotiated %s", got)
			}
			tools, err := s.ListTools(ctx, nil)
			if err != nil || len(tools.Tools) != 2 {
				t.Fatalf("tools %v, %v", tools, err)
			}
			results := make(chan *mcp.CallToolResult, 1)
			go func() {
				r, err := s.CallTool(ctx, &mcp.CallToolParams{Name: "act", Arguments: countIn{Wait: true}})
				if err != nil {
					t.Errorf("call under way: %v", err)
				}
				results <- r
			}()
			receive(t, d.acting, "call under way")
			d.kill()
			if r := receive(t, results, "answer to the call under way"); r == nil || !r.IsError {
				t.Errorf("call under way gave %+v", r)
			}
			receive(t, changed, "list_changed")
			r, err := s.CallTool(ctx, &mcp.CallToolParams{Name: "look", Arguments: countIn{Wait: true}})
			if err != nil || r.Content[0].(*mcp.TextContent).Text != "life life " {
				t.Errorf("next call: %+v, %v", r, err)
			}
			if err := s.Close(); err != nil && !errors.Is(err, io.ErrClosedPipe) {
				t.Errorf("close: %v", err)
			}
			_ = clientOut.Close()
			// The client may be gone before the proxy has said its last word.
			if err := receive(t, done, "end of the front"); err != nil && !errors.Is(err, io.ErrClosedPipe) {
				t.Error(err)
			}
			_ = out.Close()
			d.wg.Wait()
		})
	}
}
