package fieldtext

import (
	"strings"
	"testing"
	"unicode"
)

func TestSame(t *testing.T) {
	text := &Field{Sort: "text", Type: "text"}
	tests := []struct {
		want, got string
		same      bool
	}{
		{"abc", "abc", true}, {"5550101234", "(555) 010-1234", true}, {"555-0100", "5550100", true}, {"abc", "ab", false},
		{"save", "SAVE", true}, {"save", "SaVe", false}, {"1234567", "1,234,567", true}, {"1234567", "$1,234,567", true},
		{"1234567.5", "1.234.567,5", false}, {"1234.50", "$1,234.50", true}, {"15", "1.5", false}, {"1.5", "15", false}, {"1234", "12.34", false},
		{"-5", "5", false}, {"5", "-5", false}, {"5", "(5)", false}, {"31122026", "31/12/2026", true}, {"31122026", "31.12.2026", true},
		{"1/2", "12", false}, {"12", "1/2", true}, {"abc ", "abc", true}, {"a b", "ab", true}, {"abc", "", false}, {"", "", true},
		{"1234", "1.234", true}, {"12ab", "12", false}, {"+15550100", "15550100", false}, {"15550100", "+1 555 0100", true},
	}
	for _, test := range tests {
		t.Run(test.want+"→"+test.got, func(t *testing.T) {
			if got := text.same(test.want, test.got); got != test.same {
				t.Errorf("same(%q, %q) = %v", test.want, test.got, got)
			}
		})
	}
}

// letters are the letters and digits of s.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, s)
}

func FuzzSame(f *testing.F) {
	f.Add("1234", "1,234")
	f.Add("abc", "ABC")
	text := &Field{Sort: "text", Type: "text"}
	f.Fuzz(func(t *testing.T, want, got string) {
		if !text.same(want, want) {
			t.Errorf("%q is not itself", want)
		}
		if text.same(want, got) && !strings.EqualFold(letters(want), letters(got)) {
			t.Errorf("%q counts as %q, though letters or digits differ", got, want)
		}
	})
}
