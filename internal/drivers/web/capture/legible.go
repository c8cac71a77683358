package capture

import (
	"context"
	"errors"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/frames"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/sight"
	"github.com/trailblaze-dev/trailblaze/screen"
)

var _ driver.Reader = (*Camera)(nil)

// Illegible implements driver.Reader. It asks our own script, where the page cannot tamper with the
// answer, and with one question only: most assertions rest on it.
func (c *Camera) Illegible(ctx context.Context, node screen.NodeID, text string) (string, error) {
	const op = "read element"
	if _, err := c.frames.Current(); err != nil {
		return "", err
	}
	doc, element, err := c.frames.Element(node)
	if err != nil {
		return "", fault.Wrap(err, "", op)
	}
	var says struct {
		Why  *string      `json:"why"`
		Look *sight.Delta `json:"look"`
	}
	if why, known := doc.Sight.ReadBefore(doc.Host.Session, element, text); known {
		return why, nil
	}
	then, take := c.Prefetch(doc, false)
	err = doc.Call(ctx, &says, "legible", element, text, then)
	take(says.Look)
	if err == nil && says.Why != nil && says.Look != nil {
		doc.Sight.NoteRead(element, text, *says.Why)
	}
	switch {
	case errors.Is(err, frames.ErrGone):
		return "", fault.New(fault.NotFound, op, "its document is gone").WithHint("Take a new snapshot.")
	case err != nil:
		return "", fault.Wrap(err, "", op)
	case says.Why == nil:
		return "", fault.New(fault.NotFound, op, "it is no longer on the page").WithHint("Take a new snapshot.")
	}
	return *says.Why, nil
}
