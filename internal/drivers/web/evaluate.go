package web

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/chromedp/cdproto/runtime"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/screen"
)

var _ driver.Evaluator = (*Device)(nil)

// maxAttempts limits the tries of a script that a leaving page kept from running.
const maxAttempts = 3

// Evaluate implements driver.Evaluator: in the main frame's own world, or in that of the node's
// frame.
func (d *browserContext) Evaluate(ctx context.Context, script string, node screen.NodeID) (json.RawMessage, error) {
	const op = "evaluate script"
	t, err := d.frames.Current()
	if err != nil {
		return nil, err
	}
	f := t.Main
	var arg runtime.RemoteObjectID
	if node != 0 {
		doc, element, err := d.frames.Element(node)
		if err != nil {
			return nil, fault.Wrap(err, "", op)
		}
		f = doc.Frame
		if arg, err = d.frames.MainWorldElement(ctx, doc, element); err != nil {
			return nil, fault.Wrap(err, "", op)
		}
	}
	for attempt := 1; ; attempt++ {
		world, err := d.frames.WorldOf(ctx, f)
		if err != nil {
			return nil, fault.Wrap(err, "", op)
		}
		if arg != "" {
			defer world.Drop(arg)
		}
		raw, err := world.Evaluate(ctx, script, arg)
		var e *cdp.Error
		switch {
		case err == nil:
			return raw, nil
		case !errors.As(err, &e):
			return nil, fault.Wrap(err, "", op)
		case strings.Contains(e.Message, "Cannot find context") && node == 0 && attempt < maxAttempts:
			continue // it did not run: the page was just leaving
		case strings.Contains(e.Message, "context was destroyed"), strings.Contains(e.Message, "Cannot find context"):
			return nil, fault.New(fault.NotActed, op, "the page navigated away while the script ran: %w", err)
		}
		return nil, fault.Wrap(err, "", op)
	}
}
