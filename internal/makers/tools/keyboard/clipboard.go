package keyboard

import (
	"context"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/action"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/locator"
	"github.com/trailblaze-dev/trailblaze/tool"
)

type setClipboardIn struct {
	Text string `json:"text" jsonschema:"what the clipboard is to hold"`
	action.Note
}

func setClipboard() tool.Tool {
	s := shared("mobile_setClipboard", "Set clipboard", "core_interaction", "mobile_primitives").With(tool.Facts{
		Categories: []string{"CORE_INTERACTION", "MOBILE"}, Replaces: "web_type", Idempotent: true,
	})
	return action.Define(s, func(ctx context.Context, env tool.Env, in setClipboardIn) (*tool.Result, error) {
		c, err := clipboard(env)
		if err != nil {
			return nil, err
		}
		if err := c.SetClipboard(ctx, in.Text); err != nil {
			return nil, fault.Wrap(err, "", "set clipboard")
		}
		r := tool.TextResult("The clipboard holds the text.")
		r.Evidence = &tool.Evidence{None: "the clipboard shows nowhere"}
		return r, nil
	})
}

func pasteClipboard() tool.Tool {
	s := keys(shared("mobile_pasteClipboard", "Paste clipboard", "core_interaction", "mobile_primitives").With(tool.Facts{
		Categories: []string{"CORE_INTERACTION", "MOBILE"}, Replaces: "web_pressKey",
	}))
	return action.Define(s, func(ctx context.Context, env tool.Env, in focusIn) (*tool.Result, error) {
		c, err := clipboard(env)
		if err != nil {
			return nil, err
		}
		text, err := c.Clipboard(ctx)
		if err != nil {
			return nil, fault.Wrap(err, "", "read clipboard")
		}
		if text == "" {
			return nil, fault.New(fault.NotActed, "paste clipboard", "the clipboard is empty")
		}
		return intoFocus(ctx, env, text, false, in.Expect)
	})
}

func clipboard(env tool.Env) (driver.Clipboard, error) {
	dev := env.Device()
	if dev == nil {
		return nil, locator.NoDevice()
	}
	c, ok := driver.As[driver.Clipboard](dev)
	if !ok {
		return nil, fault.New(fault.Unsupported, "use clipboard", "device %s has no clipboard that we can reach",
			dev.Info().ID)
	}
	return c, nil
}
