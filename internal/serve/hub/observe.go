package hub

import (
	"context"
	"path/filepath"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/observe"
	"github.com/trailblaze-dev/trailblaze/internal/call/toolset"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/devices"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// observeTime bounds capturing the screen after a call: the call itself is done and its answer must
// not wait for long.
const observeTime = 5 * time.Second

// wants are the settings of the observation after a call in this session.
func wants(c *calls.Call, s *devices.Session) observe.Settings {
	st, q := c.Client().State(), c.Request()
	want := observe.Settings{
		Verbosity: st.Verbosity, MaxTokens: st.MaxTokens, Screenshot: st.AutoScreenshot, Picture: st.Picture,
		NoPictures: st.ScreenshotFormat == toolset.NoScreenshot, BoundData: q.From == dispatch.MCP,
		Session: s.ID, Keeper: s.Log, Mask: s.Memory.Mask,
	}
	if q.From == dispatch.CLI && s.Dir != "" {
		want.Blobs = filepath.Join(s.Dir, event.BlobDir)
	}
	if q.MaxTokens > 0 {
		want.MaxTokens = q.MaxTokens
	}
	return want
}

// viewing is the context of a call in this session: tools that show the screen show it to the
// call's client.
func (h *Hub) viewing(c *calls.Call, s *devices.Session) context.Context {
	return tool.WithViewer(dispatch.WithID(c.Context(), c.ID()), s.Observer.Viewer(c.Client().ID(), wants(c, s)))
}

// observe captures the screen after a call, as its client wants it, and returns the result as far
// as it fits into a reply. If the screen cannot be captured, the call still succeeds.
func (h *Hub) observe(c *calls.Call, s *devices.Session, spec *tool.Spec, res *tool.Result) *tool.Result {
	if res == nil || s.Device == nil {
		return res
	}
	want := wants(c, s)
	ctx, cancel := context.WithTimeout(c.Context(), observeTime)
	defer cancel()
	res, overflow, err := observe.Bound(res, want)
	if err != nil {
		c.Warn("what did not fit could not be kept: %v", err)
	}
	o, err := s.Observer.After(ctx, s.Device, c.Client().ID(), spec, res, want)
	if err != nil {
		c.Warn("the screen could not be read after the call: %v", err)
	}
	if overflow != nil && o == nil {
		o = &observe.Observation{Overflow: overflow, Truncated: true}
	}
	c.Observed(o)
	return res
}
