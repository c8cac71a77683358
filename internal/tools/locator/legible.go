package locator

import (
	"context"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/screen"
)

// illegible says why a person could not read the text in an element that is in sight, or not see the element when
// text is empty; "" when nothing speaks against it. A device that looks no closer than its captures has nothing to
// add. An element that is gone, or a page that is being left, is an answer too: it is not seen.
func illegible(ctx context.Context, dev driver.Device, n *screen.Node, text string) (string, error) {
	reader, ok := driver.As[driver.Reader](dev)
	if !ok || n.ID == 0 {
		return "", nil
	}
	why, err := reader.Illegible(ctx, n.ID, text)
	switch {
	case ctx.Err() != nil:
		return "", fault.Wrap(ctx.Err(), "", "read element")
	case fault.KindOf(err) == fault.Unsupported:
		return "", nil
	case err != nil:
		return "it could not be looked at: " + err.Error(), nil
	}
	return why, nil
}
