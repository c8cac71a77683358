package page

import (
	"context"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/action"
	"github.com/trailblaze-dev/trailblaze/tool"
)

type resizeIn struct {
	Width  int `json:"width" minimum:"50" maximum:"10000" jsonschema:"px"`
	Height int `json:"height" minimum:"50" maximum:"10000" jsonschema:"px"`
	action.Expect
	action.Note
}

func webResize() tool.Tool {
	return action.Define(web("web_resize", "Resize", tool.Action).With(tool.Facts{
		Categories: []string{"DEVICE"}, Idempotent: true,
		Sentence: func(p tool.Phrase) string { return "Resize the page to " + p.Plain("width") + "×" + p.Plain("height") },
	}), func(ctx context.Context, env tool.Env, in resizeIn) (*tool.Result, error) {
		v, err := action.Capability[driver.Viewport](env, "resize viewport")
		if err != nil {
			return nil, err
		}
		if err := v.Resize(ctx, in.Width, in.Height); err != nil {
			return nil, fault.Wrap(err, "", "resize viewport")
		}
		return sized(ctx, env, in.Width, in.Height)
	})
}

// sized reads back what the page now has.
func sized(ctx context.Context, env tool.Env, width, height int) (*tool.Result, error) {
	snap, err := env.Device().Snapshot(ctx, driver.SnapshotOptions{})
	if err != nil {
		return nil, fault.Wrap(err, "", "capture screen")
	}
	ev := &tool.Evidence{Screen: snap}
	if width > 0 && (snap.Width != width || snap.Height != height) {
		return &tool.Result{Evidence: ev},
			fault.New(fault.NotActed, "resize viewport", "the page is %d by %d, not %d by %d", snap.Width, snap.Height,
				width, height)
	}
	ev.Effect = &driver.Effect{URL: snap.URL, Changes: driver.Changes{Verified: true},
		Settle: driver.Settle{Reason: "quiet"}}
	r := tool.TextResult("The page is %d by %d px.", snap.Width, snap.Height)
	r.Evidence = ev
	return r, nil
}

type emulateIn struct {
	Device string `json:"device,omitempty" jsonschema:"what to behave like, such as iPhone 14; empty ends it"`
	action.Expect
	action.Note
}

func webEmulate() tool.Tool {
	return action.Define(devtools("web_emulate", "Emulate device", tool.Action).With(tool.Facts{
		Categories: []string{"DEVICE"}, Idempotent: true,
		Sentence: func(p tool.Phrase) string { return "Behave like " + p.Quoted("device") },
	}), func(ctx context.Context, env tool.Env, in emulateIn) (*tool.Result, error) {
		v, err := action.Capability[driver.Viewport](env, "emulate device")
		if err != nil {
			return nil, err
		}
		if err := v.Emulate(ctx, in.Device); err != nil {
			return nil, fault.Wrap(err, "", "emulate device")
		}
		return sized(ctx, env, 0, 0)
	})
}
