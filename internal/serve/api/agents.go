package api

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"connectrpc.com/connect"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/toolset"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/internal/serve/resource"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
	"github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1/trailblazev1connect"
)

// AgentOptions shape Agents.
type AgentOptions struct {
	Hub      *hub.Hub
	Sessions string // root of session directories
	Version  string // of trailblaze
	Log      *slog.Logger

	// AnswerTimeout limits how long a question of a job waits for a call of its client; 2 minutes if zero.
	AnswerTimeout time.Duration
}

// Agents is AgentService without a connection. The MCP server in the daemon calls its methods, and other processes call
// them through the handler that Routes adds. Streams are functions here, called with one message after the other.
type Agents struct {
	o    AgentOptions
	list toolset.Cache[*pb.ListedTool]

	life context.Context // ends with Close
	end  context.CancelFunc

	mu       sync.Mutex
	closed   bool
	wg       sync.WaitGroup // streams
	asked    map[string]chan *pb.AnswerQuestionRequest
	watchers map[*sessionWatch]struct{}
}

// NewAgents makes Agents.
func NewAgents(o AgentOptions) *Agents {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.AnswerTimeout <= 0 {
		o.AnswerTimeout = 2 * time.Minute
	}
	s := &Agents{o: o, asked: map[string]chan *pb.AnswerQuestionRequest{}, watchers: map[*sessionWatch]struct{}{}}
	s.life, s.end = context.WithCancel(context.Background())
	return s
}

// Sessions is the root of session directories.
func (s *Agents) Sessions() string { return s.o.Sessions }

// Close ends every stream, with the calls in them, and waits for them, at most until ctx ends.
func (s *Agents) Close(ctx context.Context) error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.end()
	done := make(chan struct{})
	go func() {
		s.wg.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// errClosing has no failure in it: it says that the daemon is lost, as a broken connection does.
var errClosing = connect.NewError(connect.CodeUnavailable, errors.New("the daemon is stopping"))

// stream begins a stream: its context also ends with Close.
func (s *Agents) stream(ctx context.Context) (_ context.Context, done func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, nil, errClosing
	}
	s.wg.Add(1)
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(s.life, cancel)
	return ctx, func() {
		stop()
		cancel()
		s.wg.Done()
	}, nil
}

// client is a client that was opened.
func (s *Agents) client(id string) (*clients.Client, error) {
	s.mu.Lock()
	closed := s.closed
	s.mu.Unlock()
	if closed {
		return nil, errClosing
	}
	c, ok := s.o.Hub.Lookup(id)
	if !ok {
		return nil, fault.New(fault.NotFound, "find client", "no Trailblaze client %.60q", id).
			WithHint("Leave trailblazeSessionId out; the reply names yours.")
	}
	return c, nil
}

