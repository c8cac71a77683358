package cli

import (
	"context"
	"io"
	"log/slog"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// frontDialer connects a front with the daemon.
type frontDialer struct {
	home, workspace string
	wish            mcpWish
	log             *slog.Logger
}

func newFrontDialer(home, workspace string, wish mcpWish, log *slog.Logger) *frontDialer {
	return &frontDialer{home: home, workspace: workspace, wish: wish, log: log}
}

// Dial finds or starts the daemon and takes the seat that handle names.
func (d *frontDialer) Dial(context.Context, string) (io.ReadWriteCloser, string, error) {
	return nil, "", fault.New(fault.Unsupported, "dial daemon", "there is no daemon yet")
}

// Stopped reports whether the daemon ended on purpose.
func (d *frontDialer) Stopped() bool { return false }
