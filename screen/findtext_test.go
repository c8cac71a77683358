package screen_test

import (
	"testing"

	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/words"
)

// TestTextOfNeighbours proves that boxes that touch do not glue words: cells and views of apps part their text, and a run of text keeps
// the space before an inline element.
func TestTextOfNeighbours(t *testing.T) {
	box := func(x, w float64) screen.Rect { return screen.Rect{X: x, Y: 10, W: w, H: 20} }
	s := &screen.Snapshot{Root: &screen.Node{ID: 1, Role: "document", Children: []*screen.Node{
		{ID: 2, Role: "row", Children: []*screen.Node{
			{ID: 3, Role: "cell", Text: "44 to 49 cm", Bounds: box(0, 100)},
			{ID: 4, Role: "cell", Text: "M", Bounds: box(100, 100)},
		}},
		{ID: 5, Role: "heading", Children: []*screen.Node{
			{ID: 6, Role: "text", Name: "Thank you, ", Bounds: box(0, 100)},
			{ID: 7, Role: "generic", Text: "Robin", Bounds: box(100, 50)},
		}},
		{ID: 8, Role: "paragraph", Children: []*screen.Node{
			{ID: 9, Role: "text", Name: "1", Bounds: box(0, 10)},
			{ID: 10, Role: "strong", Text: "2", Bounds: box(10, 10)},
		}},
		{ID: 11, Role: "listitem", Children: []*screen.Node{ // of an app: each view is a box
			{ID: 12, Role: "text", Name: "Map Mini", Bounds: box(0, 100), Native: &screen.AndroidAccessibility{}},
			{ID: 13, Role: "text", Name: "30.00 €", Bounds: box(100, 50), Native: &screen.AndroidAccessibility{}},
		}},
	}}}
	s.Index()
	for text, want := range map[string]screen.NodeID{"44 to 49 cm": 3, "Thank you, Robin": 5, "12": 8, "Map Mini": 12} {
		if got := s.FindText(text); len(got) != 1 || got[0].ID != want {
			t.Errorf("FindText(%q) = %v, want node %d", text, got, want)
		}
	}
	if got := s.FindText("2"); len(got) != 0 {
		t.Errorf("FindText(2) found %v inside the word 12", got)
	}
}

// What a reader takes for one word, and what not.
func TestWordEnds(t *testing.T) {
	tests := []struct {
		name, text, part string
		want             bool
	}{
		{"a word", "Status: Paid.", "Paid", true},
		{"in a word", "Unpaid", "paid", false},
		{"a number in one with a fraction", "1.50 kg", "1", false},
		{"the end of a number with a fraction", "1.50", "50", false},
		{"a number in one with thousands", "$1,000", "$1", false},
		{"a number at the end of a sentence", "It is 12.", "12", true},
		{"a number in a list", "1, 2, 3", "2", true},
		{"Chinese", "您的订单已支付完成", "已支付", true},
		{"Japanese", "お支払いが完了しました", "完了", true},
		{"Thai", "ชำระเงินแล้ว", "แล้ว", true},
		{"Thai, a mark parted from its letter", "ที่นี่", "ท", false},
		{"Hebrew in a word", "וההזמנהשולמה", "שולמה", false},
		{"Devanagari, a vowel sign parted from its letter", "की", "क", false},
		{"soft hyphen", "Pa\u00adid", "Paid", true},
		{"marks of direction", "\u200fPaid\u200e", "Paid", true},
		{"a word joiner", "Pa\u2060id", "Paid", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := words.ContainsWords(tt.text, tt.part); got != tt.want {
				t.Errorf("ContainsWords(%q, %q) = %t, want %t", tt.text, tt.part, got, tt.want)
			}
		})
	}
}
