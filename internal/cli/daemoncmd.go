package cli

import (
	"context"
	"errors"
	"os"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/trailblaze-dev/trailblaze/internal/config"
	"github.com/trailblaze-dev/trailblaze/internal/daemon"
	"github.com/trailblaze-dev/trailblaze/internal/daemon/link"
	"github.com/trailblaze-dev/trailblaze/internal/hub"
)

// daemonCmd are the options of the daemon commands.
type daemonCmd struct {
	*app
	ready uint64
	lines int
	all   bool

	follow bool
}

func newDaemon(a *app) *cobra.Command {
	c := &daemonCmd{app: a}
	serve := &cobra.Command{Use: "serve", Short: "Be the daemon, in the foreground", Args: exactly(0, "no arguments"), RunE: work(c.serve),
		Example: "  trailblaze daemon serve                # until Ctrl-C\n  TRAILBLAZE_PORT=0 trailblaze daemon serve"}
	serve.Flags().Uint64Var(&c.ready, "ready", 0, "handle on which to say that it listens")
	_ = serve.Flags().MarkHidden("ready")
	start := &cobra.Command{Use: "start", Short: "Start the daemon in the background, if none is running", Args: exactly(0, "no arguments"),
		Example: "  trailblaze daemon start", RunE: work(c.start)}
	status := &cobra.Command{Use: "status", Short: "Show what the daemon does; starts none", Args: exactly(0, "no arguments"),
		Example: "  trailblaze daemon status\n  trailblaze daemon status --json", RunE: work(c.status)}
	stop := &cobra.Command{Use: "stop", Short: "Stop the daemon: its calls, sessions and browsers end in order", Args: exactly(0, "no arguments"),
		Example: "  trailblaze daemon stop\n  trailblaze daemon stop --all           # those of other builds too", RunE: work(c.stop)}
	stop.Flags().BoolVar(&c.all, "all", false, "stop the daemons of every build")
	logs := &cobra.Command{Use: "logs", Short: "Show the end of the daemon's log", Args: exactly(0, "no arguments"),
		Example: "  trailblaze daemon logs -n 100\n  trailblaze daemon logs -f", RunE: work(c.logs)}
	logs.Flags().IntVarP(&c.lines, "lines", "n", 50, "at most `n` lines")
	logs.Flags().BoolVarP(&c.follow, "follow", "f", false, "go on with what is written, until Ctrl-C")
	return parent("daemon", "The background process that keeps browsers and sessions alive", "setup", start, status, stop, logs, serve)
}

// serve is the daemon itself.
func (c *daemonCmd) serve(ctx context.Context, _ []string) error {
	hurry()
	home, place, err := c.place()
	if err != nil {
		return err
	}
	port, err := daemon.Port(c.env("TRAILBLAZE_PORT"))
	if err != nil {
		return err
	}
	o := daemon.Options{Home: home, Version: buildVersion().Version, Port: port, Idle: c.idle(home), Make: (&house{app: c.app, home: home}).make}
	if c.ready != 0 {
		o.Ready = os.NewFile(uintptr(c.ready), "ready")
	} else {
		c.errorf("The daemon runs; Ctrl-C ends it. Its log is %s.\n", place.LogFile())
	}
	if err := daemon.Serve(ctx, o); !errors.Is(err, daemon.ErrStopped) {
		return err
	}
	return nil
}

// place is where the daemon of this very program keeps its files.
func (c *daemonCmd) place() (home string, p link.Place, err error) {
	if home, err = config.HomeOf(c.Env); err != nil {
		return "", p, err
	}
	build, err := link.Build()
	return home, link.PlaceOf(home, build), err
}

// idle is when an unused daemon ends. Settings that cannot be read are none: whoever asked for the daemon is told by what it
// would serve.
func (c *daemonCmd) idle(home string) time.Duration {
	cfg, err := config.Load(config.Sources{Dir: home, Env: c.Env})
	if err != nil {
		return 0
	}
	if d := cfg.Duration("idle"); d > 0 {
		return d
	}
	return -1
}

func (c *daemonCmd) start(ctx context.Context, _ []string) error {
	l, err := c.link(ctx, true)
	if err != nil {
		return err
	}
	if c.json {
		return c.printJSON(daemonDoc{Schema: daemonSchema, Running: true, PID: l.Boot.PID, Build: l.Boot.Build, Version: l.Boot.Version, Socket: l.Boot.Socket, Port: l.Boot.Port})
	}
	c.printf("The daemon runs (process %d).\n", l.Boot.PID)
	return nil
}

