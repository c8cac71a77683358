package report_test

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/trails/report"
	"github.com/trailblaze-dev/trailblaze/internal/trails/report/ui/gen/bundle"
)

// page writes a scene's report and returns the file.
func page(t *testing.T, s *scene, o report.HTMLOptions) string {
	t.Helper()
	r, err := report.Build(report.Input{ID: "run", Title: "Shop, every night", Sessions: s.dirs})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := report.WriteHTML(&b, r, o); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "report.html")
	if keep := os.Getenv("REPORT_OUT"); keep != "" { // for looking at it by eye
		file = keep
	}
	if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// dom opens the file in a real browser and returns what it made of it.
func dom(t *testing.T, file string) string {
	t.Helper()
	browser, err := exec.LookPath(cmp.Or(os.Getenv("TRAILBLAZE_BROWSER"), "chromium"))
	if err != nil {
		t.Skip("no chromium on this machine")
	}
	ctx := t.Context()
	args := []string{"--headless=new", "--disable-gpu", "--window-size=1400,900", "--virtual-time-budget=3000",
		"--user-data-dir=" + t.TempDir(), "--dump-dom", "file://" + file}
	if os.Geteuid() == 0 {
		args = append([]string{"--no-sandbox"}, args...)
	}
	out, err := exec.CommandContext(ctx, browser, args...).Output()
	if err != nil {
		t.Fatalf("open %s: %v", file, err)
	}
	text := string(out)
	if !strings.Contains(text, `data-ready="true"`) {
		t.Fatalf("the page never got ready:\n%.3000s", text)
	}
	return text
}

// shown is the document without what it was made from.
func shown(dom string) string {
	return regexp.MustCompile(`(?s)<(script|style)\b.*?</(script|style)>`).ReplaceAllString(dom, "")
}

func TestPageTellsTheFailureFirst(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.run()
	got := shown(dom(t, page(t, s, report.HTMLOptions{})))
	for _, want := range []string{
		"It is not there", "Looked for", "Nearest on the screen", "Since the last green run", "What was tried (3)", "What the screen said when it failed",
		`data:image/png;base64,`, `class="box"`, "Attempt 2", "1</b> flaky",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the page does not show %q", want)
		}
	}
}

// TestPageTellsWarningsBesideTheFailure proves that what went wrong below the screen stands where a reader looks for
// the cause, before the calls and the picture.
func TestPageTellsWarningsBesideTheFailure(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.add(playing{path: "a.trail.yaml", title: "A", attempt: 1, steps: 2, failAt: 1, outcome: event.Failed, failure: notThere(),
		note: "POST /save was answered with HTTP status 500"})
	got := shown(dom(t, page(t, s, report.HTMLOptions{})))
	note, calls := strings.Index(got, "POST /save was answered"), strings.Index(got, `aria-label="Calls"`)
	if note < 0 || calls < 0 || note > calls {
		t.Errorf("the warning is at %d, the calls at %d; want it before them", note, calls)
	}
}

// TestPageKeepsDirections: a sentence has the direction of its own letters, and so has each name that a message quotes.
func TestPageKeepsDirections(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.add(playing{path: "a.trail.yaml", title: "שלום", attempt: 1, steps: 2, failAt: 1, outcome: event.Failed,
		failure: &fault.Failure{Kind: "not_found", Message: `find element: nothing matches button "אישור" of "a"`}})
	got := shown(dom(t, page(t, s, report.HTMLOptions{})))
	for _, want := range []string{
		`<h1><bdi>Shop, every night</bdi> <span`, `<h2 dir="auto">שלום</h2>`,
		`matches button <bdi>"אישור"</bdi> of <bdi>"a"</bdi></p>`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the page has no %s", want)
		}
	}
}

