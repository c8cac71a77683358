package heal

import (
	"crypto/sha256"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// page is where a page comes from: a package, or "" for testdata/pages, and its path there.
type page struct {
	Root string `yaml:"root"`
	Page string `yaml:"page"`
}

// pair is a control of page A, and what has become of it on page B.
type pair struct {
	ID     string `yaml:"id"`
	Kind   string `yaml:"kind"`   // of change, of the own mutations
	Step   string `yaml:"step"`   // what it is for
	At     string `yaml:"at"`     // the control on A: "css" or "css|text"
	Now    string `yaml:"now"`    // the control on B; "": that of A, or what change keeps
	Gone   bool   `yaml:"gone"`   // it is not on B
	Lie    string `yaml:"lie"`    // what a lying model names on B; "": another of its role
	Do     string `yaml:"do"`     // click, type, check, select; "": click
	Text   string `yaml:"text"`   // what is typed or selected
	Setup  string `yaml:"setup"`  // script on both pages
	Change string `yaml:"change"` // script on B
	Ready  string `yaml:"ready"`  // what is there when the page is, on A
	Then   string `yaml:"then"`   // the same on B
	// Same are controls on both pages that do the very same thing.
	Same []string `yaml:"same"`
	// Also is what may be pressed on the way: a banner's button, the opener of a menu.
	Also []string `yaml:"also"`

	corpus, key string
	a, b        page
}

// dev reports whether rules may be developed on the pair; with the others they are told.
func (p *pair) dev() bool {
	return sha256.Sum256([]byte(p.key))[0]&1 == 0
}

// load reads the pairs of a corpus. Every third pair that is there has a twin whose control is taken from page B.
func load(t testing.TB, corpus string) (out []*pair) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", corpus, "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no pairs of %s: %v", corpus, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var sites []struct {
			A, B  page
			Ready string
			Then  string
			Setup string
			Pairs []*pair
		}
		if err := yaml.UnmarshalWithOptions(data, &sites, yaml.DisallowUnknownField()); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for _, s := range sites {
			if s.B.Page == "" {
				s.B = s.A
			}
			for i, p := range s.Pairs {
				p.corpus, p.a, p.b = corpus, s.A, s.B
				p.key = corpus + "-" + strings.TrimSuffix(filepath.Base(file), ".yaml") + "-" + p.ID
				p.Ready, p.Then = or(p.Ready, s.Ready), or(p.Then, s.Then)
				p.Setup = s.Setup + ";" + p.Setup
				out = append(out, p)
				if corpus == public && i%3 == 0 && !p.Gone && p.Same == nil {
					twin := *p
					twin.key, twin.Gone, twin.Same = p.key+"-gone", true, nil
					twin.Change = "t.remove()"
					out = append(out, &twin)
				}
			}
		}
	}
	keys := map[string]bool{}
	for _, p := range out {
		if keys[p.key] {
			t.Fatalf("two pairs are called %s", p.key)
		}
		keys[p.key] = true
	}
	slices.SortFunc(out, func(a, b *pair) int { return strings.Compare(a.key, b.key) })
	return out
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

const own, public = "own", "public"

// The corpora are as large as docs/healing.md says, each half of them too, and each pair says what it is about.
func TestCorpora(t *testing.T) {
	for _, c := range []struct {
		corpus            string
		there, gone, half int
	}{{own, 60, 30, 45}, {public, 110, 40, 75}} {
		var there, gone, dev int
		pairs := load(t, c.corpus)
		for _, p := range pairs {
			if p.Step == "" || p.At == "" || p.corpus == own && (p.Kind == "" || p.Change == "") || p.corpus == public && !p.Gone && p.Now == "" {
				t.Errorf("%s lacks its step, its control, its kind or its change", p.key)
			}
			if p.Gone {
				gone++
			} else {
				there++
			}
			if p.dev() {
				dev++
			}
		}
		if there < c.there || gone < c.gone || dev < c.half || len(pairs)-dev < c.half {
			t.Errorf("%s has %d pairs whose control is there, %d whose is gone; rules are developed on %d", c.corpus, there, gone, dev)
		}
		t.Logf("%s: %d there, %d gone, %d of them to develop rules on", c.corpus, there, gone, dev)
	}
}
