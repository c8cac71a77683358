package locate

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/screen"
)

// legibleJS looks closely at one element: at the ink of its text and at where the very words stand. A capture does not,
// for that would cost every element a look that only the one which an assertion rests on is worth.
//
//go:embed legible.js
var legibleJS string

// illegible says why a person could not read the text in an element that is in sight, or not see the element when text is
// empty; "" when nothing speaks against it. A device that runs no scripts has nothing to add. An element that is gone, or
// a page that is being left, is an answer too: it is not seen.
func illegible(ctx context.Context, dev driver.Device, n *screen.Node, text string) (string, error) {
	eval, ok := driver.As[driver.Evaluator](dev)
	if !ok || n.ID == 0 {
		return "", nil
	}
	want, err := json.Marshal(text)
	if err != nil {
		return "", fault.Wrap(err, fault.Internal, "read element")
	}
	raw, err := eval.Evaluate(ctx, fmt.Sprintf("(element) => (%s)(element, %s)", legibleJS, want), n.ID)
	switch {
	case ctx.Err() != nil:
		return "", fault.Wrap(ctx.Err(), "", "read element")
	case fault.KindOf(err) == fault.Unsupported:
		return "", nil
	case err != nil:
		return "it could not be looked at: " + err.Error(), nil
	}
	var why string
	if err := json.Unmarshal(raw, &why); err != nil {
		return "", nil
	}
	return why, nil
}
