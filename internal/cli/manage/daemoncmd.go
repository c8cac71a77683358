package manage

import (
	"context"
	"errors"
	"os"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/app"
	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/internal/ground/config"
	"github.com/trailblaze-dev/trailblaze/internal/ground/homedir"
	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
	"github.com/trailblaze-dev/trailblaze/internal/ground/proc"
	"github.com/trailblaze-dev/trailblaze/internal/serve/daemon"
	"github.com/trailblaze-dev/trailblaze/internal/serve/daemon/boot"
	"github.com/trailblaze-dev/trailblaze/internal/serve/daemon/dial"
)

// daemonCmd are the options of the daemon commands.
type daemonCmd struct {
	*shell.Shell
	ready uint64
	lines int
	all   bool

	follow bool
}

// NewDaemon makes the command trailblaze daemon.
func NewDaemon(a *shell.Shell) *cobra.Command {
	c := &daemonCmd{Shell: a}
	serve := &cobra.Command{Use: "serve", Short: "Be the daemon, in the foreground",
		Args: shell.Exactly(0, "no arguments"), RunE: shell.Work(c.serve),
		Example: "  trailblaze daemon serve                # until Ctrl-C\n  TRAILBLAZE_PORT=0 trailblaze daemon serve"}
	serve.Flags().Uint64Var(&c.ready, "ready", 0, "handle on which to say that it listens")
	_ = serve.Flags().MarkHidden("ready")
	start := &cobra.Command{Use: "start", Short: "Start the daemon in the background, if none is running",
		Args:    shell.Exactly(0, "no arguments"),
		Example: "  trailblaze daemon start", RunE: shell.Work(c.start)}
	status := &cobra.Command{Use: "status", Short: "Show what the daemon does; starts none",
		Args:    shell.Exactly(0, "no arguments"),
		Example: "  trailblaze daemon status\n  trailblaze daemon status --json", RunE: shell.Work(c.status)}
	stop := &cobra.Command{Use: "stop", Short: "Stop the daemon: its calls, sessions and browsers end in order",
		Args:    shell.Exactly(0, "no arguments"),
		Example: "  trailblaze daemon stop\n  trailblaze daemon stop --all           # those of other builds too",
		RunE:    shell.Work(c.stop)}
	stop.Flags().BoolVar(&c.all, "all", false, "stop the daemons of every build")
	logs := &cobra.Command{Use: "logs", Short: "Show the end of the daemon's log", Args: shell.Exactly(0, "no arguments"),
		Example: "  trailblaze daemon logs -n 100\n  trailblaze daemon logs -f", RunE: shell.Work(c.logs)}
	logs.Flags().IntVarP(&c.lines, "lines", "n", 50, "at most `n` lines")
	logs.Flags().BoolVarP(&c.follow, "follow", "f", false, "go on with what is written, until Ctrl-C")
	return shell.Parent("daemon", "The background process that keeps browsers and sessions alive", "setup", start, status,
		stop, logs, serve)
}

// serve is the daemon itself.
func (c *daemonCmd) serve(ctx context.Context, _ []string) error {
	home, place, err := c.place()
	if err != nil {
		return err
	}
	port, err := daemon.Port(c.Getenv("TRAILBLAZE_PORT"))
	if err != nil {
		return err
	}
	version := shell.BuildVersion().Version
	server := &app.Server{Home: home, Version: version, Env: c.Env}
	o := daemon.Options{Home: home, Version: version, Port: port, Idle: c.idle(home), Make: server.Make,
		Page: server.Page(), Adopt: proc.AdoptOrphans}
	if c.ready != 0 {
		o.Ready = os.NewFile(uintptr(c.ready), "ready")
	} else {
		c.Errorf("The daemon runs; Ctrl-C ends it. Its log is %s.\n", place.LogFile())
	}
	if err := daemon.Serve(ctx, o); !errors.Is(err, daemon.ErrStopped) {
		return err
	}
	return nil
}

// place returns the place where the daemon of this very program keeps its files.
func (c *daemonCmd) place() (home string, p boot.Place, err error) {
	if home, err = homedir.Of(c.Env); err != nil {
		return "", p, err
	}
	build, err := boot.Build()
	return home, boot.PlaceOf(home, build), err
}

// idle returns the time after which an unused daemon ends. Settings that cannot be read count as none here: the
// daemon's first call reports them.
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
	l, err := c.Link(ctx, true)
	if err != nil {
		return err
	}
	if c.JSON {
		return c.PrintJSON(app.Status{Schema: app.StatusSchema, Running: true, PID: l.Boot.PID, Build: l.Boot.Build,
			Version: l.Boot.Version, Socket: l.Boot.Socket, Port: l.Boot.Port, Boot: l.Place.BootFile(),
			Log: l.Place.LogFile()})
	}
	c.Printf("The daemon runs (process %d).\n", l.Boot.PID)
	return nil
}

