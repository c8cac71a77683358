package scroll

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trailblaze-dev/trailblaze/screen"
)

func TestShare(t *testing.T) {
	tests := []struct {
		name, in string
		want     screen.Point
		ok       bool
	}{
		{"plain", "50%,80%", screen.Point{X: 0.5, Y: 0.8}, true},
		{"spaces", " 50% , 80% ", screen.Point{X: 0.5, Y: 0.8}, true},
		{"fractions", "12.5%,0%", screen.Point{X: 0.125}, true},
		{"no percent", "50,80", screen.Point{}, false},
		{"too much", "150%,80%", screen.Point{}, false},
		{"negative", "-1%,80%", screen.Point{}, false},
		{"empty", "", screen.Point{}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := share(tt.in)
			if diff := cmp.Diff(tt.want, got); diff != "" || (err == nil) != tt.ok {
				t.Errorf("share(%q) = %v, %v, want ok %t (-want +got):\n%s", tt.in, got, err, tt.ok, diff)
			}
		})
	}
}

func FuzzShare(f *testing.F) {
	for _, s := range []string{"50%,80%", "12.5%, 0%", "%,%", "1e9%,1%", "٣%,1%"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, err := share(s)
		if err == nil && !(p.X >= 0 && p.X <= 1 && p.Y >= 0 && p.Y <= 1) {
			t.Errorf("share(%q) = %v, outside the area", s, p)
		}
	})
}
