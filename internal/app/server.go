package app

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/call/toolset"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/launch"
	"github.com/trailblaze-dev/trailblaze/internal/ground/config"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace"
	"github.com/trailblaze-dev/trailblaze/internal/serve/api"
	"github.com/trailblaze-dev/trailblaze/internal/serve/callback"
	"github.com/trailblaze-dev/trailblaze/internal/serve/daemon"
	"github.com/trailblaze-dev/trailblaze/internal/serve/daemon/dial"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/devices"
	"github.com/trailblaze-dev/trailblaze/internal/serve/manage"
	"github.com/trailblaze-dev/trailblaze/internal/serve/mcpserver"
	"github.com/trailblaze-dev/trailblaze/internal/serve/metrics"
	"github.com/trailblaze-dev/trailblaze/internal/trails/replay"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// Server holds the parts of the daemon: browsers below, the hub, and the API and MCP above.
type Server struct {
	Home    string
	Version string
	Env     func(string) string // os.Getenv's shape; nil: no variables

	workspaces *Workspaces
	hub        atomic.Pointer[hub.Hub] // nil until it is made
	callback   *callback.Server
	models     *Models
}

// Make implements daemon.Options.Make.
func (s *Server) Make(d *daemon.Daemon) (daemon.Served, error) {
	launch.Reap()
	cfg, err := config.Load(config.Sources{Dir: s.Home, Env: s.Env})
	if err != nil {
		return daemon.Served{}, err
	}
	s.callback = NewCallback(d.Log)
	s.follow(d.Log)
	s.models.Own = &ownServer{&dial.Daemon{Boot: d.Boot, Place: d.Place}, s.Version}
	provider := NewDevices(DeviceOptions{
		Config: cfg, Policy: s.workspaces.CurrentPolicy, Profiles: filepath.Join(s.Home, "profiles"), Env: s.Env, Log: d.Log,
	})
	counted := s.metrics()
	sessions := cfg.Sessions()
	hb, err := hub.New(hub.Options{
		Home: s.Home, Sessions: sessions, Version: s.Version, Provider: provider, Log: d.Log,
		Workspace: func(root string) (*hub.Workspace, error) { return s.workspace(root, false) },
		JobAfter:  cfg.Duration("job-after"),
		Browsers:  cfg.Int("max-browsers"),
		Model:     promptsOf{s.models, s.hub.Load},
		Counter:   counted.Count,
		Management: func(hb *hub.Hub) []tool.Tool {
			return manage.Tools(hb, manage.Options{
				Sessions: sessions, Version: s.Version, Config: s.workspaces.Settings, Lint: s.lint, Metrics: counted,
				ToolFiles: s.workspaces,
				Player: func(ctx context.Context, reg *tool.Registry) (*replay.Player, func()) {
					p, b := newPlayer(ctx, reg, sessions)
					return p, b.close
				},
			})
		},
	})
	if err != nil {
		return daemon.Served{}, errors.Join(err, provider.Close())
	}
	s.hub.Store(hb)
	s.callback.Bind(hb)
	agents := api.NewAgents(api.AgentOptions{Hub: hb, Version: s.Version, Sessions: sessions, Log: d.Log,
		AnswerTimeout: cfg.Duration("answer-timeout")})
	mcp := mcpserver.New(mcpserver.Options{Daemon: agents, Version: s.Version, Workspace: s.Home, Log: d.Log,
		AnswerTimeout: cfg.Duration("answer-timeout")})
	return daemon.Served{
		Handler: s.routes(d, hb, agents, mcp, counted.Handler(), cfg.Reports()),
		Busy:    func() bool { return busy(hb.Status()) },
		Calls:   func() bool { return hb.Status().Running > 0 },
		Leave: func(ctx context.Context) error {
			return errors.Join(mcp.Close(ctx), agents.Close(ctx), hb.Drop(ctx), provider.Close(), s.callback.Close(ctx))
		},
		Close: func(ctx context.Context) error {
			return errors.Join(mcp.Close(ctx), agents.Close(ctx), hb.Close(ctx), provider.Close(), s.callback.Close(ctx))
		},
	}, nil
}

// Lister answers what tools a client sees, as a daemon does that has just started. It is for the process of the client,
// before it has a daemon: it is made of the daemon's parts, writes no file and starts nothing. fault.Unsupported says
// that only a daemon knows: the project has tools of its own, or the client begins with a device, which may be open.
func (s *Server) Lister(root, device string) (*api.Agents, error) {
	s.follow(slog.New(slog.DiscardHandler))
	cfg, err := s.workspaces.Settings(root)
	if err != nil || device != "" || workspace.Declares(root, cfg.Project) {
		return nil, fault.New(fault.Unsupported, "list tools", "only a daemon knows the tools of this client")
	}
	ws, err := s.workspace(root, true)
	if err != nil {
		return nil, err
	}
	defer func() { _ = ws.Close() }() // nothing is loaded
	hb, err := hub.New(hub.Options{
		Provider: NewDevices(DeviceOptions{}), Model: promptsOf{s.models, s.hub.Load},
		Workspace:  func(string) (*hub.Workspace, error) { return ws, nil },
		Management: func(hb *hub.Hub) []tool.Tool { return manage.Tools(hb, manage.Options{}) },
	})
	if err != nil {
		return nil, err
	}
	s.hub.Store(hb)
	return api.NewAgents(api.AgentOptions{Hub: hb, Version: s.Version}), nil
}

