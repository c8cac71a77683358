package act

import (
	"bytes"
	"context"
	"image"
	"image/draw"
	"slices"
	"time"

	"github.com/chromedp/cdproto/input"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/screen"
)

const (
	// drawnTime limits the time in which the browser takes a picture of a canvas. Without one a drawing counts as
	// no effect, which is wrong; a busy machine needs seconds for what takes 50 ms otherwise.
	drawnTime = 5 * time.Second
	// canvasPictures limits the pictures taken of a canvas before an action, until two are equal.
	canvasPictures = 4
)

// drawing is a canvas that an action falls on, and its look before. A picture by the browser is the same for every
// kind of canvas and asks nothing of the page. The pixels go nowhere.
type drawing struct {
	box  screen.Rect // in the tab's viewport
	skip screen.Rect // a control on top of the canvas: how it shows the press is no drawing
	pix  []byte
}

// watchCanvas takes a picture of the canvas under the point, if there is one, with the pointer over it if way is
// true: a change made by the pointer's way is not an effect of a press. A canvas that is animated proves nothing
// and is left alone.
func (a *action) watchCanvas(ctx context.Context, box *[4]float64, way bool) {
	a.canvas = nil
	if box == nil || box[2] < 1 || box[3] < 1 {
		return
	}
	if way {
		a.mouse(input.DispatchMouseEventTypeMouseMoved, a.point, input.MouseButtonNone, 0, 0, 0, false)
	}
	c := &drawing{box: screen.Rect{X: box[0], Y: box[1], W: box[2], H: box[3]}}
	if a.element != 0 && (a.box.W < c.box.W || a.box.H < c.box.H) {
		const ring = 6
		c.skip = screen.Rect{X: a.box.X - ring, Y: a.box.Y - ring, W: a.box.W + 2*ring, H: a.box.H + 2*ring}
	}
	for range canvasPictures {
		pix := a.picture(ctx, c)
		if pix == nil {
			return
		}
		if slices.Equal(pix, c.pix) {
			a.canvas = c
			return
		}
		c.pix = pix
	}
}

// compareCanvas reports whether the canvas shows something else than before the action, if nothing
// else changed.
func (a *action) compareCanvas(ctx context.Context, now *outcome, s driver.Settle) {
	c := a.canvas
	a.canvas = nil
	if c == nil || now == nil || s.Reason != "quiet" || now.State != "delivered" ||
		now.Tree+a.otherFrames.Tree > 0 || now.Value || now.Focus || now.Selection || now.Scroll {
		return
	}
	pix := a.picture(ctx, c)
	a.drew = pix != nil && !slices.Equal(pix, c.pix)
}

// picture returns the browser's picture of a canvas, nil when there is none.
func (a *action) picture(ctx context.Context, c *drawing) []byte {
	o := driver.ScreenshotOptions{Format: "png", Clip: &c.box}
	ctx, cancel := context.WithTimeout(ctx, drawnTime)
	defer cancel()
	data, err := a.p.camera.Draw(ctx, a.t, o)
	if err != nil {
		return nil
	}
	img, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil
	}
	all := img.Bounds()
	out := image.NewRGBA(all)
	draw.Draw(out, all, img, all.Min, draw.Src)
	scale := float64(all.Dx()) / c.box.W
	x, y := (c.skip.X-c.box.X)*scale, (c.skip.Y-c.box.Y)*scale
	skip := image.Rect(int(x), int(y), int(x+c.skip.W*scale), int(y+c.skip.H*scale))
	draw.Draw(out, skip.Add(all.Min), image.Black, image.Point{}, draw.Src)
	return out.Pix
}
