package setup

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"sync"

	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/internal/serve/daemon/boot"
	"github.com/trailblaze-dev/trailblaze/internal/serve/daemon/dial"
	"github.com/trailblaze-dev/trailblaze/internal/serve/mcpstdio"
	"github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1/trailblazev1connect"
)

// frontDialer finds the daemon for `trailblaze mcp`.
type frontDialer struct {
	home string
	env  []string // of a daemon that is started; nil: ours
	log  *slog.Logger

	mu    sync.Mutex
	place boot.Place // of the daemon last dialed
}

// Dial finds or starts the daemon of the program that is on disk now.
func (d *frontDialer) Dial(ctx context.Context) (*mcpstdio.Link, error) {
	c, err := dial.Dial(ctx, dial.Options{Home: d.home, Start: true, Env: d.env})
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	d.place = c.Place
	d.mu.Unlock()
	d.log.Info("daemon", "pid", c.Boot.PID, "build", c.Boot.Build, "version", c.Boot.Version)
	return &mcpstdio.Link{
		Agents: trailblazev1connect.NewAgentServiceClient(c.HTTP(), dial.URL, shell.Local()),
		PID:    c.Boot.PID,
		Attend: func(ctx context.Context) (context.Context, func(error) error) {
			return c.Attend(ctx, dial.CheckEvery, dial.ControlTime)
		},
		Close: c.Close,
	}, nil
}

// Stopped reports whether the daemon last dialed ended on purpose: then it took the file along that says where it
// was. One that made way for a newer build did so for us to go there.
func (d *frontDialer) Stopped() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if build, err := boot.Build(); err == nil && boot.PlaceOf(d.home, build) != d.place {
		return false
	}
	_, err := os.Stat(d.place.BootFile())
	return errors.Is(err, fs.ErrNotExist)
}
