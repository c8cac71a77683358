package report

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/fontscan"
	"github.com/go-text/typesetting/language"
	"github.com/go-text/typesetting/shaping"

	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// letters sets texts in Go Regular and, where that has no letter, in the fonts of the system.
type letters struct {
	size     fixed.Int26_6
	fonts    *fontscan.FontMap
	own      *font.Face
	system   bool // fonts has those of the system
	shaper   shaping.HarfbuzzShaper
	splitter shaping.Segmenter
	wrapper  shaping.LineWrapper
}

// line is a line of a text, set.
type line struct {
	runs shaping.Line // from left to right
	of   color.Color
}

// silent drops the messages of the search for fonts: a user cannot act on them.
type silent struct{}

func (silent) Printf(string, ...any) {}

func newLetters(points int) (*letters, error) {
	l := &letters{size: fixed.I(points), fonts: fontscan.NewFontMap(silent{})}
	if err := l.fonts.AddFont(bytes.NewReader(goregular.TTF), "Go Regular", "Go"); err != nil {
		return nil, fault.Wrap(err, fault.Internal, "draw storyboard")
	}
	l.fonts.SetQuery(fontscan.Query{Families: []string{"Go", fontscan.SansSerif}})
	l.own = l.fonts.ResolveFace('a')
	return l, nil
}

// wrap breaks a text into at most so many lines of at most a width; a longer text ends in "…".
func (l *letters) wrap(text string, width, most int, of color.Color) (out []line) {
	runes := []rune(strings.Join(strings.Fields(clean(text)), " "))
	if len(runes) == 0 {
		return nil
	}
	l.provide(runes)
	in := shaping.Input{Text: runes, RunEnd: len(runes), Direction: direction(runes), Size: l.size,
		Language: language.NewLanguage("en")}
	var runs []shaping.Output
	for _, run := range l.splitter.Split(in, l.fonts) {
		runs = append(runs, l.shaper.Shape(run))
	}
	more := in
	more.Text, more.RunEnd, more.Face = []rune("…"), 1, l.own
	config := shaping.WrapConfig{Direction: in.Direction, TruncateAfterLines: most}.WithTruncator(&l.shaper, more)
	lines, _ := l.wrapper.WrapParagraph(config, width, runes, shaping.NewSliceIterator(runs))
	for _, set := range lines {
		set = slices.Clone(set) // the wrapper uses it again
		slices.SortFunc(set, func(a, b shaping.Output) int { return int(a.VisualIndex - b.VisualIndex) })
		out = append(out, line{set, of})
	}
	return out
}

// provide takes the fonts of the system when a text needs them: to find them takes a while.
func (l *letters) provide(text []rune) {
	if l.system || !slices.ContainsFunc(text, func(r rune) bool { _, ok := l.own.NominalGlyph(r); return !ok }) {
		return
	}
	l.system = true
	if cache, err := os.UserCacheDir(); err == nil { // without a font of the system, such a letter is an empty box
		_ = l.fonts.UseSystemFonts(filepath.Join(cache, "trailblaze"))
	}
}

// direction is that of the first letter with one.
func direction(text []rune) di.Direction {
	for _, r := range text {
		switch {
		case unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko):
			return di.DirectionRTL
		case unicode.IsLetter(r):
			return di.DirectionLTR
		}
	}
	return di.DirectionLTR
}

// draw draws a line with its left end on the base line at x, y.
func (l line) draw(on *image.RGBA, x, y int) {
	if len(l.runs) == 0 {
		return
	}
	size, wide := l.runs[0].Size.Ceil(), fixed.I(0)
	for _, run := range l.runs {
		wide += run.Advance
	}
	ink := image.NewAlpha(image.Rect(0, 0, wide.Ceil()+size, 3*size)) // room for what goes beyond
	pen := vector.NewRasterizer(ink.Rect.Dx(), ink.Rect.Dy())
	at := fixed.I(0)
	for _, run := range l.runs {
		scale := px(run.Size) / float32(run.Face.Upem())
		for _, g := range run.Glyphs {
			if outline, ok := run.Face.GlyphData(g.GlyphID).(font.GlyphOutline); ok {
				trace(pen, outline, scale, px(at+g.XOffset), float32(2*size)-px(g.YOffset))
			}
			at += g.Advance
		}
	}
	pen.Draw(ink, ink.Rect, image.Opaque, image.Point{})
	to := ink.Rect.Add(image.Pt(x, y-2*size))
	draw.DrawMask(on, to, image.NewUniform(l.of), image.Point{}, ink, image.Point{}, draw.Over)
}

func px(v fixed.Int26_6) float32 { return float32(v) / 64 }

// trace draws the outline of a letter, whose units are those of its font.
func trace(pen *vector.Rasterizer, outline font.GlyphOutline, scale, x, y float32) {
	for _, s := range outline.Segments {
		var p [3][2]float32
		for i, a := range s.Args {
			p[i] = [2]float32{x + a.X*scale, y - a.Y*scale}
		}
		switch s.Op {
		case opentype.SegmentOpMoveTo:
			pen.ClosePath()
			pen.MoveTo(p[0][0], p[0][1])
		case opentype.SegmentOpLineTo:
			pen.LineTo(p[0][0], p[0][1])
		case opentype.SegmentOpQuadTo:
			pen.QuadTo(p[0][0], p[0][1], p[1][0], p[1][1])
		case opentype.SegmentOpCubeTo:
			pen.CubeTo(p[0][0], p[0][1], p[1][0], p[1][1], p[2][0], p[2][1])
		}
	}
	pen.ClosePath()
}
