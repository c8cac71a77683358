package android

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"

	xdraw "golang.org/x/image/draw"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
)

const defaultQuality = 80

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
	before, err := d.tree(ctx)
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
	pic, err := png.Decode(bytes.NewReader(got.PNG))
	if err != nil {
		return driver.Image{}, fault.Wrap(err, fault.Unavailable, op)
	}
	after, err := d.tree(ctx) // a secret may have moved while the picture was taken
	if err != nil {
		return driver.Image{}, fault.Wrap(err, "", op)
	}
	canvas := image.NewRGBA(image.Rect(0, 0, pic.Bounds().Dx(), pic.Bounds().Dy()))
	draw.Draw(canvas, canvas.Bounds(), pic, pic.Bounds().Min, draw.Src)
	d.paintOver(canvas, before, after)
	return encode(canvas, o)
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
				draw.Draw(canvas, image.Rect(n.B[0], n.B[1], n.B[2], n.B[3]), gray, image.Point{}, draw.Src)
			}
		})
	}
}

func encode(pic image.Image, o driver.ScreenshotOptions) (driver.Image, error) {
	if o.Clip != nil {
		r := image.Rect(int(o.Clip.X), int(o.Clip.Y), int(o.Clip.X+o.Clip.W), int(o.Clip.Y+o.Clip.H)).Intersect(pic.Bounds())
		if r.Empty() {
			return driver.Image{}, fault.New(fault.Invalid, "take screenshot", "the part that is asked for is not on the screen")
		}
		part := image.NewRGBA(image.Rect(0, 0, r.Dx(), r.Dy()))
		draw.Draw(part, part.Bounds(), pic, r.Min, draw.Src)
		pic = part
	}
	if w, h := pic.Bounds().Dx(), pic.Bounds().Dy(); o.MaxSize > 0 && max(w, h) > o.MaxSize {
		scale := float64(o.MaxSize) / float64(max(w, h))
		small := image.NewRGBA(image.Rect(0, 0, max(int(float64(w)*scale), 1), max(int(float64(h)*scale), 1)))
		xdraw.ApproxBiLinear.Scale(small, small.Bounds(), pic, pic.Bounds(), xdraw.Src, nil)
		pic = small
	}
	var b bytes.Buffer
	out := driver.Image{MIME: "image/jpeg", Width: pic.Bounds().Dx(), Height: pic.Bounds().Dy()}
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
