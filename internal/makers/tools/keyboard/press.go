package keyboard

import (
	"context"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/action"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/locator"
	"github.com/trailblaze-dev/trailblaze/tool"
)

type keyCodeIn struct {
	KeyCode string `json:"keyCode" enum:"BACK,ENTER,HOME,BACKSPACE,TAB,ESCAPE" jsonschema:"the key"`
	action.Expect
	action.Note
}

// browserKeys maps a phone's keys to those of a keyboard. BACK is the browser's back; HOME has no counterpart.
var browserKeys = map[string]string{"ENTER": "Enter", "BACKSPACE": "Backspace", "TAB": "Tab", "ESCAPE": "Escape"}

func pressKey() tool.Tool {
	return action.Define(keys(shared("pressKey", "Press key", "core_interaction").With(tool.Facts{
		Categories: []string{"CORE_INTERACTION", "MOBILE"}, Replaces: "web_pressKey",
		Sentence: func(p tool.Phrase) string { return "Press " + p.Plain("keyCode") },
	})), func(ctx context.Context, env tool.Env, in keyCodeIn) (*tool.Result, error) {
		dev := env.Device()
		switch {
		case dev == nil:
			return nil, locator.NoDevice()
		case dev.Info().Platform != driver.WebPlatform:
			return action.At(ctx, env, in.Expect, "Pressed "+in.KeyCode, driver.PressKey{Key: in.KeyCode})
		case in.KeyCode == "BACK":
			return back(ctx, env, in.Expect)
		}
		key, ok := browserKeys[in.KeyCode]
		if !ok {
			return nil, fault.New(fault.Unsupported, "press key", "a browser has no %s key", in.KeyCode)
		}
		return action.At(ctx, env, in.Expect, "Pressed "+key, driver.PressKey{Key: key})
	})
}

func pressBack() tool.Tool {
	return action.Define(shared("pressBack", "Back", "navigation").With(tool.Facts{
		Categories: []string{"NAVIGATION", "MOBILE"}, Default: 9, Replaces: "web_navigate",
		Sentence: tool.Always("Go back"),
	}), func(ctx context.Context, env tool.Env, in focusIn) (*tool.Result, error) {
		if env.Device() == nil {
			return nil, locator.NoDevice()
		}
		return back(ctx, env, in.Expect)
	})
}

// back goes back in a browser's history, and presses the back key elsewhere.
func back(ctx context.Context, env tool.Env, want action.Expect) (*tool.Result, error) {
	nav, ok := driver.As[driver.Navigator](env.Device())
	if !ok {
		return action.At(ctx, env, want, "Pressed BACK", driver.PressKey{Key: "BACK"})
	}
	effect, err := nav.Navigate(ctx, driver.Navigation{Action: "back"})
	ev := &tool.Evidence{Effect: effect}
	if err != nil {
		return &tool.Result{Evidence: ev}, fault.Wrap(err, "", "go back")
	}
	return action.Result("Went back", want, ev), nil
}

// hideKeyboard is there for trails that run on phones too.
func hideKeyboard() tool.Tool {
	return action.Define(shared("hideKeyboard", "Hide keyboard", "core_interaction").With(tool.Facts{
		Categories: []string{"CORE_INTERACTION", "MOBILE"}, Replaces: "web_pressKey", Idempotent: true,
	}), func(ctx context.Context, env tool.Env, in focusIn) (*tool.Result, error) {
		dev := env.Device()
		if dev == nil {
			return nil, locator.NoDevice()
		}
		if dev.Info().Platform != driver.WebPlatform {
			return action.At(ctx, env, in.Expect, "Hid the keyboard", driver.PressKey{Key: "HIDE_KEYBOARD"})
		}
		r := tool.TextResult("A browser shows no on-screen keyboard: nothing to hide.")
		r.Evidence = &tool.Evidence{None: "a browser shows no on-screen keyboard"}
		return r, nil
	})
}
