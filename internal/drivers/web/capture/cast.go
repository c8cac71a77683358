package capture

import (
	"context"
	"sync"
	"time"

	proto "github.com/chromedp/cdproto/cdp"
	protopage "github.com/chromedp/cdproto/page"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/frames"
)

const (
	castQuality  = 60
	castInterval = 40 * time.Millisecond   // between pictures: more are of no use to people, and cost the page time
	castRest     = 250 * time.Millisecond  // without a picture, after which the newest is asked for
	castStill    = 100 * time.Millisecond  // without an action, after which pictures come again
	castActing   = 1200 * time.Millisecond // between pictures while one action follows the other
)

// acts knows when actions leave the page alone. The lock of the frames guards it.
type acts struct {
	running bool
	ended   time.Time // the last one
	change  frames.Broadcast
}

// Acts notes that an action has begun, or has ended.
func (c *Camera) Acts(running bool) {
	c.frames.Lock()
	if c.acts.running && !running {
		c.acts.ended = time.Now()
	}
	c.acts.running = running
	if t := c.frames.Active; running && t != nil && t.Casting {
		stopCastLocked(t)
	}
	c.frames.Unlock()
	c.acts.change.Notify()
}

func stopCastLocked(t *frames.Tab) {
	t.Casting = false
	tell(t, protopage.StopScreencast, proto.Empty{})
}

// pause is how long no picture is due. The browser draws each frame once more for a screencast, also those that it does
// not send: a flow without pauses takes 1.6 times as long beside one.
func (a *acts) pause(shown time.Time) time.Duration {
	pause := time.Until(shown.Add(castActing))
	if !a.running {
		pause = min(pause, time.Until(a.ended.Add(castStill)))
	}
	return pause
}

// Screencast gives show a picture of the active tab, and one after each change, until ctx ends or show fails. Width and
// Height of a picture are those of the viewport in CSS px; maxSize bounds its pixels, 0 does not. Changes while show
// runs come as one. Once a secret is known it gives no picture and ends with fault.Denied: nothing can be painted over
// in so many pictures.
func (c *Camera) Screencast(ctx context.Context, maxSize int, show func(driver.Image) error) error {
	for {
		changed := c.frames.Changes.Wait()
		c.frames.Lock()
		t, err := c.frames.CurrentLocked()
		c.frames.Unlock()
		switch {
		case err == nil:
			if err := cast(ctx, c, t, maxSize, show); err != nil {
				return err
			}
			continue
		case fault.KindOf(err) == fault.NotFound: // no tab is open
		default:
			return err
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// castFrame is the newest picture that the browser has sent.
type castFrame struct {
	mu    sync.Mutex
	event *protopage.EventScreencastFrame
	more  chan struct{} // one token
}

func (f *castFrame) put(e *protopage.EventScreencastFrame) {
	f.mu.Lock()
	f.event = e
	f.mu.Unlock()
	select {
	case f.more <- struct{}{}:
	default:
	}
}

func (f *castFrame) take() *protopage.EventScreencastFrame {
	f.mu.Lock()
	defer f.mu.Unlock()
	e := f.event
	f.event = nil
	return e
}

// cast shows one tab while it is active. The browser sends the next picture when the one before was shown. While
// actions follow one another there is no screencast, but for one picture now and then.
func cast(ctx context.Context, c *Camera, t *frames.Tab, maxSize int, show func(driver.Image) error) error {
	newest := castFrame{more: make(chan struct{}, 1)}
	c.frames.Lock()
	t.Viewers++
	if t.Shown != nil { // the browser sends no picture of what has not changed
		newest.put(t.Shown)
	}
	c.frames.Unlock()
	defer cdp.On(t.Session, protopage.ScreencastFrame, func(e protopage.EventScreencastFrame) {
		c.frames.Lock()
		t.Shown = &e
		c.frames.Unlock()
		newest.put(&e)
	})()
	defer uncast(c, t)
	startLocked := func() {
		t.Casting = true
		tell(t, protopage.StartScreencast, protopage.StartScreencastParams{
			Format: protopage.StartScreencastFormatJpeg, Quality: new(int64(castQuality)),
			MaxWidth: int64(maxSize), MaxHeight: int64(maxSize), EveryNthFrame: 1, MaxFramesInFlight: 1,
		})
	}
	// The browser leaves out what changes before a picture is acknowledged, also the last change: keeping every frame
	// for then would cost the page more than all pictures.
	var rest, still <-chan time.Time
	var shown time.Time
	renewed := false
	for {
		changed, acted := c.frames.Changes.Wait(), c.acts.change.Wait()
		c.frames.Lock()
		active := c.frames.Active == t && !t.Closed() && !t.Crashed
		pause := c.acts.pause(shown)
		switch {
		case pause > 0 && t.Casting:
			stopCastLocked(t)
		case pause <= 0 && !t.Casting && active:
			startLocked()
		}
		c.frames.Unlock()
		if !active {
			return nil
		}
		if still = nil; pause > 0 {
			rest, still = nil, time.After(pause)
		}
		select {
		case <-newest.more:
		case <-changed:
			continue
		case <-acted:
			continue
		case <-still:
			continue
		case <-rest:
			c.frames.Lock()
			stopCastLocked(t)
			c.frames.Unlock()
			rest, renewed = nil, true
			continue
		case <-t.Session.Closed():
			return nil
		case <-c.frames.Done:
			return fault.New(fault.Unavailable, "show screen", "the device was closed")
		case <-ctx.Done():
			return ctx.Err()
		}
		e := newest.take()
		if e == nil || e.Metadata == nil {
			continue
		}
		if keepsSecrets(c) {
			return fault.New(fault.Denied, "show screen", "a secret is known, which the screen may show")
		}
		shown = time.Now()
		if err := show(driver.Image{Data: e.Data, MIME: "image/jpeg",
			Width: int(e.Metadata.DeviceWidth), Height: int(e.Metadata.DeviceHeight)}); err != nil {
			return err
		}
		select {
		case <-time.After(castInterval - time.Since(shown)):
		case <-acted:
		case <-ctx.Done():
			return ctx.Err()
		}
		tell(t, protopage.ScreencastFrameAck, protopage.ScreencastFrameAckParams{SessionID: e.SessionID})
		if rest = nil; !renewed {
			rest = time.After(castRest)
		}
		renewed = false
	}
}

// uncast ends the pictures of a tab when nobody looks any more.
func uncast(c *Camera, t *frames.Tab) {
	c.frames.Lock()
	t.Viewers--
	if t.Viewers == 0 {
		t.Shown = nil
		stopCastLocked(t)
	}
	c.frames.Unlock()
}

// tell sends a command that does not count as one: showing a screen is no reason to look at it anew.
func tell[P, R any](t *frames.Tab, c proto.Command[P, R], params P) { t.Session.Tell(c.Method, params) }

// keepsSecrets reports whether anything of the screen must not be seen.
func keepsSecrets(c *Camera) bool {
	if c.HiddenSecrets() != nil {
		return true
	}
	c.frames.Lock()
	defer c.frames.Unlock()
	return len(c.secrets) > 0
}
