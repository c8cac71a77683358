package keys

import "testing"

func TestParse(t *testing.T) {
	tests := []struct {
		in, key, code, text string
		held                int
		bad                 bool
	}{
		{"a", "a", "KeyA", "a", 0, false}, {"A", "A", "KeyA", "A", 0, false}, {"Shift+a", "A", "KeyA", "A", 1, false},
		{"Control++", "+", "Equal", "+", 1, false}, {"+", "+", "Equal", "+", 0, false}, {"Enter", "Enter", "Enter", "\r", 0, false},
		{"enter", "Enter", "Enter", "\r", 0, false}, {"esc", "Escape", "Escape", "", 0, false}, {"Space", " ", "Space", " ", 0, false},
		{"ControlOrMeta+Shift+T", "T", "KeyT", "T", 2, false}, {"F5", "F5", "F5", "", 0, false}, {"KeyQ", "q", "KeyQ", "q", 0, false},
		{"ü", "ü", "", "ü", 0, false}, {"Shift+1", "!", "Digit1", "!", 1, false}, {"Nope", "", "", "", 0, true}, {"x+a", "", "", "", 0, true},
		{"", "", "", "", 0, true}, {"Control+", "", "", "", 0, true}, {"Shift", "Shift", "ShiftLeft", "", 0, false}, {"ctrl+c", "c", "KeyC", "c", 1, false},
	}
	for _, test := range tests {
		t.Run(test.in, func(t *testing.T) {
			c, err := Parse(test.in)
			if (err != nil) != test.bad {
				t.Fatalf("err = %v", err)
			}
			if err == nil && (c.key.key != test.key || c.key.code != test.code || c.key.text != test.text || len(c.held) != test.held) {
				t.Errorf("got %+v", c)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"a", "Control+a", "++", "Shift+", "Enter"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if c, err := Parse(s); err == nil && c.key.key == "" {
			t.Errorf("%q gives no key", s)
		}
	})
}