// OpenClient implements AgentService.
func (s *Agents) OpenClient(_ context.Context, r *pb.OpenClientRequest) (*pb.OpenClientResponse, error) {
	const op = "find client"
	id := r.ClientId
	if id != "" && !clients.ValidID(id) {
		return nil, fault.New(fault.Invalid, op, "%.60q is no Trailblaze client id", id).
			WithHint("Use the trailblazeSessionId of an earlier reply, or leave it out to get a new one.")
	}
	n := clients.Identity{Kind: clients.AgentKind, Name: r.Name, Workspace: r.Workspace}
	known := false
	if id != "" {
		_, known = s.o.Hub.Lookup(id)
	}
	if n.Workspace == "" && !known { // one that exists has its own
		n.Workspace = r.DefaultWorkspace
	}
	c, err := s.o.Hub.Client(id, n)
	if err == nil && !known {
		err = applySettings(c, r.Settings)
	}
	if err != nil {
		return nil, err
	}
	if len(r.Secrets) > 0 {
		c.Hold(r.Secrets)
	}
	if len(r.ModelKeys) > 0 {
		c.AddModelKeys(r.ModelKeys)
	}
	if r.List != nil {
		return &pb.OpenClientResponse{
			ClientId: c.ID(), List: &pb.ListListedToolsResponse{Tools: s.listed(c, r.List.Abilities)},
		}, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed { // its next question is what tools there are
		s.wg.Go(func() { s.listed(c, nil) })
	}
	return &pb.OpenClientResponse{ClientId: c.ID()}, nil
}

// applySettings gives a new client its first settings.
func applySettings(c *clients.Client, o *pb.ClientSettings) error {
	const op = "begin session"
	if o == nil {
		return nil
	}
	return c.Update(func(st *clients.State) error {
		if o.Device != "" {
			st.Device = o.Device
		}
		if o.Mode != "" {
			if st.Mode = toolset.Mode(o.Mode).Canonical(); !slices.Contains(toolset.Modes(), st.Mode) {
				return fault.New(fault.Invalid, op, "there is no mode %q", o.Mode).
					WithHint("The modes are %s.", joined(toolset.Modes()))
			}
		}
		if o.Preset != "" {
			on, ok := toolset.Preset(strings.ToLower(o.Preset))
			if !ok {
				return fault.New(fault.Invalid, op, "there is no preset of tools %q", o.Preset).
					WithHint("Use minimal, standard, testing or all.")
			}
			st.Categories = on
		}
		if len(o.Categories) > 0 {
			st.Categories = nil
		}
		for _, name := range o.Categories {
			c := toolset.Category(strings.TrimSpace(name)).Canonical()
			if !slices.Contains(toolset.Categories(), c) {
				return fault.New(fault.Invalid, op, "there is no tool category %q", name).
					WithHint("The categories are %s.", joined(toolset.Categories()))
			}
			st.Categories = toolset.With(st.Categories, c)
		}
		if o.Headless != nil {
			st.Headless = o.Headless
		}
		return nil
	})
}

func joined[T ~string](list []T) string {
	words := make([]string, len(list))
	for i, w := range list {
		words[i] = string(w)
	}
	return strings.Join(words, ", ")
}

// UpdateClient implements AgentService.
func (s *Agents) UpdateClient(_ context.Context, r *pb.UpdateClientRequest) (*pb.UpdateClientResponse, error) {
	c, err := s.client(r.ClientId)
	if err != nil {
		return nil, err
	}
	st := c.State()
	rename := r.Name != "" && r.Name != st.Name && !(r.KeepName && st.Name != "")
	move := r.Workspace != "" && r.Workspace != st.Workspace
	if !rename && !move {
		return &pb.UpdateClientResponse{}, nil
	}
	err = c.Update(func(st *clients.State) error {
		if rename {
			st.Name = r.Name
		}
		if move {
			st.Workspace = r.Workspace
		}
		return nil
	})
	return &pb.UpdateClientResponse{}, err
}

// WatchClient implements AgentService.
func (s *Agents) WatchClient(
	ctx context.Context, r *pb.WatchClientRequest, send func(*pb.WatchClientResponse) error,
) error {
	c, err := s.client(r.ClientId)
	if err != nil {
		return err
	}
	ctx, done, err := s.stream(ctx)
	if err != nil {
		return err
	}
	defer done()
	if r.Connected {
		defer c.Enter()()
	}
	changed := make(chan struct{}, 1)
	defer s.o.Hub.WatchView(c, func() {
		select {
		case changed <- struct{}{}:
		default:
		}
	})()
	last := s.listed(c, nil)
	if err := send(&pb.WatchClientResponse{}); err != nil {
		return err
	}
	for {
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
		now := s.listed(c, nil)
		if slices.Equal(now, last) {
			continue
		}
		last = now
		if err := send(&pb.WatchClientResponse{ToolsChanged: true}); err != nil {
			return err
		}
	}
}

// reader reads resources for a client.
func (s *Agents) reader(clientID string) (*resource.Reader, error) {
	c, err := s.client(clientID)
	if err != nil {
		return nil, err
	}
	return &resource.Reader{Hub: s.o.Hub, Client: c, Sessions: s.o.Sessions, Version: s.o.Version}, nil
}

// ReadResource implements AgentService.
func (s *Agents) ReadResource(ctx context.Context, r *pb.ReadResourceRequest) (*pb.ReadResourceResponse, error) {
	from, err := s.reader(r.ClientId)
	if err != nil {
		return nil, err
	}
	c, err := from.Read(ctx, r.Uri)
	if err != nil {
		return nil, err
	}
	return &pb.ReadResourceResponse{MimeType: c.MIME, Text: c.Text, Blob: c.Blob}, nil
}

// GetPrompt implements AgentService.
func (s *Agents) GetPrompt(_ context.Context, r *pb.GetPromptRequest) (*pb.GetPromptResponse, error) {
	from, err := s.reader(r.ClientId)
	if err != nil {
		return nil, err
	}
	text, err := from.Prompt(r.Name, r.Arguments)
	return &pb.GetPromptResponse{Text: text}, err
}

// CompleteValue implements AgentService.
func (s *Agents) CompleteValue(ctx context.Context, r *pb.CompleteValueRequest) (*pb.CompleteValueResponse, error) {
	from, err := s.reader(r.ClientId)
	if err != nil {
		return nil, err
	}
	values, total := from.Complete(ctx, r.Argument, r.Typed)
	return &pb.CompleteValueResponse{Values: values, Total: int32(total)}, nil //nolint:gosec // sessions, trails
}

// agentService is Agents behind a connection.
type agentService struct{ *Agents }

var _ trailblazev1connect.AgentServiceHandler = agentService{}

// WatchClient implements AgentService.
func (s agentService) WatchClient(
	ctx context.Context, r *pb.WatchClientRequest, out *connect.ServerStream[pb.WatchClientResponse],
) error {
	return s.Agents.WatchClient(ctx, r, out.Send)
}

// WatchSessions implements AgentService.
func (s agentService) WatchSessions(
	ctx context.Context, r *pb.WatchSessionsRequest, out *connect.ServerStream[pb.WatchSessionsResponse],
) error {
	return s.Agents.WatchSessions(ctx, r, out.Send)
}

// CallListedTool implements AgentService.
func (s agentService) CallListedTool(
	ctx context.Context, r *pb.CallListedToolRequest, out *connect.ServerStream[pb.CallListedToolResponse],
) error {
	return s.Agents.CallListedTool(ctx, r, out.Send)
}
