package android

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"math"
	"runtime"

	xdraw "golang.org/x/image/draw"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/screen"
)

const defaultQuality = 80

// painting bounds the pictures that are unpacked at once, 20 MB each, by the processors that work on them: a run may
// have many phones.
var painting = make(chan struct{}, runtime.GOMAXPROCS(0))

// Conceal implements driver.Concealer.
func (d *Device) Conceal(secrets func() driver.Secrets) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.secrets = secrets
}

// Screenshot implements driver.Device. Password fields and what shows a secret are painted over.
func (d *Device) Screenshot(ctx context.Context, o driver.ScreenshotOptions) (driver.Image, error) {
	const op = "take screenshot"
	if err := d.usable(ctx, op); err != nil {
		return driver.Image{}, err
	}
	switch o.Format {
	case "", "jpeg", "png":
	case "webp":
		o.Format = "png" // the other format without loss
	default:
		return driver.Image{}, fault.New(fault.Invalid, op, "there is no picture format %q", o.Format).
			WithHint("Use jpeg or png.")
	}
	if o.AnswerTime > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.AnswerTime)
		defer cancel()
	}
	before, err := d.tree(ctx, 0)
	if err != nil {
		return driver.Image{}, fault.Wrap(err, "", op)
	}
	var got struct {
		PNG     []byte
		Refused bool
	}
	if err := d.ask.Call(ctx, map[string]any{"do": "screenshot"}, &got); err != nil {
		return driver.Image{}, fault.Wrap(err, "", op)
	}
	if got.Refused {
		return driver.Image{}, fault.New(fault.Unavailable, op, "the phone takes no picture of this window").
			WithHint("Its app has marked it as secure; the snapshot still shows its elements.")
	}
	after, err := d.tree(ctx, 0) // a secret may have moved while the picture was taken
	if err != nil {
		return driver.Image{}, fault.Wrap(err, "", op)
	}
	select {
	case painting <- struct{}{}:
		defer func() { <-painting }()
	case <-ctx.Done():
		return driver.Image{}, fault.Wrap(context.Cause(ctx), "", op)
	}
	pic, err := png.Decode(bytes.NewReader(got.PNG))
	if err != nil {
		return driver.Image{}, fault.Wrap(err, fault.Unavailable, op)
	}
	canvas := image.NewRGBA(image.Rect(0, 0, pic.Bounds().Dx(), pic.Bounds().Dy()))
	draw.Draw(canvas, canvas.Bounds(), pic, pic.Bounds().Min, draw.Src)
	black := after.black(canvas)
	d.paintOver(canvas, before, after)
	if o.Clip != nil {
		c := o.Clip
		part := after.in(canvas, c.X, c.Y, c.X+c.W, c.Y+c.H)
		if part.Empty() {
			return driver.Image{}, fault.New(fault.Invalid, op, "the part that is asked for is not on the screen")
		}
		return encode(canvas.SubImage(part), o, black)
	}
	return encode(canvas, o, black)
}

// black counts the windows of apps that a picture shows black where their texts are, as the system paints one that its
// app has marked as secure.
func (t *tree) black(pic *image.RGBA) (windows int) {
	for _, w := range t.Windows {
		texts, drawn := 0, false
		w.each(func(n *node) {
			if drawn || w.Type != appWindow || text(n.Text) == "" || t.visibility(n) != screen.Visible {
				return
			}
			texts++
			b := t.in(pic, float64(n.B[0]), float64(n.B[1]), float64(n.B[2]), float64(n.B[3]))
			for y := b.Min.Y; y < b.Max.Y && !drawn; y++ {
				for x := b.Min.X; x < b.Max.X && !drawn; x++ {
					c := pic.RGBAAt(x, y)
					drawn = c.R|c.G|c.B != 0
				}
			}
		})
		if texts > 0 && !drawn {
			windows++
		}
	}
	return windows
}

// in is the part of a picture that shows a box of the screen. A phone may give pictures with fewer or more pixels than
// its windows have.
func (t *tree) in(pic image.Image, left, top, right, bottom float64) image.Rectangle {
	w, h := float64(pic.Bounds().Dx())/float64(max(t.Width, 1)), float64(pic.Bounds().Dy())/float64(max(t.Height, 1))
	return image.Rect(int(left*w), int(top*h), int(math.Ceil(right*w)), int(math.Ceil(bottom*h))).Intersect(pic.Bounds())
}

// paintOver hides what must not leave the process.
func (d *Device) paintOver(canvas draw.Image, trees ...*tree) {
	d.mu.Lock()
	ask := d.secrets
	d.mu.Unlock()
	var secrets driver.Secrets
	if ask != nil {
		secrets = ask()
	}
	gray := image.NewUniform(color.Gray{Y: 0x80})
	for _, t := range trees {
		t.each(func(n *node) {
			hide := n.F.has(password) && !n.F.has(hintShown)
			for _, s := range []*string{n.Text, n.Desc, n.State, n.Err} {
				hide = hide || secrets != nil && text(s) != "" && secrets.Shows(*s)
			}
			if hide {
				b := t.in(canvas, float64(n.B[0]), float64(n.B[1]), float64(n.B[2]), float64(n.B[3]))
				draw.Draw(canvas, b, gray, image.Point{}, draw.Src)
			}
		})
	}
}

func encode(pic image.Image, o driver.ScreenshotOptions, black int) (driver.Image, error) {
	if w, h := pic.Bounds().Dx(), pic.Bounds().Dy(); o.MaxSize > 0 && max(w, h) > o.MaxSize {
		scale := float64(o.MaxSize) / float64(max(w, h))
		small := image.NewRGBA(image.Rect(0, 0, max(int(float64(w)*scale), 1), max(int(float64(h)*scale), 1)))
		xdraw.ApproxBiLinear.Scale(small, small.Bounds(), pic, pic.Bounds(), xdraw.Src, nil)
		pic = small
	}
	var b bytes.Buffer
	out := driver.Image{MIME: "image/jpeg", Width: pic.Bounds().Dx(), Height: pic.Bounds().Dy(), Black: black}
	var err error
	if o.Format == "png" {
		out.MIME = "image/png"
		err = png.Encode(&b, pic)
	} else {
		q := o.Quality
		if q == 0 {
			q = defaultQuality
		}
		err = jpeg.Encode(&b, pic, &jpeg.Options{Quality: q})
	}
	out.Data = b.Bytes()
	return out, fault.Wrap(err, fault.Internal, "take screenshot")
}
