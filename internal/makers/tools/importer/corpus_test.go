package importer_test

import (
	"cmp"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/importer"
	"github.com/trailblaze-dev/trailblaze/trail"
)

var corpus = flag.String("corpus", "", "folder of public flows of Maestro and tests of Playwright, to count what is imported")

var variablePart = regex.Lazy(`\$\{.*?\} |^[^:]*(\bis CSS\b|\bis no CSS\b)|: .*$`)

// TestCorpus counts what is imported of public flows and tests. Every trail that it makes must be a valid one.
func TestCorpus(t *testing.T) {
	if *corpus == "" {
		t.Skip("-corpus names a folder; see docs/import.md")
	}
	for _, kind := range []string{"maestro", "playwright"} {
		flows, commands, imported, whole := 0, 0, 0, 0
		reasons := map[string]int{}
		_ = filepath.WalkDir(filepath.Join(*corpus, kind), func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			for _, f := range read(t, kind, name, string(data)) {
				if f.Commands == 0 {
					continue
				}
				flows, commands, imported = flows+1, commands+f.Commands, imported+f.Imported()
				if len(f.Left) == 0 {
					whole++
				}
				for _, l := range f.Left {
					reasons[variablePart().ReplaceAllString(l.Reason, "$1")]++
					if testing.Verbose() {
						t.Logf("%s:%d: %s: %s", name, l.Pos.Line, l.Text, l.Reason)
					}
				}
				text, err := trail.Encode(f.Trail)
				if err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				if _, problems := trail.Parse(name, text, trail.Strict); problems.Err() != nil {
					t.Errorf("%s: %v\n%s", name, problems.Err(), text)
				}
			}
			return nil
		})
		fmt.Printf("%s: %d flows, %d of them whole; %d commands, %d imported (%.1f %%)\n", kind, flows, whole, commands, imported,
			100*float64(imported)/float64(max(commands, 1)))
		for _, r := range slices.SortedFunc(maps.Keys(reasons), func(a, b string) int { return cmp.Or(reasons[b]-reasons[a], strings.Compare(a, b)) }) {
			fmt.Printf("  %4d %s\n", reasons[r], r)
		}
	}
}

// read reads a file of a kind. What is no flow gives none.
func read(t *testing.T, kind, name, text string) []*importer.Flow {
	if kind == "playwright" {
		return importer.Playwright(name, text, options)
	}
	if ext := filepath.Ext(name); ext != ".yaml" && ext != ".yml" {
		return nil
	}
	f, problems := importer.Maestro(name, text, options)
	if f == nil {
		t.Logf("%s: %v", name, problems.Err())
		return nil
	}
	return []*importer.Flow{f}
}