func (s *Server) routes(
	d *daemon.Daemon, hb *hub.Hub, agents *api.Agents, mcp *mcpserver.Server, counts http.Handler, reports string,
) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/mcp", mcp)
	mux.Handle("GET /metrics", counts)
	mux.Handle(callback.Path, s.callback.Handler())
	api.Routes(mux, api.Options{
		Hub: hb, Agents: agents, Sessions: agents.Sessions(), Version: s.Version,
		Status: func() any { return statusOf(d, hb) }, Reports: reports, Lint: s.lint,
		Settings: s.workspaces.Settings,
	})
	return mux
}

// Page returns the daemon's page for people who have not shown its token yet: it describes the API.
func (s *Server) Page() http.Handler { return api.Page() }

// env is a variable of the environment, "" when there is none.
func (s *Server) env(name string) string {
	if s.Env == nil {
		return ""
	}
	return s.Env(name)
}

// liveIdle is the time for which an open device without calls keeps the daemon alive, because its user may come back
// to it.
const liveIdle = 2 * time.Hour

// busy reports whether a daemon without requests must stay.
func busy(st hub.Status) bool {
	if st.Running > 0 {
		return true
	}
	open := false
	for _, d := range st.Devices {
		open = open || d.State == devices.StateOpen || d.State == devices.StateOpening
	}
	return open && time.Since(st.Active) < liveIdle
}

// follow begins to follow the workspaces of clients.
func (s *Server) follow(log *slog.Logger) {
	s.workspaces = &Workspaces{Env: s.env, Log: log}
	s.models = &Models{Settings: s.workspaces.Settings, Trust: s.env(workspace.EnvTrust) == "1"}
}

// workspace makes the tools of a client's project, which load while the client asks already; idle, it loads none. A
// mistake in the project's settings or policy takes none of them away: it is the answer to the calls that the policy
// would have to decide about.
func (s *Server) workspace(root string, idle bool) (*hub.Workspace, error) {
	ws := s.workspaces.Of(root)
	loaded, err := Tools(ToolOptions{
		Root: root, Home: s.Home, Config: ws.settings, Env: s.env, Callback: s.callback, Log: s.workspaces.Log,
		Model: s.models.Of(root), Follow: !idle, Idle: idle,
	})
	if err != nil {
		return nil, err
	}
	ws.tools.Store(loaded)
	now := loaded.Registry()
	return &hub.Workspace{
		Root: root, Tools: now.All(), LeftOut: loaded.Problems, Reload: reload(loaded), Ready: loaded.Wait,
		Targets:    func() ([]toolset.Target, string) { return targets(loaded), ws.target() },
		Listed:     func(also []string) toolset.TargetTools { return listed(loaded, also) },
		Toolsets:   loaded.Toolsets,
		Changes:    func(changed func([]tool.Tool)) (stop func()) { return loaded.Watch(now, changed) },
		Middleware: []dispatch.Middleware{ws.Policy.Middleware()},
		Memory:     ws.Memory, Refresh: ws.Refresh,
		Close: func() error {
			ws.tools.CompareAndSwap(loaded, nil)
			return loaded.Close()
		},
	}, nil
}

// targets are the apps under test of a workspace, as lists of tools need them.
func targets(loaded *workspace.Sources) (out []toolset.Target) {
	for _, t := range loaded.Targets() {
		app := toolset.Target{ID: t.ID, On: map[driver.Platform]toolset.TargetTools{}}
		for name, p := range t.Platforms {
			app.Names = append(app.Names, p.AppIDs...)
			if p.BaseURL != "" {
				app.Names = append(app.Names, p.BaseURL)
			}
			app.On[name] = toolset.TargetTools{
				Tools:  slices.Concat(p.Tools, loaded.ToolsOf(p.Toolsets, name)),
				Groups: p.Toolsets, Excluded: p.Excluded,
			}
		}
		out = append(out, app)
	}
	return out
}

// listed are the tools and toolsets that the settings of a workspace name.
func listed(loaded *workspace.Sources, also []string) toolset.TargetTools {
	tools, sets := loaded.Listed(also)
	return toolset.TargetTools{Tools: tools, Groups: sets}
}

// reload reads the sources of a workspace again for a client.
func reload(loaded *workspace.Sources) func(context.Context) (hub.Reloaded, error) {
	return func(ctx context.Context) (hub.Reloaded, error) {
		c, err := loaded.Reload(ctx)
		return hub.Reloaded{Added: c.Added, Removed: c.Removed, Total: c.Total, LeftOut: loaded.Problems()}, err
	}
}

// metrics counts calls.
func (s *Server) metrics() *metrics.Metrics {
	return metrics.New(metrics.Options{
		Client: func(ctx context.Context) (id, mode string) {
			if c, ok := calls.ClientFrom(ctx); ok {
				return c.ID(), string(c.State().Mode)
			}
			return "", ""
		},
		Status: func() metrics.Status {
			hb := s.hub.Load()
			if hb == nil {
				return metrics.Status{}
			}
			st := hb.Status()
			return metrics.Status{
				Clients: len(st.Clients), Devices: len(st.Devices), Sessions: len(hb.Sessions()), Running: st.Running,
				Jobs: len(st.Jobs),
			}
		},
	})
}

// lint returns the findings of `trailblaze check` about a trail file.
func (s *Server) lint(root, path string, data []byte) trail.Problems {
	return Linter(s.workspaces.Of(root).Registry()).File(path, data)
}
