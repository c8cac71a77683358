package capture

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/frames"
	"github.com/trailblaze-dev/trailblaze/screen"
)

func rect(x, y, w, h float64) screen.Rect { return screen.Rect{X: x, Y: y, W: w, H: h} }

// TestPlacement proves where elements of inner frames are on the screen: moved by the frame's content box, scaled with
// the frame, and clipped to the part of it that is in view.
func TestPlacement(t *testing.T) {
	page := placement{scale: 1, clip: rect(0, 0, 1000, 800), vis: screen.Visible}
	for name, tc := range map[string]struct {
		content, bounds screen.Rect // of the frame's element
		want            screen.Rect // of a box at 10, 20 of 30 × 40 in the frame
	}{
		"a frame without a border":      {rect(100, 50, 400, 300), rect(100, 50, 400, 300), rect(110, 70, 30, 40)},
		"a frame with a border of 5":    {rect(105, 55, 390, 290), rect(100, 50, 400, 300), rect(115, 75, 30, 40)},
		"a frame painted at half size":  {rect(100, 50, 400, 300), rect(100, 50, 200, 150), rect(105, 60, 15, 20)},
		"a frame painted at twice size": {rect(100, 50, 400, 300), rect(100, 50, 800, 600), rect(120, 90, 60, 80)},
	} {
		t.Run(name, func(t *testing.T) {
			in := page.inside(tc.content, &screen.Node{Bounds: tc.bounds, Visibility: screen.Visible})
			if got := in.move(rect(10, 20, 30, 40)); got != tc.want {
				t.Errorf("at %+v, want %+v", got, tc.want)
			}
		})
	}
	outer := page.inside(rect(100, 50, 400, 300), &screen.Node{Bounds: rect(100, 50, 200, 150), Visibility: screen.Visible})
	inner := outer.inside(rect(40, 40, 200, 100), &screen.Node{Bounds: outer.move(rect(40, 40, 200, 100))})
	if got := inner.move(rect(0, 0, 10, 10)); got != rect(120, 70, 5, 5) {
		t.Errorf("a frame in a frame at half size puts its corner at %+v", got)
	}
}

// TestNodesOfFramesAreSeen proves that an element of an inner frame is seen no better than its frame, and not where the
// frame is out of view.
func TestNodesOfFramesAreSeen(t *testing.T) {
	shown := placement{scale: 1, clip: rect(0, 0, 100, 100), vis: screen.Visible}
	covered := placement{scale: 1, clip: rect(0, 0, 100, 100), vis: screen.Covered}
	for name, tc := range map[string]struct {
		at     placement
		own    screen.Visibility
		bounds screen.Rect
		want   screen.Visibility
	}{
		"in view":                         {shown, screen.Visible, rect(10, 10, 20, 20), screen.Visible},
		"partly in view":                  {shown, screen.Visible, rect(90, 90, 20, 20), screen.Visible},
		"beyond the frame's edge":         {shown, screen.Visible, rect(120, 10, 20, 20), screen.Offscreen},
		"without a size":                  {shown, screen.Visible, rect(120, 10, 0, 0), screen.Visible},
		"hidden":                          {shown, screen.Hidden, rect(10, 10, 20, 20), screen.Hidden},
		"covered in the frame":            {shown, screen.Covered, rect(10, 10, 20, 20), screen.Covered},
		"in a covered frame":              {covered, screen.Visible, rect(10, 10, 20, 20), screen.Covered},
		"transparent in a covered frame":  {covered, screen.Transparent, rect(10, 10, 20, 20), screen.Transparent},
		"out of view in a covered frame":  {covered, screen.Offscreen, rect(300, 10, 20, 20), screen.Covered},
		"touching the edge of the window": {shown, screen.Visible, rect(100, 10, 20, 20), screen.Offscreen},
	} {
		t.Run(name, func(t *testing.T) {
			if got := tc.at.see(&screen.Node{Visibility: tc.own, Bounds: tc.bounds}); got != tc.want {
				t.Errorf("%v, want %v", got, tc.want)
			}
		})
	}
}

// TestConcealed proves that a field that holds a secret keeps its own name and loses everything else that could spell it.
func TestConcealed(t *testing.T) {
	n := &screen.Node{Name: "Password", Value: "hunter2", Text: "hunter2", Children: []*screen.Node{
		{Name: "hunter2", Text: "hunter2", Children: []*screen.Node{{Name: "hunter2", Value: "hunter2"}}},
	}}
	conceal(n)
	if n.Name != "Password" || !n.State.Has(screen.Masked) {
		t.Errorf("%q, state %x", n.Name, n.State)
	}
	if raw, err := json.Marshal(n); err != nil || strings.Contains(string(raw), "hunter2") {
		t.Errorf("%s spells the secret, error %v", raw, err)
	}
}

// TestMarksAreBounded proves that a device remembers its newest captures to wait from, and no more.
func TestMarksAreBounded(t *testing.T) {
	c := New(frames.New(nil), func() Viewport { return Viewport{} })
	for seq := range uint64(3 * maxMarks) {
		c.addMark(mark{seq: seq})
	}
	if len(c.marks) != maxMarks || c.marks[0].seq != 2*maxMarks || c.marks[maxMarks-1].seq != 3*maxMarks-1 {
		t.Errorf("%d marks from %d", len(c.marks), c.marks[0].seq)
	}
}

// TestWantsRef proves which elements get a name to act by.
func TestWantsRef(t *testing.T) {
	for name, tc := range map[string]struct {
		n    screen.Node
		want bool
	}{
		"a button":           {screen.Node{Role: "button", State: screen.Clickable}, true},
		"a text":             {screen.Node{Role: "text"}, false},
		"an option":          {screen.Node{Role: "option"}, true},
		"a box that scrolls": {screen.Node{Role: "generic", Scroll: &screen.Overflow{}}, true},
		"a disabled field":   {screen.Node{Role: "textbox", State: screen.Disabled}, false},
		"a frame":            {screen.Node{Role: "iframe"}, true},
	} {
		if got := wantsRef(&tc.n); got != tc.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
