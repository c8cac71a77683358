package hub

import (
	"context"
	"path/filepath"
	"slices"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/event"
	"github.com/trailblaze-dev/trailblaze/internal/observe"
	"github.com/trailblaze-dev/trailblaze/internal/toolset"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// observeTime bounds looking at the screen after a call: the call itself is done and its answer must not wait for long.
const observeTime = 5 * time.Second

// wants is what the seat wants to be told after a call in this session.
func (c *call) wants(l *live) observe.Settings {
	st := c.seat.State()
	want := observe.Settings{
		Verbosity: st.Verbosity, MaxTokens: st.MaxTokens, Screenshot: st.AutoScreenshot, Picture: st.Picture,
		NoPictures: st.ScreenshotFormat == toolset.NoScreenshot, BoundData: c.req.From == dispatch.MCP,
		Session: l.sess.ID, Keeper: l.sess.Log, Mask: l.sess.Memory.Mask,
	}
	if c.req.From == dispatch.CLI && l.sess.Dir != "" {
		want.Blobs = filepath.Join(l.sess.Dir, event.BlobDir)
	}
	if c.req.MaxTokens > 0 {
		want.MaxTokens = c.req.MaxTokens
	}
	return want
}

// viewing is the context of a call in this session: tools that show the screen show it to the seat.
func (c *call) viewing(l *live) context.Context {
	return tool.WithViewer(dispatch.WithID(c.ctx, c.id), l.observer.Viewer(c.seat.handle, c.wants(l)))
}

// observe looks at the screen after a call, as the seat wants to be told, and returns the result as far as it fits into a
// reply. What cannot be seen does not undo the call.
func (c *call) observe(l *live, spec *tool.Spec, res *tool.Result) *tool.Result {
	dev := l.sess.Device
	if res == nil || dev == nil {
		return res
	}
	want := c.wants(l)
	ctx, cancel := context.WithTimeout(c.ctx, observeTime)
	defer cancel()
	res, spill, err := observe.Bound(res, want)
	if err != nil {
		c.warn("what did not fit could not be kept: %v", err)
	}
	o, err := l.observer.After(ctx, dev, c.seat.handle, spec, res, want)
	if err != nil {
		c.warn("the screen could not be read after the call: %v", err)
	}
	if spill != nil && o == nil {
		o = &observe.Observation{Spill: spill, Truncated: true}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.reply.Observation = o
	return res
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
