package capture

import (
	"bytes"
	"context"
	"errors"
	"image"
	_ "image/jpeg" // to read the size of what the browser encoded
	_ "image/png"
	"slices"
	"sync"
	"time"

	protopage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	_ "golang.org/x/image/webp"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/frames"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/page"
	"github.com/trailblaze-dev/trailblaze/screen"

	proto "github.com/chromedp/cdproto/cdp"
)

const defaultQuality = 80

// Screenshot implements driver.Device. Fields whose content must not leave the process are painted
// over.
func (c *Camera) Screenshot(ctx context.Context, o driver.ScreenshotOptions) (driver.Image, error) {
	const op = "take screenshot"
	if c.frames.Hands {
		return driver.Image{}, fault.New(fault.Unsupported, op, "a person acts on the page by hand, and may type passwords").
			WithHint("Take pictures of a replay of the recording.")
	}
	p, err := params(o)
	if err != nil {
		return driver.Image{}, err
	}
	t, err := c.frames.Current()
	if err != nil {
		return driver.Image{}, err
	}
	c.frames.Lock()
	open := t.Dialog != nil
	c.frames.Unlock()
	if open {
		return driver.Image{}, fault.New(fault.NotActed, op, "a dialog is open and the page stands still").
			WithHint("Answer the dialog first.")
	}
	if err := c.crop(ctx, t, o, &p); err != nil {
		return driver.Image{}, fault.Wrap(err, "", op)
	}
	sealed, unmask, err := c.maskWithin(ctx, t, o.AnswerTime)
	if err != nil {
		return driver.Image{}, fault.Wrap(err, "", op)
	}
	res, err := cdp.Call(ctx, t.Session, protopage.CaptureScreenshot, p)
	unmask()
	if err != nil {
		return driver.Image{}, fault.Wrap(err, "", op)
	}
	img := driver.Image{Data: res.Data, MIME: "image/" + string(p.Format), Sealed: sealed}
	if size, _, err := image.DecodeConfig(bytes.NewReader(res.Data)); err == nil {
		img.Width, img.Height = size.Width, size.Height
	}
	return img, nil
}

// Draw returns the browser's picture of a tab in the format that it encodes fastest. Nothing is painted over in it,
// so it must not leave the process.
func (c *Camera) Draw(ctx context.Context, t *frames.Tab, o driver.ScreenshotOptions) ([]byte, error) {
	p, err := params(o)
	if err != nil {
		return nil, err
	}
	if err := c.crop(ctx, t, o, &p); err != nil {
		return nil, err
	}
	p.OptimizeForSpeed = new(true)
	res, err := cdp.Call(ctx, t.Session, protopage.CaptureScreenshot, p)
	if err != nil {
		return nil, err
	}
	return res.Data, nil
}

func params(o driver.ScreenshotOptions) (protopage.CaptureScreenshotParams, error) {
	p := protopage.CaptureScreenshotParams{Format: protopage.CaptureScreenshotFormatJpeg}
	switch o.Format {
	case "", "jpeg", "jpg":
	case "png":
		p.Format = protopage.CaptureScreenshotFormatPng
	case "webp":
		p.Format = protopage.CaptureScreenshotFormatWebp
	default:
		return p, fault.New(fault.Invalid, "take screenshot", "no picture format is called %q", o.Format).
			WithHint("Use jpeg, png or webp.")
	}
	if o.Quality < 0 || o.Quality > 100 {
		return p, fault.New(fault.Invalid, "take screenshot", "quality %d is not between 1 and 100", o.Quality)
	}
	if p.Format != protopage.CaptureScreenshotFormatPng {
		q := int64(defaultQuality)
		if o.Quality > 0 {
			q = int64(o.Quality)
		}
		p.Quality = &q
	}
	if o.MaxSize < 0 {
		return p, fault.New(fault.Invalid, "take screenshot", "%d px is no size", o.MaxSize)
	}
	if o.Clip != nil {
		if o.Clip.Empty() {
			return p, fault.New(fault.Invalid, "take screenshot", "the clip is empty")
		}
		p.Clip = clip(*o.Clip)
	}
	return p, nil
}

func clip(r screen.Rect) *protopage.Viewport {
	return &protopage.Viewport{X: r.X, Y: r.Y, Width: r.W, Height: r.H, Scale: 1}
}

// crop sets the part of the page that is drawn, and its size. The browser counts from the corner of the page, we from
// the corner of the viewport.
func (c *Camera) crop(ctx context.Context, t *frames.Tab, o driver.ScreenshotOptions,
	p *protopage.CaptureScreenshotParams) error {
	if !o.FullPage && o.Clip == nil && o.MaxSize == 0 {
		return nil
	}
	m, err := cdp.Call(ctx, t.Session, protopage.GetLayoutMetrics, proto.Empty{})
	if err != nil {
		return err
	}
	view := m.CSSVisualViewport
	switch {
	case o.Clip != nil:
		p.Clip.X, p.Clip.Y = p.Clip.X+view.PageX, p.Clip.Y+view.PageY
	case o.FullPage:
		p.CaptureBeyondViewport = new(true)
		p.Clip = clip(screen.Rect{W: m.CSSContentSize.Width, H: m.CSSContentSize.Height})
	default:
		p.Clip = clip(screen.Rect{X: view.PageX, Y: view.PageY, W: view.ClientWidth, H: view.ClientHeight})
	}
	c.frames.Lock()
	density := c.viewport().Scale
	c.frames.Unlock()
	if longer := max(p.Clip.Width, p.Clip.Height) * density; o.MaxSize > 0 && longer > float64(o.MaxSize) {
		p.Clip.Scale = float64(o.MaxSize) / longer
	}
	return nil
}

