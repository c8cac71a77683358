package words

import (
	"testing"
	"time"
)

// TestJavaPatterns: patterns mean here what they mean to java.util.regex, matched against a whole text.
func TestJavaPatterns(t *testing.T) {
	tests := []struct {
		name, pattern, text string
		fold, want          bool
	}{
		{"literal", "Save", "Save", false, true},
		{"a part is not the whole", "ave", "Save", false, false},
		{"quoted", `\QSave (all)\E`, "Save (all)", false, true},
		{"quoted to the end", `a\Q.b`, "a.b", false, true},
		{"a repetition repeats the last quoted character", `\Qab\E+`, "abbb", false, true},
		{"and not all of it", `\Qab\E+`, "abab", false, false},
		{"dot stops at U+0085", "a.b", "a\u0085b", false, false},
		{"dot stops at U+2028", "a.b", "a\u2028b", false, false},
		{"unless told", "(?s)a.b", "a\nb", false, true},
		{"possessive gives nothing back", "a*+a", "aaa", false, false},
		{"possessive matches", "a++b", "aaab", false, true},
		{"possessive class", "[ab]*+c", "abac", false, true},
		{"possessive group", "(?:ab)?+c", "abc", false, true},
		{"lazy", "a+?b", "aab", false, true},
		{"counted", "a{2,3}", "aaa", false, true},
		{"counted and possessive", "a{1,3}+a", "aaa", false, false},
		{"look-behind", "(?<=^x?)a.*", "ab", false, true},
		{"look-ahead with a dot", "(?=a).b", "ab", false, true},
		{"negative look-ahead", "(?!Un).*paid", "Unpaid", false, false},
		{"back-reference", `(\w)\1`, "aa", false, true},
		{"named group", `(?<x>a)\k<x>`, "aa", false, true},
		{"atomic group", "(?>a|ab)c", "abc", false, false},
		{"digits are ASCII", `\d+`, "٣", false, false},
		{"words are ASCII, with a backtracking engine, too", `(?=.)\w+`, "é", false, false},
		{"horizontal space", `a\hb`, "a\u00a0b", false, true},
		{"vertical space", `a\vb`, "a\u2028b", false, true},
		{"not horizontal space", `a\Hb`, "a b", false, false},
		{"any line break", `a\Rb`, "a\r\nb", false, true},
		{"escape by number", `\u0041`, "A", false, true},
		{"POSIX classes", `\p{Alpha}+\p{Punct}`, "abc!", false, true},
		{"POSIX classes in brackets", `[\p{Digit}_]+`, "1_2", false, true},
		{"negated property", `\P{L}+`, "123", false, true},
		{"script", `\p{IsGreek}+`, "αβ", false, true},
		{"letters of any script", `\p{IsAlphabetic}+`, "éß", false, true},
		{"a union in brackets", "[a-c[xz]]+", "azb", false, true},
		{"an opening bracket in brackets is a union", `[\[\]]+`, "[]", false, true},
		{"case by a flag", "(?i)SAVE", "save", false, true},
		{"case by a flag is ASCII only", "(?i)ÄPFEL", "äpfel", false, false},
		{"unless Unicode is asked for", "(?iu)ÄPFEL", "äpfel", false, true},
		{"Maestro compares Unicode in any case", "Ä.*", "äpfel", true, true},
		{"flags of a group", "(?i:s)ave", "Save", false, true},
		{"an empty text and ^$ on native drivers", "^$", "", false, true},
		{"an empty text and ^$ under Maestro", "^$", "", true, false},
		{"an empty text and .* under Maestro", ".*", "", true, true},
		{"an empty text and ^.* under Maestro", "^.*", "", true, false},
		{"an empty text and one of several under Maestro", "^a|b*", "", true, true},
		{"{{…}} does not compile and equals itself", "{{name}}", "{{name}}", false, true},
		{"${x} does not compile and equals itself", "${x}", "${x}", false, true},
		{"a leading plus", "+1 555", "+1 555", false, true},
		{"a leading plus under Maestro, in any case", "+Pay", "+PAY", true, true},
		{"a leading plus is no pattern", "+1+", "+11", false, false},
		{"doubled repetition does not compile", "a**", "aa", false, false},
		{"unbalanced", "a(b", "a(b", false, true},
		{"unbalanced brackets", "a[b", "a[b", false, true},
		{"an amount", "$5.00", "$5.00", false, true},
		{"a version matches more than itself", "v1.2", "v1x2", false, true},
		{"a lone backslash", `a\`, `a\`, false, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Compile(tt.pattern, tt.fold).Match(t.Context(), tt.text)
			if err != nil || got != tt.want {
				t.Errorf("%q on %q: %v (%v), want %v", tt.pattern, tt.text, got, err, tt.want)
			}
		})
	}
}

// FuzzPattern: no pattern panics or hangs, and every pattern matches itself.
func FuzzPattern(f *testing.F) {
	for _, p := range []string{"a", `\Qx\E+`, "(?=a)(a+)+$", "[a[b]]", "{{x}}", `\p{L}\x{41}`, "(?<n>a)*+", "((((", "a{99999}", `(?i)é\1`,
		"(?-s:.)", `\c`, `\xZ`, "(?'a'b)"} {
		f.Add(p, "aab")
	}
	f.Fuzz(func(t *testing.T, pattern, text string) {
		if len(pattern) > 200 || len(text) > 200 {
			return
		}
		for _, fold := range []bool{false, true} {
			p := Compile(pattern, fold)
			start := time.Now()
			_, _ = p.Match(t.Context(), text) // running into the limit is an answer
			if d := time.Since(start); d > 4*time.Second {
				t.Errorf("took %s", d)
			}
			if ok, err := p.Match(t.Context(), pattern); p.err == nil && (!ok || err != nil) {
				t.Errorf("%q does not match itself: %v", pattern, err)
			}
		}
	})
}
