package drive

import (
	"cmp"
	"context"
	"math"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/internal/ground/config"
	"github.com/trailblaze-dev/trailblaze/internal/serve/api"
	"github.com/trailblaze-dev/trailblaze/internal/serve/rpc"
	"github.com/trailblaze-dev/trailblaze/internal/serve/rpcerr"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
)

// Command holds the common parts of all commands that drive a device.
type Command struct {
	*shell.Shell
	Device    string
	intent    string
	asked     string // the model that the command names
	maxTokens int
	timeout   time.Duration
	picture   string // file for a picture; "" makes one
	About     string // device that a call to the house is about
	Announce  bool   // without a terminal, print the first line of what a call waits for

	Workspace string
}

// DeviceFlag adds --device, which wins over $TRAILBLAZE_DEVICE, that over the device this terminal is connected to,
// that over the only connected one.
func (c *Command) DeviceFlag(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&c.Device, "device", "d", "",
		"act on this `device`, such as web/checkout or android; default: "+
			"$TRAILBLAZE_DEVICE, else the one this terminal is connected to, else the only one")
	_ = cmd.RegisterFlagCompletionFunc("device", c.CompleteDevices)
}

func (c *Command) timeoutFlag(cmd *cobra.Command) {
	cmd.Flags().DurationVar(&c.timeout, "timeout", 0, "give up after this `time`, and end the call")
}

func (c *Command) tokensFlag(cmd *cobra.Command) {
	cmd.Flags().IntVar(&c.maxTokens, "max-tokens", 0,
		"bound the text about the screen to `n` tokens; the least important is left out first")
}

// call makes a call that goes to a device, with the secrets of this shell's environment and the keys of
// models, which the daemon has none of.
func (c *Command) call(ctx context.Context, r *pb.CallToolRequest) (*api.Reply, error) {
	err := c.Locate()
	if err != nil {
		return nil, err
	}
	r.Options = &pb.CallOptions{ModelKeys: c.ModelKeys(c.Workspace, c.asked)}
	if r.Options.Secrets, err = c.ClientSecrets(c.Workspace); err != nil {
		return nil, err
	}
	r.DeviceId = cmp.Or(r.DeviceId, c.Chosen())
	return c.send(ctx, r, true)
}

// Chosen returns the device that the command line or the environment names, "" for none.
func (c *Command) Chosen() string { return c.Named(cmp.Or(c.Device, c.Getenv("TRAILBLAZE_DEVICE"))) }

// Named returns a device by its whole name: android alone is the phone that the environment of this command names. The
// daemon has that of the command which started it.
func (c *Command) Named(id string) string {
	if serial := c.Getenv("ANDROID_SERIAL"); serial != "" && id == string(driver.AndroidPlatform) {
		return id + "/" + serial
	}
	return id
}

// send sends one call to the daemon, and starts that if need be. With tell a long wait is announced.
func (c *Command) send(ctx context.Context, r *pb.CallToolRequest, tell bool) (*api.Reply, error) {
	if err := c.Locate(); err != nil {
		return nil, err
	}
	to, err := c.Dial(ctx)
	if err != nil {
		return nil, err
	}
	ctx, cancel := rpc.Limit(ctx, c.timeout)
	defer cancel()
	if r.Options == nil {
		r.Options = &pb.CallOptions{}
	}
	o := r.Options
	o.Client, o.Workspace, o.ClientId = "cli", c.Workspace, c.ClientID(c.Workspace)
	o.MaxTokens, o.Intent = int32(min(c.maxTokens, math.MaxInt32)), c.intent //nolint:gosec // bounded
	rpcerr.Tidy(r.ProtoReflect())
	w := newWaiting(c.Shell, r.Name, tell)
	w.announce = c.Announce && !w.shown
	defer w.stop()
	reply, err := to.Call(ctx, r, w.observer())
	if err != nil && ctx.Err() != nil {
		return nil, c.ended(ctx, r.Name)
	}
	return reply, err
}

// ended returns the reason why a call has no reply.
func (c *Command) ended(ctx context.Context, name string) error {
	if c.timeout > 0 && context.Cause(ctx) == context.DeadlineExceeded { //nolint:errorlint // never wrapped
		return fault.New(fault.Timeout, "call "+name, "it took longer than %s and was ended", c.timeout).
			WithHint("Take a snapshot: a page whose script has no end is stopped meanwhile. Or navigate to the page again.")
	}
	return fault.New(fault.Canceled, "call "+name, "stopped").WithHint("The device can be used again at once.")
}

// Locate finds the workspace.
func (c *Command) Locate() error {
	if c.Workspace != "" {
		return nil
	}
	dir, err := c.WorkingDir()
	if err != nil {
		return fault.Wrap(err, fault.Unavailable, "find working directory")
	}
	c.Workspace = config.WorkspaceOf(dir, c.Getenv)
	return nil
}

// Absolute is a path that was given relative to where the command was called.
func (c *Command) Absolute(path string) (string, error) {
	dir, err := c.WorkingDir()
	if err != nil || filepath.IsAbs(path) {
		return path, err
	}
	return filepath.Join(dir, path), nil
}
