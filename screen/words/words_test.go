package words

import (
	"strings"
	"testing"
)

func TestContainsWords(t *testing.T) {
	tests := []struct {
		name, text, part string
		want             bool
	}{
		{"whole", "Paid", "Paid", true},
		{"a word", "Paid in full", "in", true},
		{"begins inside", "Unpaid", "paid", false},
		{"ends inside", "Payments", "Pay", false},
		{"a later one", "Unpaid and paid", "paid", true},
		{"punctuation", "Total: 5 €", "5 €", true},
		{"white space", "a\n  b", "a b", true},
		{"empty", "", "", true},
		{"empty part", "x", "", true},
		{"digits", "Item 12", "1", false},
		{"umlauts", "Übergröße", "größe", false},
		{"other scripts", "合計 5", "合計", true},
		{"part with its own edges", "(5)", "(5)", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := ContainsWords(tt.text, tt.part); got != tt.want {
				t.Errorf("ContainsWords(%q, %q) = %t, want %t", tt.text, tt.part, got, tt.want)
			}
		})
	}
}

func TestMatchText(t *testing.T) {
	tests := []struct {
		name, expression, text string
		want                   bool
	}{
		{"whole", "Sa.e", "Save", true},
		{"not a part", "Sa", "Save", false},
		{"literal", "$5.00", "$5.00", true},
		{"quoted", `\Qa.b\E`, "a.b", true},
		{"look-ahead", `(?!Un)\w+`, "Paid", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, err := MatchText(tt.expression, tt.text); err != nil || got != tt.want {
				t.Errorf("MatchText(%q, %q) = %t, %v, want %t", tt.expression, tt.text, got, err, tt.want)
			}
		})
	}
}

func FuzzContainsWords(f *testing.F) {
	for _, s := range [][2]string{{"Paid in full", "in"}, {"Unpaid", "paid"}, {"", ""}, {"a\u0301b", "a"}, {"\xff", "\xff"}, {"aa aa", "aa"}} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, text, part string) {
		got := ContainsWords(text, part)
		plain := strings.Contains(Squeeze(text), Squeeze(part))
		if got && !plain {
			t.Errorf("ContainsWords(%q, %q) finds what is not there", text, part)
		}
		if !ContainsWords(part, part) {
			t.Errorf("%q does not contain itself", part)
		}
	})
}
