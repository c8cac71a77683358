package cli

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/api"
	"github.com/trailblaze-dev/trailblaze/internal/config"
	"github.com/trailblaze-dev/trailblaze/internal/daemon"
	"github.com/trailblaze-dev/trailblaze/internal/desk"
	"github.com/trailblaze-dev/trailblaze/internal/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/launch"
	"github.com/trailblaze-dev/trailblaze/internal/hub"
	"github.com/trailblaze-dev/trailblaze/internal/mcpserver"
	"github.com/trailblaze-dev/trailblaze/internal/metrics"
	"github.com/trailblaze-dev/trailblaze/internal/replay"
	"github.com/trailblaze-dev/trailblaze/internal/tools"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// house wires what the daemon serves: browsers below, the hub, and the doors above.
type house struct {
	*app
	home  string
	rules *policies
	hub   atomic.Pointer[hub.Hub] // once there is one
}

// make implements daemon.Options.Make.
func (h *house) make(d *daemon.Daemon) (daemon.Served, error) {
	launch.Reap()
	cfg, err := config.Load(config.Sources{Dir: h.home, Env: h.Env})
	if err != nil {
		return daemon.Served{}, err
	}
	h.rules = &policies{env: h.env, log: d.Log}
	rooms := newBrowsers(cfg, filepath.Join(h.home, "profiles"), h.rules.of, d.Log)
	counted, err := h.metrics(d.Log)
	if err != nil {
		return daemon.Served{}, err
	}
	hb, err := hub.New(hub.Options{
		Home: h.home, Sessions: cfg.Sessions(), Version: d.Boot.Version, Provider: rooms, Workspace: h.workspace, Log: d.Log,
		Middleware: []dispatch.Middleware{counted.Middleware()},
		Desk: func(hb *hub.Hub) []tool.Tool {
			return desk.Tools(hb, desk.Options{
				Sessions: cfg.Sessions(), Version: d.Boot.Version, NeedsModel: tools.NeedsModel(),
				Config: func(root string) (*config.Config, error) {
					return config.Load(config.Sources{Dir: root, Env: envIn(h.Env, root)})
				},
				Lint: h.lint, Metrics: counted,
				Greens: func(ctx context.Context) (replay.Greens, func()) {
					g := &greens{ctx: ctx, root: cfg.Sessions()}
					return g, g.close
				},
			})
		},
	})
	if err != nil {
		return daemon.Served{}, errors.Join(err, rooms.Close())
	}
	mcp := mcpserver.New(mcpserver.Options{Hub: hb, Version: d.Boot.Version, Sessions: cfg.Sessions(), Workspace: h.home, Log: d.Log})
	h.hub.Store(hb)
	mux := http.NewServeMux()
	mux.Handle("/mcp", mcp)
	mux.Handle("GET /metrics", counted.Handler())
	front := mcp.UpgradeHandler()
	mux.HandleFunc("GET /mcp/stdio", func(w http.ResponseWriter, r *http.Request) {
		d.Enter()
		defer d.Leave()
		front.ServeHTTP(w, r)
	})
	api.Routes(mux, api.Options{Hub: hb, Sessions: cfg.Sessions(), Status: func() any { return h.status(d, hb) }})
	time.AfterFunc(settleDown, func() { // what starting took is not needed again
		debug.SetGCPercent(100)
		debug.SetMemoryLimit(math.MaxInt64)
		debug.FreeOSMemory()
	})
	return daemon.Served{
		Handler: mux,
		Busy:    func() bool { return busy(hb.Status()) },
		Calls:   func() bool { return hb.Status().Running > 0 },
		Leave: func(ctx context.Context) error {
			return errors.Join(mcp.Close(ctx), hb.Drop(ctx), rooms.Close())
		},
		Close: func(ctx context.Context) error {
			return errors.Join(mcp.Close(ctx), hb.Close(ctx), rooms.Close(), counted.Close(ctx))
		},
	}, nil
}

// A daemon is started because somebody waits for it: until it has settled down it does not collect what it throws away,
// up to a bound.
const (
	settleDown = time.Second
	startLimit = 96 << 20
)

