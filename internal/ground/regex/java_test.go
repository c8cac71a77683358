package regex

import (
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"
)

// TestJava holds patterns against what java.util.regex says of them (testdata/Oracle.java prints java.golden). A
// pattern may be refused, never read in another way.
func TestJava(t *testing.T) {
	texts := lines(t, "texts.txt")
	for i := range texts {
		texts[i] = unescape(t, texts[i])
	}
	golden := lines(t, "java.golden")
	refusals := map[string]bool{}
	for i, p := range lines(t, "patterns.txt") {
		for mode := FullText; mode <= Search; mode++ {
			want := golden[i*3+int(mode)-1][2:]
			re, err := Compile(p, mode)
			switch {
			case errors.Is(err, ErrSyntax):
				if want != "syntax" {
					t.Errorf("%q mode %d: %v, but Java compiles it", p, mode, err)
				}
				continue
			case err != nil:
				refusals[p] = true
				continue
			case want == "syntax":
				t.Errorf("%q mode %d: compiles, but not for Java", p, mode)
				continue
			}
			for n, text := range texts {
				ok, err := re.Match(t.Context(), text)
				if err != nil || ok != (want[n] == '1') {
					t.Errorf("%q mode %d on %q: %v (%v), Java says %c", p, mode, text, ok, err, want[n])
				}
			}
		}
	}
	for _, p := range []string{`\uD83D`, `\x{D83D}`, `\p{InGreek}+`, `\p{javaLowerCase}+`, `[&&a]`, `[a&&]`, `(?U)\w+`, `\X`,
		`\N{LATIN SMALL LETTER A}`, `\1(a)`, `^*a`, `$?a`} {
		delete(refusals, p)
	}
	if len(refusals) > 0 {
		t.Errorf("refused, too: %v", refusals)
	}
}

func lines(t *testing.T, file string) []string {
	t.Helper()
	data, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
}

func unescape(t *testing.T, s string) string {
	t.Helper()
	s = strings.ReplaceAll(s, `"`, `\"`)
	if pair := strings.Split(s, `\u`); len(pair) == 3 && strings.HasPrefix(pair[1], "d8") {
		hi, _ := strconv.ParseUint(pair[1], 16, 16)
		lo, _ := strconv.ParseUint(pair[2], 16, 16)
		return string(utf16.DecodeRune(rune(hi), rune(lo)))
	}
	out, err := strconv.Unquote(`"` + s + `"`)
	if err != nil {
		t.Fatalf("%q: %v", s, err)
	}
	return out
}
