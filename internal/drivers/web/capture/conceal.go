package capture

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"sync"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/frames"
	"github.com/trailblaze-dev/trailblaze/screen"
)

var _ driver.Concealer = (*Camera)(nil)

// Conceal implements driver.Concealer.
func (c *Camera) Conceal(secrets func() driver.Secrets) {
	c.frames.Lock()
	c.conceal = secrets
	c.frames.Unlock()
	c.HiddenSecrets()
}

// HiddenSecrets returns the secrets that must not be seen; nil while there are none. A session may
// learn its first secret long after it took the device; from then on texts on canvases are
// recorded. The lock is not held.
func (c *Camera) HiddenSecrets() driver.Secrets {
	c.frames.Lock()
	conceal := c.conceal
	c.frames.Unlock()
	if conceal == nil {
		return nil
	}
	secrets := conceal()
	if secrets != nil {
		c.frames.Lock()
		c.RecordCanvasText()
		c.frames.Unlock()
	}
	return secrets
}

// findSecretElements collects the elements that show a secret now, wherever the page has put it, in the
// documents of out. The page is never asked about the secret itself: it would learn it. Elements
// that cannot be read may show one, so they are included and counted.
func (c *Camera) findSecretElements(ctx context.Context, out map[*frames.Document][]int64) (sealed int, err error) {
	secrets := c.HiddenSecrets()
	if secrets == nil {
		return 0, nil
	}
	s, err := c.Snapshot(ctx, driver.SnapshotOptions{})
	if err != nil {
		return 0, err
	}
	if s.Quality.Verdict != screen.Complete && len(s.Root.Children) > 0 {
		return 0, fault.New(fault.Degraded, "look for secrets", "the screen could not be read as a whole: %v",
			s.Quality.Reasons)
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	var errs []error
	c.frames.Lock()
	word := c.canvasToken
	c.frames.Unlock()
	for _, doc := range slices.Collect(maps.Keys(out)) {
		wg.Go(func() {
			ids, closed, err := showing(ctx, doc, word, secrets)
			mu.Lock()
			defer mu.Unlock()
			if err != nil && !errors.Is(err, frames.ErrGone) {
				errs = append(errs, err)
			}
			out[doc] = append(append(out[doc], ids...), closed...)
			sealed += len(closed)
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return 0, err
	}
	c.frames.Lock()
	defer c.frames.Unlock()
	c.painted(s.Root, secrets.Shows, out)
	return sealed, nil
}

// words are texts with the element that shows each, as shown.ts gives them: [element, text].
type words []word

type word struct {
	element int64
	text    string
}

func (w *word) UnmarshalJSON(raw []byte) error {
	return json.Unmarshal(raw, &[]any{&w.element, &w.text})
}

// showing returns the elements of a document whose pixels show a secret: in one text, in texts that follow each other
// in the tree, or on the screen; and those whose pixels cannot be read.
func showing(ctx context.Context, doc *frames.Document, word string, secrets driver.Secrets) (ids, sealed []int64,
	err error) {
	var page struct {
		Flow, Alone words
		Lines       []int
		Sealed      []int64
	}
	if err := doc.Call(ctx, &page, "shown", word); err != nil {
		return nil, nil, err
	}
	for _, w := range append(page.Alone, page.Flow...) {
		if secrets.Shows(w.text) {
			ids = append(ids, w.element)
		}
	}
	var lines words
	for _, i := range page.Lines {
		if i >= 0 && i < len(page.Flow) {
			lines = append(lines, page.Flow[i])
		}
	}
	for _, order := range []words{page.Flow, lines} {
		texts := make([]string, len(order))
		for i, w := range order {
			texts[i] = w.text
		}
		for i, yes := range secrets.SplitSecrets(texts) {
			if yes {
				ids = append(ids, order[i].element)
			}
		}
	}
	return ids, page.Sealed, nil
}

// markSplitSecrets marks the texts below a node that show parts of a secret which no single text reveals: a letter in
// each element, a digit in each field. Clickable elements keep their text, which distinguishes them.
func markSplitSecrets(root *screen.Node, secrets driver.Secrets) {
	var nodes []*screen.Node
	var texts []string
	var walk func(n *screen.Node)
	walk = func(n *screen.Node) {
		text := n.Text
		if n.State.Has(screen.Editable) {
			text = n.Value
		} else if n.State.Has(screen.Clickable) {
			text = ""
		}
		if text != "" {
			nodes, texts = append(nodes, n), append(texts, text)
		}
		for _, c := range n.Children {
			walk(c)
		}
	}
	walk(root)
	for i, yes := range secrets.SplitSecrets(texts) {
		nodes[i].SplitSecret = yes && !secrets.Shows(texts[i])
	}
}

// painted collects the elements to paint over below a node, and reports whether it found any. An
// element that only takes its name from an inner part is left out when that part is painted over.
// The lock is held.
func (c *Camera) painted(n *screen.Node, hides func(string) bool, out map[*frames.Document][]int64) bool {
	if n == nil {
		return false
	}
	inside := false
	for _, inner := range n.Children {
		inside = c.painted(inner, hides, out) || inside
	}
	own := hides(n.Text) || hides(n.Value)
	if !own && (inside || n.Parent == nil || !hides(n.Name) && !hides(n.Description)) {
		return inside
	}
	for at := n; at != nil; at = at.Parent {
		if doc, element := c.frames.Holder(at.ID); doc != nil && out[doc] != nil {
			out[doc] = append(out[doc], element)
		}
		if at.Role != textRole { // a run of text has no box of its own: its element is painted over too
			break
		}
	}
	return true
}

const textRole = "text"