func (c *daemonCmd) status(ctx context.Context, _ []string) error {
	var doc app.Status
	l, err := c.Control(ctx, func(ctx context.Context, l *dial.Daemon) error { return l.Get(ctx, "/v1/status", &doc) })
	if l == nil && err == nil {
		if c.JSON {
			return c.PrintJSON(app.Status{Schema: app.StatusSchema})
		}
		c.Printf("No daemon is running. The first command that drives a device starts it.\n")
		return nil
	}
	if err != nil {
		return err
	}
	doc.Boot, doc.Log = l.Place.BootFile(), l.Place.LogFile()
	if c.JSON {
		return c.PrintJSON(doc)
	}
	c.tell(doc)
	return nil
}

// tell prints a status for people.
func (c *daemonCmd) tell(doc app.Status) {
	st := c.Style()
	c.Printf("The daemon runs (process %d, version %s).\n", doc.PID, doc.Version)
	if doc.MCP != "" {
		c.Printf("  MCP over HTTP  %s\n", doc.MCP)
	} else {
		c.Printf("  MCP over HTTP  none: %s\n", doc.TCP)
	}
	c.Printf("  token          in %s\n  log            %s\n", doc.Boot, doc.Log)
	if doc.Hub == nil {
		return
	}
	c.Printf("  up             %s, %s running\n", doc.Hub.Uptime.Round(time.Second), phrase.Count(doc.Hub.Running, "call"))
	for _, d := range doc.Hub.Devices {
		line := d.ID + "  " + d.State
		if d.URL != "" {
			line += "  " + d.URL
		}
		if d.Session != "" {
			line += "  session " + d.Session + ", " + strconv.Itoa(d.Actions) + " actions"
		}
		c.Printf("  device         %s\n", line)
		if r := d.Running; r != nil {
			c.Printf("                 %s\n",
				st.Dim(r.Name+" runs "+r.Tool+" for "+r.Elapsed.Round(100*time.Millisecond).String()))
		}
	}
	for _, j := range doc.Hub.Jobs {
		if !j.Done {
			c.Printf("  job            %s  %s for %s\n", j.ID, j.Tool, j.Elapsed.Round(time.Second))
		}
	}
}

func (c *daemonCmd) stop(ctx context.Context, _ []string) error {
	home, err := homedir.Of(c.Env)
	if err != nil {
		return err
	}
	var stopped []int
	places := boot.Places(home)
	if !c.all {
		build, err := boot.Build()
		if err != nil {
			return err
		}
		places = []boot.Place{boot.PlaceOf(home, build)}
	}
	for _, p := range places {
		l, err := dial.At(ctx, p)
		if err != nil {
			continue
		}
		if err := shell.Within(ctx, shell.StopTime, l, func(ctx context.Context) error {
			if err := l.Post(ctx, "/v1/stop", nil); err != nil && !errors.Is(err, dial.ErrGone) {
				return err
			}
			return dial.AwaitEnd(ctx, p)
		}); err != nil {
			return err
		}
		stopped = append(stopped, l.Boot.PID)
	}
	if c.JSON {
		return c.PrintJSON(map[string]any{"schema": "trailblaze.stopped/1", "stopped": append([]int{}, stopped...)})
	}
	if len(stopped) == 0 {
		c.Printf("No daemon was running.\n")
		return nil
	}
	c.Printf("Stopped.\n")
	return nil
}

// logs shows the end of the log, of a daemon that has ended too. Following goes through the daemon, which knows when it
// writes.
func (c *daemonCmd) logs(ctx context.Context, _ []string) error {
	if c.follow {
		return c.followLog(ctx)
	}
	_, place, err := c.place()
	if err != nil {
		return err
	}
	data, err := daemon.LogTail(place, c.lines)
	if err != nil {
		return err
	}
	if c.JSON {
		return c.PrintJSON(map[string]any{"schema": "trailblaze.log/1", "text": string(data)})
	}
	c.Printf("%s", data)
	return nil
}

func (c *daemonCmd) followLog(ctx context.Context) error {
	if c.JSON {
		return fault.New(fault.Invalid, "read command line", "--follow prints lines as they come, and --json one document").
			WithHint("Leave one of them out.")
	}
	l, err := c.Link(ctx, false)
	if err != nil {
		return err
	}
	err = l.Stream(ctx, "/v1/log?follow=1&lines="+strconv.Itoa(c.lines), c.Out)
	if shell.Stopped(ctx, err) {
		return nil
	}
	return err
}
