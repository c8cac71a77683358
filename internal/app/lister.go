package app

import (
	"context"
	"log/slog"

	"google.golang.org/protobuf/proto"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/api"
	"github.com/trailblaze-dev/trailblaze/internal/hub"
	"github.com/trailblaze-dev/trailblaze/internal/tools/manage"
	"github.com/trailblaze-dev/trailblaze/internal/workspace"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Lister answers what tools a client sees, as a daemon does that has just started and knows nothing of the client. It
// is for the process of the client, before it has a daemon: it is made of the daemon's parts, writes no file and starts
// nothing. fault.Unsupported says that only a daemon knows: the project has tools of its own, or the client has chosen
// a device, which may be open.
func (s *Server) Lister(ctx context.Context, client *pb.OpenClientRequest) (*api.Agents, error) {
	const op = "list tools"
	s.follow(slog.New(slog.DiscardHandler))
	cfg, err := s.workspaces.Settings(client.Workspace)
	if err != nil || client.Settings.GetDevice() != "" || workspace.Declares(client.Workspace, cfg.Project) {
		return nil, fault.New(fault.Unsupported, op, "a daemon must be asked")
	}
	ws, err := s.workspace(client.Workspace, true)
	if err != nil {
		return nil, err
	}
	hb, err := hub.New(hub.Options{
		Provider: NewDevices(DeviceOptions{}), Model: promptsOf{s.models, s.hub.Load},
		Workspace:  func(string) (*hub.Workspace, error) { return ws, nil },
		Management: func(hb *hub.Hub) []tool.Tool { return manage.Tools(hb, manage.Options{}) },
	})
	if err != nil {
		return nil, err
	}
	s.hub.Store(hb)
	defer func() { _ = ws.Close() }() // nothing is loaded
	agents := api.NewAgents(api.AgentOptions{Hub: hb, Version: s.Version})
	first := proto.CloneOf(client)
	first.List = &pb.ListListedToolsRequest{} // has the tools described before the client asks
	_, err = agents.OpenClient(ctx, first)
	return agents, err
}
