package emulate

import "testing"

// TestPresets proves that the table is sane.
func TestPresets(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, p := range Presets() {
		if seen[p.Name] || p.Width < 300 || p.Height < 300 || p.Scale < 1 || p.Mobile != (p.UserAgent != "") {
			t.Errorf("%+v", p)
		}
		seen[p.Name] = true
	}
	if len(seen) < 20 {
		t.Errorf("only %d presets", len(seen))
	}
	l, err := Find("Pixel 7 landscape")
	if err != nil || l.Width != 839 || l.Height != 412 {
		t.Errorf("%+v, %v", l, err)
	}
}
