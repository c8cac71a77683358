package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/api"
)

// watchPause bounds how often a screen that never rests is shown.
const watchPause = 250 * time.Millisecond

// again does something now and whenever the screen has changed, until Ctrl-C, which is how one ends it: no error. It is
// the daemon that waits for the change, and nobody who acts on the device waits for it.
func (c *driveCmd) again(ctx context.Context, once func(context.Context) error) error {
	seen := ""
	for {
		began := time.Now()
		next, err := c.changed(ctx, seen)
		if stopped(ctx, err) {
			return nil
		}
		if err != nil {
			return err
		}
		if c.Terminal && !c.json {
			control(c.Out, "\x1b[2J\x1b[H") // a fresh page
		}
		if err := once(ctx); err != nil && !stopped(ctx, err) {
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

// changed waits until the screen is another than the one that was shown. A device that is not open yet is opened by what
// is shown first.
func (c *driveCmd) changed(ctx context.Context, seen string) (string, error) {
	args, err := json.Marshal(map[string]string{"seen": seen, "deviceId": cmp.Or(c.device, c.env("TRAILBLAZE_DEVICE"))})
	if err != nil {
		return "", err
	}
	for {
		reply, err := c.send(ctx, api.CallRequest{Tool: "awaitScreen", Args: args}, false) // it lasts by nature
		if err != nil {
			return "", err
		}
		var now struct {
			Screen string `json:"screen"`
		}
		switch err := failureOf(reply); {
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

// stopped says whether somebody pressed Ctrl-C.
func stopped(ctx context.Context, err error) bool {
	return err != nil && ctx.Err() != nil
}
