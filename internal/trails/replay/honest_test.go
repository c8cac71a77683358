package replay

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/webtest"
)

// honest is a page, what a trail does on it, and how that must end. Each case is a way in which a replay tool can lie
// or give up.
type honest struct {
	name    string
	page    string
	calls   []string      // of one step after the navigation
	outcome event.Outcome // "" is any but passed
	says    string        // a part of what the failure tells
}

// honestCases reads testdata/honest: the cases by the name of their file. A case is a comment, with its name, its outcome
// and a part of the failure, and its calls, and then the page. {{base}} is the test server, {{other}} the same one as another
// origin, {{counts}} a script whose done() says "Done once" the first time and something else after that.
func honestCases(t *testing.T) map[string][]honest {
	t.Helper()
	const dir = "testdata/honest/"
	counts := string(readFile(t, dir+"pages/counts.html"))
	files, err := filepath.Glob(dir + "*.html")
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: no cases: %v", dir, err)
	}
	cases := map[string][]honest{}
	for _, file := range files {
		group := strings.TrimSuffix(filepath.Base(file), ".html")
		_, text, _ := strings.Cut(string(readFile(t, file)), "<!-- case: ")
		for text := range strings.SplitSeq(text, "\n<!-- case: ") {
			head, page, ok := strings.Cut(text, "\n-->\n")
			lines := strings.Split(head, "\n")
			if !ok || len(lines) < 3 {
				t.Fatalf("%s: case %q lacks its outcome, its calls or the end of its comment", file, lines[0])
			}
			h := honest{name: lines[0], calls: lines[2:]}
			h.page = strings.ReplaceAll(strings.TrimSuffix(page, "\n"), "{{counts}}", counts)
			outcome, says, _ := strings.Cut(lines[1], ": ")
			h.outcome, h.says = event.Outcome(outcome), says
			switch h.outcome {
			case event.Passed, event.Failed, event.Undecided, event.Broken:
			case "not passed":
				h.outcome = ""
			default:
				t.Fatalf("%s: case %q ends as %q", file, h.name, outcome)
			}
			cases[group] = append(cases[group], h)
		}
	}
	return cases
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

var whole = flag.Bool("all", false, "play every case of TestHonestGreen, and not one in three (`make honest`)")

// TestHonestGreen plays its cases on a real browser, each on a device that holds nothing of the others.
func TestHonestGreen(t *testing.T) {
	groups, pages := honestCases(t), map[string]string{}
	for _, name := range []string{"stuck", "outer", "inner", "refresh", "replace"} {
		pages["/"+name] = string(readFile(t, "testdata/honest/pages/"+name+".html"))
	}
	for _, group := range groups {
		for _, h := range group {
			pages[h.path()] = "<!doctype html><title>t</title><body>" + h.page
		}
	}
	b := newBed(t, pages)
	b.player.Screenshots = Off // nobody looks at seven hundred of them
	pool := webtest.Pool(t, b.device, b.base, otherName(b.base))
	t.Cleanup(func() {
		if err := pool.Close(); err != nil {
			t.Error(err)
		}
	})
	for name, group := range groups {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for i, h := range group {
				if !*whole && i%3 != 0 {
					continue
				}
				t.Run(h.name, func(t *testing.T) {
					t.Parallel()
					b.judge(t, pool.Acquire(t), h)
				})
			}
		})
	}
}

func (h honest) path() string {
	return "/" + strings.NewReplacer(" ", "-", ",", "", ":", "").Replace(h.name)
}

func (b *bed) judge(t *testing.T, dev driver.Device, h honest) {
	t.Helper()
	var text strings.Builder
	text.WriteString("config: {title: honest}\ntrail:\n  - step: Open\n    recording:\n      web:\n        - web_navigate: {url: \"{{base}}" + h.path() + "\"}\n")
	text.WriteString("  - step: Do\n    recording:\n      web:\n")
	for _, call := range h.calls {
		text.WriteString("        - " + call + "\n")
	}
	out, _ := b.playOn(t, dev, text.String())
	if out.Outcome != h.outcome && (h.outcome != "" || out.Outcome == event.Passed) {
		t.Fatalf("%s, want %s; failure: %+v", out.Outcome, h.outcome, out.Failure)
	}
	if h.says == "" {
		return
	}
	f := out.Failure
	all := f.Message + "\n" + f.Hint + "\nlooked for: " + f.Looked + "\nnearest: " + strings.Join(f.Candidates, "\n") + "\n" + strings.Join(f.Log, "\n")
	if !strings.Contains(all, h.says) {
		t.Errorf("the failure does not say %q: %+v", h.says, f)
	}
}