// TestPageShowsThePrice: the head shows the number of questions and the cost, before what may not fit beside it; a step
// and the trail show all of it.
func TestPageShowsThePrice(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.run()
	got := shown(dom(t, page(t, s, report.HTMLOptions{})))
	for _, want := range []string{`class="facts" title="[^"]*tokens in[^"]*"[^>]*>[^<]* · \d+ questions, \$0\.0\d+`,
		`A model took part: 2 questions to lab/actor, lab/judge, 2400 tokens in \(1500 cached\), 50 out, \$0\.0030; of these the judge: 1 question`} {
		if !regexp.MustCompile(want).MatchString(got) {
			t.Errorf("the page does not show %q", want)
		}
	}
}

// TestPageShowsLanes: each actor has a lane with a bar for each of its steps.
func TestPageShowsLanes(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.add(playing{path: "a.trail.yaml", title: "A", attempt: 1, steps: 5, failAt: -1, outcome: event.Passed, actors: []string{"alice", "bob"}})
	got := shown(dom(t, page(t, s, report.HTMLOptions{})))
	for name, n := range map[string]int{"alice": 3, "bob": 2} {
		lane := regexp.MustCompile(`<span>` + name + `</span><span class="lane">(.*?)</span>`).FindStringSubmatch(got)
		if lane == nil || strings.Count(lane[1], `<button type="button" class="passed" aria-label="`+name+`: `) != n {
			t.Errorf("the lane of %s has not %d bars: %v", name, n, lane)
		}
	}
}

// TestPageNamesThePlatform: a phone has a system and a screen where a browser has a version and a viewport.
func TestPageNamesThePlatform(t *testing.T) {
	t.Parallel()
	for platform, want := range map[string][]string{
		"web": {"browser", "viewport", "3 changes in the page"}, "android": {"system", "screen", "3 changes on the screen"},
	} {
		s := newScene(t)
		s.add(playing{path: "a.trail.yaml", title: "A", attempt: 1, steps: 1, failAt: -1, outcome: event.Passed, platform: platform})
		got := shown(dom(t, page(t, s, report.HTMLOptions{})))
		if !strings.Contains(got, "<dt>"+want[0]+"</dt><dd>Chromium 142</dd><dt>"+want[1]+"</dt><dd>1280 × 800</dd>") || !strings.Contains(got, want[2]) {
			t.Errorf("the page of %s does not name %v", platform, want)
		}
		r, err := report.Build(report.Input{Sessions: s.dirs})
		if err != nil {
			t.Fatal(err)
		}
		if junit := written(t, r, report.WriteJUnit); strings.Count(junit, "trailblaze."+want[0]) != 2 || r.Platform != platform {
			t.Errorf("of %s, %q: %s", platform, r.Platform, junit)
		}
	}
}

// TestPageTextIsData proves that what a screen or a trail said stays text: no element, no script, in no encoding.
func TestPageTextIsData(t *testing.T) {
	t.Parallel()
	for _, plain := range []bool{true, false} {
		s := newScene(t)
		s.add(playing{path: evil, title: evil, attempt: 1, steps: 3, failAt: 2, outcome: event.Failed,
			failure: &fault.Failure{Kind: "assertion", Message: evil, Looked: evil, Candidates: []string{evil}, SinceGreen: []string{evil},
				Log: []string{evil}, Hint: evil}})
		file := page(t, s, report.HTMLOptions{Plain: plain})
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(source, []byte("<img src=x")) {
			t.Error("page text is markup in the file")
		}
		got := shown(dom(t, file))
		if strings.Contains(got, "<img src=\"x\"") || strings.Contains(got, "<title>owned") {
			t.Error("page text became an element")
		}
		if !strings.Contains(got, "&lt;/script&gt;") {
			t.Error("page text is not shown")
		}
	}
}

// TestPageMakesNoConnection proves what the page promises: a policy without any source but itself, and no address in
// it.
func TestPageMakesNoConnection(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.run()
	data, err := os.ReadFile(page(t, s, report.HTMLOptions{}))
	if err != nil {
		t.Fatal(err)
	}
	head, _, _ := strings.Cut(string(data), "</head>")
	if !strings.Contains(head, `content="default-src 'none'; script-src 'sha256-`) {
		t.Error("the content security policy is missing")
	}
	if m := regexp.MustCompile(`(?i)\b(src|href)="https?:`).FindString(string(data)); m != "" {
		t.Errorf("the page refers to the network: %s", m)
	}
}

