package cli

import (
	"cmp"
	"context"
	"path/filepath"
	"regexp"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/api"
	"github.com/trailblaze-dev/trailblaze/internal/config"
)

// caller carries out tool calls: the daemon in life, a fake in tests. Ending ctx ends the call.
type caller interface {
	Call(ctx context.Context, r api.CallRequest, progress func(api.Progress)) (*api.Reply, error)
}

// driveCmd is what all commands that drive a device share.
type driveCmd struct {
	*app
	device    string
	intent    string
	maxTokens int
	timeout   time.Duration
	picture   string // file for a picture; "" makes one
	about     string // device that a call to the house is about

	workspace string
}

// deviceFlag adds --device, which wins over $TRAILBLAZE_DEVICE, that over the device this terminal is connected to, that
// over the only connected one.
func (c *driveCmd) deviceFlag(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&c.device, "device", "d", "", "act on this `device`, such as web or web/checkout; default: $TRAILBLAZE_DEVICE, else the one this terminal is connected to, else the only one")
	_ = cmd.RegisterFlagCompletionFunc("device", c.completeDevices)
}

func (c *driveCmd) timeoutFlag(cmd *cobra.Command) {
	cmd.Flags().DurationVar(&c.timeout, "timeout", 0, "give up after this `time`, and end the call")
}

func (c *driveCmd) tokensFlag(cmd *cobra.Command) {
	cmd.Flags().IntVar(&c.maxTokens, "max-tokens", 0, "bound the text about the screen to `n` tokens; the least important is left out first")
}

// call makes a call that goes to a device, with the secrets of this shell's environment, which the daemon's has none of.
func (c *driveCmd) call(ctx context.Context, r api.CallRequest) (*api.Reply, error) {
	err := c.locate()
	if err != nil {
		return nil, err
	}
	if r.Secrets, err = c.clientSecrets(c.workspace); err != nil {
		return nil, err
	}
	r.Device = cmp.Or(r.Device, c.device, c.env("TRAILBLAZE_DEVICE"))
	return c.send(ctx, r, true)
}

// send sends one call to the daemon, and starts that if need be. tell says whether who waits long for it is told so.
func (c *driveCmd) send(ctx context.Context, r api.CallRequest, tell bool) (*api.Reply, error) {
	if err := c.locate(); err != nil {
		return nil, err
	}
	to, err := c.dial(ctx)
	if err != nil {
		return nil, err
	}
	if c.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, c.timeout)
		defer cancel()
	}
	r.Client, r.Workspace, r.Handle = "cli", c.workspace, c.seat(c.workspace)
	r.MaxTokens = cmp.Or(r.MaxTokens, c.maxTokens)
	r.Intent = cmp.Or(r.Intent, c.intent)
	w := newWaiting(c.app, r.Tool, tell)
	defer w.stop()
	reply, err := to.Call(ctx, r, w.observer())
	if err != nil && ctx.Err() != nil {
		return nil, c.ended(ctx, r.Tool)
	}
	return reply, err
}

// ended says why a call has no reply.
func (c *driveCmd) ended(ctx context.Context, name string) error {
	if c.timeout > 0 && context.Cause(ctx) == context.DeadlineExceeded { //nolint:errorlint // never wrapped
		return fault.New(fault.Timeout, "call "+name, "it took longer than %s and was ended", c.timeout)
	}
	return fault.New(fault.Canceled, "call "+name, "stopped").WithHint("The device can be used again at once.")
}

// locate finds the workspace.
func (c *driveCmd) locate() error {
	if c.workspace != "" {
		return nil
	}
	dir, err := c.dir()
	if err != nil {
		return fault.Wrap(err, fault.Unavailable, "find working directory")
	}
	c.workspace = config.WorkspaceOf(dir, c.env)
	return nil
}

// failureOf is what a reply says went wrong, as an error with the exit status it deserves.
func failureOf(r *api.Reply) error {
	if r.Fault == nil {
		return nil
	}
	err := fault.New(fault.Kind(r.Fault.Kind), "", "%s", r.Fault.Message)
	if r.Fault.Hint != "" {
		return err.WithHint("%s", atShell(r.Fault.Hint))
	}
	return err
}

// asAction is how a hint names an action of a tool to clients that write JSON.
var asAction = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(device|session|trail|job|config) \{"action": ?"([A-Z_]+)"\}`)
})

// atShell writes what a hint says to do as one types it here.
func atShell(hint string) string {
	return asAction().ReplaceAllStringFunc(hint, func(s string) string {
		m := asAction().FindStringSubmatch(s)
		switch m[1] + " " + m[2] {
		case "device LIST", "session LIST", "config LIST":
			return "trailblaze " + m[1] + " list"
		case "device WEB":
			return "trailblaze device connect web"
		}
		return "trailblaze tool " + m[1] + " action=" + m[2]
	})
}

// codeOfReply is the exit status of a reply. On a device, what a tool does not find is missing on the screen; elsewhere, and
// in a call that was never carried out, somebody named what does not exist.
func codeOfReply(r *api.Reply) code {
	switch {
	case r.Fault == nil && (r.Result == nil || !r.Result.IsError):
		return exitOK
	case r.Fault == nil:
		return exitFailed
	case r.Result != nil && r.Device != "" && fault.Kind(r.Fault.Kind) == fault.NotFound:
		return exitFailed
	}
	return codeOfKind(fault.Kind(r.Fault.Kind))
}

// absolute is a path that was given relative to where the command was called.
func (c *driveCmd) absolute(path string) (string, error) {
	dir, err := c.dir()
	if err != nil || filepath.IsAbs(path) {
		return path, err
	}
	return filepath.Join(dir, path), nil
}