func hurry() {
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(startLimit)
}

// liveIdle is how long a device that nobody uses keeps the daemon alive: somebody may come back to what it shows.
const liveIdle = 2 * time.Hour

// busy says whether an idle daemon must stay.
func busy(st hub.Status) bool {
	if st.Running > 0 {
		return true
	}
	open := false
	for _, d := range st.Devices {
		open = open || d.State == hub.StateOpen || d.State == hub.StateOpening
	}
	return open && time.Since(st.Active) < liveIdle
}

// status is what GET /v1/status tells.
func (h *house) status(d *daemon.Daemon, hb *hub.Hub) daemonDoc {
	st := hb.Status()
	doc := daemonDoc{
		Schema: daemonSchema, Running: true, PID: d.Boot.PID, Build: d.Boot.Build, Version: d.Boot.Version, Socket: d.Boot.Socket,
		Port: d.Boot.Port, TCP: d.TCP, Hub: &st, RSS: residentBytes(),
	}
	if d.Boot.Port > 0 {
		doc.MCP = "http://127.0.0.1:" + strconv.Itoa(d.Boot.Port) + "/mcp"
	}
	return doc
}

// workspace makes the tools of a client's project.
func (h *house) workspace(root string) (*hub.Workspace, error) {
	cfg, err := config.Load(config.Sources{Dir: root, Env: envIn(h.Env, root)})
	if err != nil {
		return nil, err
	}
	var reg *tool.Registry
	all := append(tools.BuiltinIn(root), replay.NewRunTrail(
		func(path string) (*trail.Trail, error) { return loadTrailIn(root, path) },
		func() *tool.Registry { return reg },
	))
	if reg, err = tool.NewRegistry(all...); err != nil {
		return nil, err
	}
	pol, err := h.rules.live(root)
	if err != nil {
		return nil, err
	}
	return &hub.Workspace{Root: root, Tools: all, Middleware: []dispatch.Middleware{pol.Middleware()}, Memory: func() *memory.Store {
		m := memory.New()
		if url := cfg.String("base-url"); url != "" {
			m.Set("baseUrl", url)
		}
		if now, err := pol.Current(); err == nil { // an error stops the call itself
			now.Seed(m, nil) // bindings only: a secret belongs to the client that gives it with its calls
		}
		return m
	}}, nil
}

// metrics counts what is done, and traces it when OpenTelemetry's variables name a collector.
func (h *house) metrics(log *slog.Logger) (*metrics.Metrics, error) {
	o := metrics.Options{
		Seat: func(ctx context.Context) (handle, mode string) {
			if s, ok := hub.SeatFrom(ctx); ok {
				return s.Handle(), string(s.State().Mode)
			}
			return "", ""
		},
		Status: func() metrics.Status {
			hb := h.hub.Load()
			if hb == nil {
				return metrics.Status{}
			}
			st := hb.Status()
			return metrics.Status{Seats: len(st.Seats), Slots: len(st.Devices), Sessions: len(hb.Sessions()), Running: st.Running, Jobs: len(st.Jobs)}
		},
	}
	out, err := metrics.OTLPFromEnv(h.env, buildVersion().Version, log)
	if err != nil {
		return nil, err
	}
	if out != nil {
		log.Info("traces go to a collector", "to", out.String())
		o.Tracer = metrics.NewTracer(out)
	}
	return metrics.New(o), nil
}

// lint is what check says of a trail file.
func (h *house) lint(root, path string, data []byte) trail.Problems {
	reg, err := newRegistry(root)
	if err != nil {
		return nil
	}
	l := &replay.Linter{Registry: reg, NeedsModel: tools.NeedsModel()}
	return l.File(path, data)
}

// residentBytes is how much memory the process holds, 0 where the system does not say it cheaply.
func residentBytes() int64 {
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	var total, resident int64
	if n, err := sscan(data, &total, &resident); err != nil || n < 2 {
		return 0
	}
	return resident * int64(os.Getpagesize())
}