// maskWithin is mask with an end: a page whose scripts do not answer gives no picture either.
func (c *Camera) maskWithin(ctx context.Context, t *frames.Tab, limit time.Duration) (int, func(), error) {
	if limit <= 0 {
		return c.mask(ctx, t)
	}
	short, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return c.mask(short, t)
}

// mask paints over secret fields in every frame until unmask is called. A frame that cannot be asked fails the
// picture: better none than one that shows a secret. sealed counts the elements that are painted over because they
// cannot be read.
func (c *Camera) mask(ctx context.Context, t *frames.Tab) (sealed int, unmask func(), err error) {
	c.frames.Lock()
	secrets := map[*frames.Document][]int64{}
	for _, f := range t.Frames {
		if f.Document != nil {
			secrets[f.Document] = []int64{}
		}
	}
	c.frames.Unlock()
	if sealed, err = c.findSecretElements(ctx, secrets); err != nil {
		return 0, func() {}, err
	}
	c.frames.Lock()
	if c.last != nil && c.last.Root != nil {
		c.maskedIn(c.last.Root, secrets)
	}
	for id := range c.secrets {
		if doc, element := c.frames.Holder(id); doc != nil && secrets[doc] != nil {
			secrets[doc] = append(secrets[doc], element)
		}
	}
	c.frames.Unlock()
	var wg sync.WaitGroup
	var mu sync.Mutex
	var masked, late []*frames.Document
	var errs []error
	for doc, ids := range secrets {
		wg.Go(func() {
			var n int
			err := doc.Call(ctx, &n, "mask", ids)
			covered := err != nil || n == 0 || doc.Host.Parent == nil || isCovered(ctx, doc)
			mu.Lock()
			defer mu.Unlock()
			if err != nil && !errors.Is(err, frames.ErrGone) {
				errs = append(errs, err)
			}
			if n > 0 {
				masked = append(masked, doc)
			}
			if !covered {
				late = append(late, doc)
			}
		})
	}
	wg.Wait()
	if len(late) > 0 {
		errs = append(errs, c.hideFrames(ctx, t, late, secrets))
	}
	unmask = func() {
		for _, doc := range masked {
			cdp.Send(doc.Host.Session, runtime.Evaluate, runtime.EvaluateParams{
				Expression: page.Global + ".unmask()", ContextID: doc.World,
			})
		}
	}
	if err := errors.Join(errs...); err != nil {
		unmask()
		return sealed, unmask, err
	}
	return sealed, unmask, nil
}

// isCovered waits until a document in a process of its own has drawn its paint: the picture of the tab is made of what
// that process drew last.
func isCovered(ctx context.Context, doc *frames.Document) bool {
	short, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	return doc.Call(short, nil, "covered") == nil
}

// hideFrames paints over the whole frames, in the tab's own process, that hold documents.
func (c *Camera) hideFrames(ctx context.Context, t *frames.Tab, docs []*frames.Document,
	masked map[*frames.Document][]int64) error {
	type shown struct {
		frame *frames.Frame
		in    *frames.Document
	}
	var outer []shown
	c.frames.Lock()
	for _, f := range t.Frames {
		if !slices.Contains(docs, f.Document) {
			continue
		}
		for f.Parent != nil && f.Parent.Host.Parent != nil {
			f = f.Parent
		}
		if f.Parent != nil && masked[f.Parent.Document] != nil { // else the frame has left the page
			outer = append(outer, shown{f, f.Parent.Document})
		}
	}
	c.frames.Unlock()
	for _, o := range outer {
		element := c.frames.OwnerOf(ctx, o.in, o.frame)
		if element == 0 {
			return fault.New(fault.Degraded, "take screenshot", "a frame with a secret does not draw and cannot be hidden")
		}
		masked[o.in] = append(masked[o.in], element)
		if err := o.in.Call(ctx, nil, "mask", masked[o.in]); err != nil {
			return err
		}
	}
	return nil
}

// maskedIn collects the nodes that the last capture called masked. The lock is held.
func (c *Camera) maskedIn(n *screen.Node, out map[*frames.Document][]int64) {
	if n.State.Has(screen.Masked) {
		if doc, element := c.frames.Holder(n.ID); doc != nil && out[doc] != nil {
			out[doc] = append(out[doc], element)
		}
	}
	for _, inner := range n.Children {
		c.maskedIn(inner, out)
	}
}
