package hub

import (
	"context"
	"slices"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/observe"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// observeTime bounds looking at the screen after a call: the call itself is done and its answer must not wait for long.
const observeTime = 5 * time.Second

// observe looks at the screen after a call, as the seat wants to be told. What cannot be seen does not undo the call.
func (c *call) observe(l *live, spec *tool.Spec, res *tool.Result) {
	dev := l.sess.Device
	if res == nil || dev == nil {
		return
	}
	st := c.seat.State()
	want := observe.Settings{
		Verbosity: st.Verbosity, MaxTokens: st.MaxTokens,
		Screenshot: st.AutoScreenshot && st.ScreenshotFormat != "NONE",
	}
	if c.req.MaxTokens > 0 {
		want.MaxTokens = c.req.MaxTokens
	}
	ctx, cancel := context.WithTimeout(c.ctx, observeTime)
	defer cancel()
	o, err := l.observer.After(ctx, dev, c.seat.handle, spec, res, want)
	if err != nil {
		c.warn("the screen could not be read after the call: %v", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.reply.Observation = o
}

// maskObservation cuts secrets out of what the screen shows. Pictures are the driver's to mask.
func maskObservation(o *observe.Observation, m *memory.Store) {
	if o == nil {
		return
	}
	o.Text, o.URL, o.Title = m.Mask(o.Text), m.Mask(o.URL), m.Mask(o.Title)
	o.Quality.Reasons = slices.Clone(o.Quality.Reasons) // the capture's own
	for i, r := range o.Quality.Reasons {
		o.Quality.Reasons[i] = m.Mask(r)
	}
}