const daemonSchema = "trailblaze.daemon/1"

// daemonDoc is what status prints with --json.
type daemonDoc struct {
	Schema  string      `json:"schema"`
	Running bool        `json:"running"`
	PID     int         `json:"pid,omitempty"`
	Build   string      `json:"build,omitempty"`
	Version string      `json:"version,omitempty"`
	Socket  string      `json:"socket,omitempty"`
	Port    int         `json:"port,omitempty"`
	TCP     string      `json:"tcp,omitempty"` // why there is no TCP port
	MCP     string      `json:"mcp,omitempty"` // address for MCP over HTTP
	Boot    string      `json:"boot,omitempty"`
	Log     string      `json:"log,omitempty"`
	RSS     int64       `json:"rssBytes,omitempty"`
	Hub     *hub.Status `json:"hub,omitempty"`
}

func (c *daemonCmd) status(ctx context.Context, _ []string) error {
	var doc daemonDoc
	l, err := c.control(ctx, func(ctx context.Context, l *link.Client) error { return l.Get(ctx, "/v1/status", &doc) })
	if l == nil && err == nil {
		if c.json {
			return c.printJSON(daemonDoc{Schema: daemonSchema})
		}
		c.printf("No daemon is running. The first command that drives a device starts it.\n")
		return nil
	}
	if err != nil {
		return err
	}
	doc.Boot, doc.Log = l.Place.BootFile(), l.Place.LogFile()
	if c.json {
		return c.printJSON(doc)
	}
	c.tell(doc)
	return nil
}

// tell prints a status for people.
func (c *daemonCmd) tell(doc daemonDoc) {
	st := c.style()
	c.printf("The daemon runs (process %d, version %s).\n", doc.PID, doc.Version)
	if doc.MCP != "" {
		c.printf("  MCP over HTTP  %s\n", doc.MCP)
	} else {
		c.printf("  MCP over HTTP  none: %s\n", doc.TCP)
	}
	c.printf("  token          in %s\n  log            %s\n", doc.Boot, doc.Log)
	if doc.Hub == nil {
		return
	}
	c.printf("  up             %s, %s running\n", doc.Hub.Uptime.Round(time.Second), plural(doc.Hub.Running, "call"))
	for _, d := range doc.Hub.Devices {
		line := d.ID + "  " + d.State
		if d.URL != "" {
			line += "  " + d.URL
		}
		if d.Session != "" {
			line += "  session " + d.Session + ", " + strconv.Itoa(d.Actions) + " actions"
		}
		c.printf("  device         %s\n", line)
		if r := d.Running; r != nil {
			c.printf("                 %s\n", st.dim(r.Client+" runs "+r.Tool+" for "+r.Elapsed.Round(100*time.Millisecond).String()))
		}
	}
	for _, j := range doc.Hub.Jobs {
		if !j.Done {
			c.printf("  job            %s  %s for %s\n", j.ID, j.Tool, j.Elapsed.Round(time.Second))
		}
	}
}

func (c *daemonCmd) stop(ctx context.Context, _ []string) error {
	home, err := config.HomeOf(c.Env)
	if err != nil {
		return err
	}
	var stopped []int
	places := link.Places(home)
	if !c.all {
		build, err := link.Build()
		if err != nil {
			return err
		}
		places = []link.Place{link.PlaceOf(home, build)}
	}
	for _, p := range places {
		l, err := link.At(ctx, p)
		if err != nil {
			continue
		}
		if err := within(ctx, stopTime, l, func(ctx context.Context) error {
			if err := l.Post(ctx, "/v1/stop", struct{}{}, nil); err != nil && !errors.Is(err, link.ErrGone) {
				return err
			}
			return link.AwaitEnd(ctx, p)
		}); err != nil {
			return err
		}
		stopped = append(stopped, l.Boot.PID)
	}
	if c.json {
		return c.printJSON(map[string]any{"schema": "trailblaze.stopped/1", "stopped": append([]int{}, stopped...)})
	}
	if len(stopped) == 0 {
		c.printf("No daemon was running.\n")
		return nil
	}
	c.printf("Stopped.\n")
	return nil
}
