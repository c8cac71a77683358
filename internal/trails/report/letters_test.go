package report

import (
	"image"
	"image/color"
	"strings"
	"testing"

	"github.com/go-text/typesetting/di"
	"pgregory.net/rapid"
)

// TestLetters: letters that Go Regular does not have are drawn in a font of the system, those of a language that is
// written to the left after the words around them, from right to left.
func TestLetters(t *testing.T) {
	t.Parallel()
	l, err := newLetters(13)
	if err != nil {
		t.Fatal(err)
	}
	if l.wrap("Press Überprüfen, then Проверить", 400, 1, color.Black); l.system {
		t.Error("the fonts of the system were looked for without need")
	}
	set := l.wrap("Click אישור now", 400, 1, color.Black)[0]
	if !l.system {
		t.Fatal("the fonts of the system were not looked for")
	}
	var order []di.Direction
	for _, run := range set.runs {
		order = append(order, run.Direction)
		for _, g := range run.Glyphs {
			if g.GlyphID == 0 {
				t.Skip("no font here has Hebrew letters")
			}
		}
	}
	if len(order) != 3 || order[1] != di.DirectionRTL || set.runs[1].Glyphs[0].TextIndex() <= set.runs[1].Glyphs[4].TextIndex() {
		t.Errorf("directions %v, the word begins with its letter %d", order, set.runs[1].Glyphs[0].TextIndex())
	}
	if first := l.wrap("אישור Click", 400, 1, color.Black)[0].runs; first[0].Direction != di.DirectionLTR {
		t.Error("the last word of a sentence that runs to the left is not at its left")
	}
}

// TestWrap: whatever a text holds, its lines are as many and as wide as they may be, and they can be drawn.
func TestWrap(t *testing.T) {
	t.Parallel()
	l, err := newLetters(13)
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		text, width, most := rapid.String().Draw(t, "text"), rapid.IntRange(60, 320).Draw(t, "width"), rapid.IntRange(1, 3).Draw(t, "most")
		lines := l.wrap(text, width, most, color.Black)
		if len(lines) > most || len(lines) == 0 && strings.TrimSpace(clean(text)) != "" {
			t.Fatalf("%d lines, want at most %d", len(lines), most)
		}
		on := image.NewRGBA(image.Rect(0, 0, width, 60))
		for _, set := range lines {
			wide := float32(0)
			for _, run := range set.runs {
				wide += px(run.Advance)
			}
			if wide > float32(width)+1 {
				t.Fatalf("a line is %.1f px wide, want at most %d", wide, width)
			}
			set.draw(on, 0, 20)
		}
	})
	if lines := l.wrap(strings.Repeat("word ", 100), 200, 2, color.Black); len(lines) != 2 {
		t.Errorf("%d lines, want 2", len(lines))
	}
	on := image.NewRGBA(image.Rect(0, 0, 200, 40))
	l.wrap("Ink", 200, 1, color.Black)[0].draw(on, 0, 20)
	inked := 0
	for _, v := range on.Pix {
		if v > 128 {
			inked++
		}
	}
	if inked < 20 {
		t.Errorf("%d pixels of a word are drawn", inked)
	}
}
