package report

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	_ "image/jpeg" // the forms of kept pictures
	_ "image/png"
	"slices"

	scale "golang.org/x/image/draw"
	_ "golang.org/x/image/webp"

	"github.com/trailblaze-dev/trailblaze/internal/call/event"
)

// FrameWidth and FrameHeight are the size of what Frames draws, in pixels.
const (
	FrameWidth  = 960
	FrameHeight = 760
)

// Sizes of a sheet in pixels. The highest takes 44 MB while it is drawn, and a picture of maxPixels 128 MB while it is
// read.
const (
	gap         = 16
	perRow      = 4
	tileWidth   = 320
	sheetWidth  = perRow*(tileWidth+gap) + gap
	sheetHeight = 8000
	maxPixels   = 32 << 20
)

var (
	ink   = color.RGBA{32, 32, 32, 255}
	grey  = color.RGBA{118, 118, 118, 255}
	green = color.RGBA{22, 120, 60, 255}
	amber = color.RGBA{156, 92, 0, 255}
	red   = color.RGBA{192, 28, 40, 255}
	mark  = color.RGBA{140, 30, 200, 255} // of the target of an action
)

// board is a picture that tiles are drawn on.
type board struct {
	*image.RGBA

	report *Report
	*letters
	lineHeight    int
	width, height int // of a tile's picture at most
}

// tile is a step as it is drawn: its picture, and lines below it.
type tile struct {
	picture *image.RGBA // nil without one
	lines   []line
}

func newBoard(r *Report, size image.Point, points, width, height int) (*board, error) {
	l, err := newLetters(points)
	if err != nil {
		return nil, err
	}
	b := &board{
		RGBA: image.NewRGBA(image.Rectangle{Max: size}), report: r, letters: l, lineHeight: points * 7 / 5,
		width: width, height: height,
	}
	b.clear()
	return b, nil
}

// Sheets draws the steps of the run on sheets, each with its last picture, sentence and outcome, and gives each sheet
// to a function before it draws the next one in its place: a run of any length takes the memory of one sheet.
func Sheets(r *Report, each func(*image.RGBA) error) error {
	b, err := newBoard(r, image.Pt(sheetWidth, sheetHeight), 13, tileWidth, 480)
	if err != nil {
		return err
	}
	y := gap
	for _, c := range r.chapters() {
		head := c.head(b, sheetWidth-2*gap)
		rows := slices.Collect(slices.Chunk(c.steps, perRow))
		for i, row := range append(rows, nil)[:max(len(rows), 1)] {
			tiles, height := b.row(row)
			need := height + (len(head)+2)*b.lineHeight
			if y > gap && y+need > sheetHeight {
				y = b.write(b.wrap("The next sheet goes on.", tileWidth, 1, grey), gap, y)
				if err := each(b.top(y)); err != nil {
					return err
				}
				b.clear()
				y = gap
			}
			if i == 0 || y == gap {
				y = b.write(head, gap, y) + gap/2
			}
			for j, t := range tiles {
				b.put(t, gap+j*(tileWidth+gap), y)
			}
			y += height + gap
		}
	}
	return each(b.top(y))
}

// Frames draws the steps of the run, each on a picture of its own, as a trail without any, and gives them to a function
// one after the other.
func Frames(r *Report, each func(*image.RGBA) error) error {
	b, err := newBoard(r, image.Pt(FrameWidth, FrameHeight), 18, FrameWidth-2*gap, 520)
	if err != nil {
		return err
	}
	for _, c := range r.chapters() {
		for i := range max(len(c.steps), 1) {
			b.clear()
			y := b.write(c.head(b, b.width), gap, gap) + gap/2
			if i < len(c.steps) {
				b.put(b.tile(c.steps[i]), gap, y)
			}
			if err := each(b.RGBA); err != nil {
				return err
			}
		}
	}
	return nil
}

// chapter is an attempt as it is drawn, or a trail without one.
type chapter struct {
	title   string
	outcome event.Outcome
	failure string
	steps   []Step
}

func (r *Report) chapters() (out []chapter) {
	for _, t := range r.Trails {
		if len(t.Attempts) == 0 {
			c := chapter{title: caseName(t), outcome: t.Outcome, failure: t.Reason}
			if t.Failure != nil {
				c.failure = t.Failure.Message
			}
			out = append(out, c)
		}
		for _, a := range t.Attempts {
			c := chapter{title: caseName(t), outcome: a.Outcome, failure: a.Reason, steps: a.Steps}
			if len(t.Attempts) > 1 {
				c.title += fmt.Sprintf(", attempt %d of %d", a.Number, len(t.Attempts))
			}
			if failedStep(a) == nil && a.Failure != nil {
				c.failure = a.Failure.Message
			}
			if len(a.Screens) > 0 {
				end := Step{Index: event.NoStep, Text: "At the end", Outcome: a.Outcome, StartMS: a.DurationMS, Screens: a.Screens}
				c.steps = append(slices.Clip(c.steps), end)
			}
			out = append(out, c)
		}
	}
	return out
}