// TestPageWithFiveThousandSteps proves that a long run opens quickly and draws only what is in view.
func TestPageWithFiveThousandSteps(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.add(playing{path: "long.trail.yaml", title: "Five thousand steps", attempt: 1, steps: 5000, failAt: 4321, outcome: event.Failed, failure: notThere()})
	file := page(t, s, report.HTMLOptions{})
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > 2<<20 {
		t.Errorf("the file has %d bytes, want less than 2 MB", info.Size())
	}
	got := shown(dom(t, file))
	if rows := strings.Count(got, `class="row"`); rows < 10 || rows > 100 {
		t.Errorf("%d rows are drawn, want only those in view", rows)
	}
	if !strings.Contains(got, "time 4322") || !strings.Contains(got, `aria-setsize="4322"`) {
		t.Error("the failed step is not in view")
	}
}

// TestPicturesFit proves that the file stays small and that the pictures of failures come first.
func TestPicturesFit(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.run()
	data, err := os.ReadFile(page(t, s, report.HTMLOptions{MaxImageBytes: 3000, Plain: true}))
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(data, []byte("data-picture=")); n < 1 || n > 3 {
		t.Errorf("%d pictures are embedded, want one or two", n)
	}
	if !bytes.Contains(data, []byte("pictures were left out")) {
		t.Error("the page does not say that pictures were left out")
	}
}

// TestThousandPictures: a report of 1,000 pictures as large as those of the sample shop has all of them, and opens from its
// file. Its size is above the 40 MB that are wanted: the pictures alone are 52.
func TestThousandPictures(t *testing.T) {
	t.Parallel()
	const steps, size = 1000, 52_000
	s := newScene(t)
	s.add(playing{path: "a.trail.yaml", title: "Long", attempt: 1, steps: steps, failAt: steps - 1, outcome: event.Failed, failure: notThere(),
		pictures: true, pictureSize: size})
	file := page(t, s, report.HTMLOptions{})
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("the report takes %.1f MB", float64(info.Size())/1e6)
	if got := shown(dom(t, file)); strings.Contains(got, "left out") || !strings.Contains(got, `data:image/png;base64,`) {
		t.Error("the page does not show the picture of the failure, or says that others were left out")
	}
}

// TestBundlesAreSmall: what the report and the viewer load takes 150 kB at most, compressed.
func TestBundlesAreSmall(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"report", "app"} {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		for _, ext := range []string{".js", ".css"} {
			data, err := os.ReadFile(filepath.Join("ui/dist", name+ext))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := z.Write(data); err != nil {
				t.Fatal(err)
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		if b.Len() > 150_000 {
			t.Errorf("%s takes %d bytes compressed", name, b.Len())
		}
	}
}

// TestBundleIsCurrent proves that the embedded page is what ui/src says. It needs the npm packages, which CI installs.
func TestBundleIsCurrent(t *testing.T) {
	if _, err := os.Stat("ui/node_modules/preact"); err != nil {
		t.Skip("the npm packages are not installed; see go:generate in html.go")
	}
	files, err := bundle.Build("ui")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join("ui/dist", name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("ui/dist/%s is out of date; run go generate ./internal/trails/report", name)
		}
	}
}

func BenchmarkFiveThousandSteps(b *testing.B) {
	s := newScene(b)
	s.add(playing{path: "long.trail.yaml", title: "Five thousand steps", attempt: 1, steps: 5000, failAt: -1, outcome: event.Passed})
	for b.Loop() {
		r, err := report.Build(report.Input{Sessions: s.dirs})
		if err != nil {
			b.Fatal(err)
		}
		var out bytes.Buffer
		if err := report.WriteHTML(&out, r, report.HTMLOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}
