package manage

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/text"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// watchTimeout limits one wait; a longer watch asks again.
const watchTimeout = 10 * time.Minute

// watching returns the tools that show a screen while others act on it (--watch): they take no turn, so no call waits
// for a reader.
func (d *manager) watching() []tool.Tool {
	s := lasting(spec(AwaitScreen, "Await screen", tool.Query, "device").With(tool.Facts{
		Categories: []string{"OBSERVATION", "DEVICE"}, Purpose: tool.AwaitScreen,
	}), watchTimeout)
	s.ExposedToLLM = false
	return []tool.Tool{tool.Define(s, d.awaitScreen)}
}

type awaitIn struct {
	Device string `json:"deviceId,omitempty" jsonschema:"which; default: this session's"`
	Seen   string `json:"seen,omitempty" jsonschema:"the screen that was shown last, as this tool named it"`
}

type awaitOut struct {
	Screen string `json:"screen" jsonschema:"names what the screen shows"`
	Device string `json:"device"`
}

func (d *manager) awaitScreen(ctx context.Context, _ tool.Env, in awaitIn) (awaitOut, error) {
	s, err := callerOf(ctx)
	if err != nil {
		return awaitOut{}, err
	}
	for {
		dev, id, err := d.hub.ReadOnly(ctx, s, in.Device)
		if err != nil {
			return awaitOut{}, err
		}
		snap, err := dev.Snapshot(ctx, driver.SnapshotOptions{})
		if err != nil {
			return awaitOut{}, err
		}
		if now := digest(snap); now != in.Seen {
			return awaitOut{Screen: now, Device: id}, nil
		}
		w, ok := driver.As[driver.Waiter](dev)
		if !ok {
			return awaitOut{}, fault.New(fault.Unsupported, "await screen", "%s cannot say when its screen changes", id)
		}
		if err := w.WaitChange(ctx, snap); err != nil {
			return awaitOut{}, err
		}
	}
}

// digest names what a person can see.
func digest(s *screen.Snapshot) string {
	sum := sha256.Sum256([]byte(text.Of(s, text.Options{})))
	return hex.EncodeToString(sum[:8])
}
