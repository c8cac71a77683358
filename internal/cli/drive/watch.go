package drive

import (
	"context"
	"encoding/json"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/internal/serve/manage"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
)

// watchPause bounds how often a screen that never rests is shown.
const watchPause = 250 * time.Millisecond

// repeat makes a call and shows its reply: once, or with watch whenever the screen has changed.
func (c *Command) repeat(ctx context.Context, r *pb.CallToolRequest, watch bool) error {
	once := func(ctx context.Context) error {
		reply, err := c.call(ctx, r)
		if err != nil {
			return err
		}
		return c.show(reply)
	}
	if watch {
		return c.again(ctx, once)
	}
	return once(ctx)
}

// again does something now and whenever the screen has changed, until Ctrl-C, which is how one ends it: no error. The
// daemon waits for the change, and no action on the device waits for it.
func (c *Command) again(ctx context.Context, once func(context.Context) error) error {
	seen := ""
	for {
		began := time.Now()
		next, err := c.changed(ctx, seen)
		if shell.Stopped(ctx, err) {
			return nil
		}
		if err != nil {
			return err
		}
		if c.Terminal && !c.JSON {
			shell.Control(c.Out, "\x1b[2J\x1b[H") // a fresh page
		}
		if err := once(ctx); err != nil && !shell.Stopped(ctx, err) {
			return err
		}
		seen = next
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(watchPause - min(watchPause, time.Since(began))):
		}
	}
}

// changed waits until the screen is another than the one that was shown. A device that is not open yet is opened by
// the first view.
func (c *Command) changed(ctx context.Context, seen string) (string, error) {
	args, err := json.Marshal(map[string]string{"seen": seen, "deviceId": c.Chosen()})
	if err != nil {
		return "", err
	}
	for {
		r := &pb.CallToolRequest{Name: manage.AwaitScreen, ArgsJson: string(args)}
		reply, err := c.send(ctx, r, false) // it lasts by nature
		if err != nil {
			return "", err
		}
		var now struct {
			Screen string `json:"screen"`
		}
		switch err := reply.Fault.Err(); {
		case err == nil && reply.Result != nil:
			err = json.Unmarshal(reply.Result.Value, &now)
			return now.Screen, err
		case fault.KindOf(err) == fault.NotFound && seen == "":
			return "", nil
		case fault.KindOf(err) != fault.Timeout:
			return "", err
		}
	}
}
