package capture

import (
	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/sight"
	"github.com/trailblaze-dev/trailblaze/screen"
)

var _ driver.Recaller = (*Camera)(nil)

// Recall implements driver.Recaller. A page with other documents in it is captured in as many questions, and a capture
// that came along with the last answer costs none.
func (c *Camera) Recall() *screen.Snapshot {
	c.frames.Lock()
	defer c.frames.Unlock()
	s, g := c.recall()
	if s == nil || g.Valid(c.frames.Active.Session) {
		return nil
	}
	return s
}

// recall is the last capture, if the page has only to be asked whether it looks as in the capture before, and the one
// that came along with the last answer. The lock is held.
func (c *Camera) recall() (*screen.Snapshot, *sight.Prefetched) {
	t, err := c.frames.CurrentLocked()
	if err != nil || t.Halted() || t.Main == nil || t.Main.Document == nil || len(t.Frames) != 1 {
		return nil, nil
	}
	s, doc := c.last, t.Main.Document
	if s == nil || s.Quality.Verdict != screen.Complete || c.frames.Generation != c.lastGeneration || len(c.lastCSS) > 0 {
		return nil, nil
	}
	if c.conceal != nil && c.conceal() != c.lastSecrets {
		return nil, nil
	}
	g, current := doc.Sight.Recall()
	if !current {
		return nil, nil
	}
	return s, g
}

// Recalls reports whether that of the capture with this number is all that is known of the page.
func (c *Camera) Recalls(seq uint64) bool {
	c.frames.Lock()
	defer c.frames.Unlock()
	s, _ := c.recall()
	return s != nil && s.Seq == seq
}
