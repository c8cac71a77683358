package yaml

import (
	"fmt"
	"strings"
	"testing"
)

// TestBounds: a text over a bound is refused with its place, before the parser sees it.
func TestBounds(t *testing.T) {
	keys := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "k%d: 1\n", i)
		}
		return b.String()
	}
	for name, tt := range map[string]struct{ text, says string }{
		"size":        {strings.Repeat("# c\n", MaxSize/4+1), "bytes"},
		"documents":   {strings.Repeat("---\na: 1\n", maxDocuments+1), "documents"},
		"keys":        {keys(maxEntries + 1), "keys and items"},
		"same key":    {strings.Repeat("a: 1\n", maxEntries+1), "keys and items"},
		"items":       {strings.Repeat("- a\n", maxEntries+1), "keys and items"},
		"flow items":  {"[" + strings.Repeat("a, ", maxEntries+1) + "]", "keys and items"},
		"flow":        {strings.Repeat("[", MaxDepth+1), "nesting"},
		"run":         {strings.Repeat("- ", MaxDepth+1), "nesting"},
		"indentation": {strings.Repeat(" ", 4*MaxDepth+8) + "a: 1", ""},
	} {
		_, err := Parse(tt.text)
		var v any
		err2 := Unmarshal([]byte(tt.text), &v)
		if tt.says != "" && (err == nil || err2 == nil || !strings.Contains(err.Error(), tt.says) || err.Error() != err2.Error()) {
			t.Errorf("%s: %v, %v", name, err, err2)
		}
	}
	if file, err := Parse(keys(maxEntries - 1)); err != nil || len(file.Docs) != 1 {
		t.Errorf("just below the bound: %v", err)
	}
}

func TestUnmarshal(t *testing.T) {
	var v map[string]any
	if err := Unmarshal([]byte("a: 1\nb: [x]\n"), &v); err != nil || fmt.Sprint(v) != "map[a:1 b:[x]]" {
		t.Errorf("%v %v", v, err)
	}
	for _, empty := range []string{"", " \n"} {
		if err := Unmarshal([]byte(empty), &v); err != nil {
			t.Errorf("%q: %v", empty, err)
		}
	}
	if err := Unmarshal([]byte("a: {\n"), &v); err == nil || !strings.Contains(err.Error(), "[1:") {
		t.Errorf("no place: %v", err)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"a: 1", "- - a", "&a [*a]", "{a: {b: c}}", "? a\n: b", "--- |\n x\n...", "a: \"\\x41\"", "!!str 1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		_, _ = Parse(s)
		var v any
		_ = Unmarshal([]byte(s), &v)
	})
}