func (c chapter) head(b *board, width int) []line {
	return append(b.wrap(string(c.outcome)+": "+c.title, width, 1, inkOf(c.outcome)), b.wrap(c.failure, width, 2, ink)...)
}

func inkOf(o event.Outcome) color.Color {
	switch o {
	case event.Passed:
		return green
	case event.Flaky, event.Healed:
		return amber
	case event.Skipped, event.Canceled:
		return grey
	case event.Failed, event.Broken, event.Undecided:
	}
	return red
}

func (b *board) tile(s Step) tile {
	name := ""
	if s.Index >= 0 {
		name = fmt.Sprintf("%d  ", s.Index+1)
	}
	if s.Actor != "" {
		name += s.Actor + "  "
	}
	t := tile{picture: b.picture(s.Screens), lines: b.wrap(name+string(s.Outcome), b.width, 1, inkOf(s.Outcome))}
	if t.picture == nil {
		t.lines = append(t.lines, b.wrap("no picture was kept", b.width, 1, grey)...)
	}
	t.lines = append(t.lines, b.wrap(s.Text, b.width, 3, ink)...)
	if s.Failure != nil {
		t.lines = append(t.lines, b.wrap(s.Failure.Message, b.width, 3, red)...)
	}
	return t
}

func (b *board) row(steps []Step) (tiles []tile, height int) {
	for _, s := range steps {
		t := b.tile(s)
		tiles = append(tiles, t)
		own := len(t.lines) * b.lineHeight
		if t.picture != nil {
			own += t.picture.Rect.Dy()
		}
		height = max(height, own)
	}
	return tiles, height
}

// picture reads the last picture that can be read and makes it as small as a tile. The target of its action is framed.
func (b *board) picture(screens []Screen) *image.RGBA {
	for _, s := range slices.Backward(screens) {
		stored, ok := b.report.blobs[s.Blob]
		if !ok {
			continue
		}
		data, err := event.ReadBlob(stored.dir, s.Blob)
		if err != nil {
			continue
		}
		head, _, err := image.DecodeConfig(bytes.NewReader(data))
		if err != nil || head.Width <= 0 || head.Height <= 0 || head.Width > maxPixels/head.Height {
			continue
		}
		whole, _, err := image.Decode(bytes.NewReader(data))
		if err != nil {
			continue
		}
		k := min(float64(b.width)/float64(head.Width), float64(b.height)/float64(head.Height), 1)
		small := image.NewRGBA(image.Rect(0, 0, max(1, int(float64(head.Width)*k)), max(1, int(float64(head.Height)*k))))
		scale.BiLinear.Scale(small, small.Rect, whole, whole.Bounds(), draw.Src, nil)
		kx, ky := k, k // of the marks, which are in the pixels of CSS
		if s.Width > 0 && s.Height > 0 {
			kx, ky = float64(small.Rect.Dx())/float64(s.Width), float64(small.Rect.Dy())/float64(s.Height)
		}
		for _, m := range s.Marks {
			at := image.Rect(int(m.X*kx), int(m.Y*ky), int((m.X+m.W)*kx), int((m.Y+m.H)*ky))
			frame(small, at.Inset(-3), 2, mark)
		}
		frame(small, small.Rect, 1, grey)
		return small
	}
	return nil
}

// frame draws the border of a rectangle.
func frame(on *image.RGBA, r image.Rectangle, wide int, of color.Color) {
	for _, side := range []image.Rectangle{
		{r.Min, image.Pt(r.Max.X, r.Min.Y+wide)}, {image.Pt(r.Min.X, r.Max.Y-wide), r.Max},
		{r.Min, image.Pt(r.Min.X+wide, r.Max.Y)}, {image.Pt(r.Max.X-wide, r.Min.Y), r.Max},
	} {
		draw.Draw(on, side, image.NewUniform(of), image.Point{}, draw.Src)
	}
}

func (b *board) clear() {
	draw.Draw(b.RGBA, b.Rect, image.NewUniform(color.White), image.Point{}, draw.Src)
}

// top is the part of the board above a line.
func (b *board) top(y int) *image.RGBA {
	part, _ := b.SubImage(image.Rect(0, 0, b.Rect.Dx(), y)).(*image.RGBA)
	return part
}

func (b *board) put(t tile, x, y int) {
	if t.picture != nil {
		left := x + (b.width-t.picture.Rect.Dx())/2
		draw.Draw(b.RGBA, t.picture.Rect.Add(image.Pt(left, y)), t.picture, image.Point{}, draw.Src)
		y += t.picture.Rect.Dy()
	}
	b.write(t.lines, x, y)
}

// write writes lines below each other and returns where they end.
func (b *board) write(lines []line, x, y int) int {
	for _, l := range lines {
		l.draw(b.RGBA, x, y+b.lineHeight*3/4)
		y += b.lineHeight
	}
	return y
}
