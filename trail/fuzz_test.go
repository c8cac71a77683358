package trail

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/txtar"
)

func seed(f *testing.F) {
	f.Helper()
	bad, _ := filepath.Glob("testdata/bad/*.yaml")
	for _, name := range bad {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	good, _ := filepath.Glob("testdata/merge/*.txtar")
	for _, name := range good {
		ar, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, part := range ar.Files {
			f.Add(part.Data)
		}
	}
}

// FuzzParse: no input makes Parse panic or point outside the file, and what it accepts can be written and read again.
func FuzzParse(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, mode := range []Mode{Strict, Lenient} {
			tr, problems := Parse("x", data, mode)
			lines := strings.Split(strings.ReplaceAll(strings.ReplaceAll(string(data), "\r\n", "\n"), "\r", "\n"), "\n")
			for _, p := range problems {
				if p.Pos.Line < 1 || p.Pos.Line > len(lines) || p.Pos.Col < 1 || p.Pos.Col > utf8.RuneCountInString(lines[p.Pos.Line-1])+1 {
					t.Fatalf("problem outside the file: %+v", p)
				}
			}
			if tr == nil {
				if problems.Err() == nil {
					t.Fatal("no trail and no error")
				}
				continue
			}
			if problems.Err() != nil {
				continue
			}
			out, err := Encode(tr)
			if err != nil {
				continue // a config-only or one-device file
			}
			again, problems := Parse("y", out, Strict)
			if err := problems.Err(); err != nil {
				t.Fatalf("what was written is not readable: %v\n%s", err, out)
			}
			if tr.Format == Unified && !sameMeaning(tr, again) {
				t.Fatalf("what was written says something else:\n%s\n---\n%s", data, out)
			}
		}
		ParseCalls("x", data)
	})
}

// FuzzMerge: merging into any readable file gives a readable file that says what the merge rules say.
func FuzzMerge(f *testing.F) {
	seed(f)
	rec, problems := Parse("r", []byte(`
config: { devices: { web: PLAYWRIGHT_NATIVE } }
trailhead: { step: h, recording: { web: { t: {} } } }
trail:
  - step: a
    recording: { web: [ { web_click: { ref: e1 } }, { web_wait: { seconds: 1 } } ] }
  - step: b
  - verify: c
    recording: { web: [ { web_verifyTextVisible: { text: "x\ny" } } ] }
`), Strict)
	if problems.Err() != nil {
		f.Fatal(problems.Err())
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		old, problems := Parse("", data, Lenient)
		if problems.Err() != nil || old == nil {
			return
		}
		out, _, err := Merge(data, rec, "web")
		if err != nil {
			t.Fatalf("Merge: %v\n%s", err, data)
		}
		got, problems := Parse("", out, Lenient)
		if err := problems.Err(); err != nil {
			t.Fatalf("merged file is not readable: %v\n%s", err, out)
		}
		if old.Format == Unified {
			if want, _ := mergeTrails(old, rec, "web"); !sameMeaning(got, want) {
				t.Fatalf("merged wrongly:\n%s\n---\n%s", data, out)
			}
		}
		if again, _, err := Merge(out, rec, "web"); err != nil || string(again) != string(out) {
			t.Fatalf("merging again changes it: %v\n%s\n---\n%s", err, out, again)
		}
	})
}

// bigTrail is a trail of about n bytes with recordings for two device classes.
func bigTrail(n int) []byte {
	var b strings.Builder
	b.WriteString("config:\n  id: big\ntrail:\n")
	for b.Len() < n {
		b.WriteString(`  - step: Put a mug into the basket and look at it   # a comment
    recording:
      android:
        - tapOnElementBySelector:
            nodeSelector: { androidAccessibility: { resourceIdRegex: "com.shop:id/add", textRegex: "\\QAdd\\E" } }
      web:
        - web_click:
            nodeSelector:
              web: { ariaRole: button, ariaNameRegex: Add to cart }
              childOf: { web: { ariaRole: article, ariaNameRegex: "Valley Map 1:25 000" } }
        - web_type: { ref: e12, text: "{{memory.email}}", clear: true, delay: 15 }
`)
	}
	return []byte(b.String())
}

func BenchmarkParse(b *testing.B) {
	data := bigTrail(111 << 10)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, problems := Parse("big", data, Strict); len(problems) > 0 {
			b.Fatal(problems)
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	t, _ := Parse("big", bigTrail(111<<10), Strict)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Encode(t); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMerge(b *testing.B) {
	data := bigTrail(111 << 10)
	rec, _ := Parse("rec", []byte("trail:\n  - step: a\n    recording: { web: [ { web_click: {} } ] }\n"), Strict)
	for b.Loop() {
		if _, _, err := Merge(data, rec, "web"); err != nil {
			b.Fatal(err)
		}
	}
}
