package report_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/trails/report"
)

func buildRun(t *testing.T) *report.Report {
	t.Helper()
	s := newScene(t)
	s.run()
	r, err := report.Build(report.Input{ID: "run-1", Title: "Shop", Sessions: s.dirs})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestBuildGroupsAttempts proves that attempts of a trail are one trail, that a later pass is flaky and not green,
// and that a killed run still tells its finished steps.
func TestBuildGroupsAttempts(t *testing.T) {
	t.Parallel()
	r := buildRun(t)
	type row struct {
		Path     string
		Outcome  event.Outcome
		Attempts int
		Steps    int // of the last attempt
	}
	var got []row
	for _, tr := range r.Trails {
		last := tr.Attempts[len(tr.Attempts)-1]
		got = append(got, row{tr.Path, tr.Outcome, len(tr.Attempts), len(last.Steps)})
	}
	want := []row{
		{"trails/01-shop.trail.yaml", event.Passed, 1, 7},
		{"trails/02-cart.trail.yaml", event.Failed, 2, 5},
		{"trails/03-flaky.trail.yaml", event.Flaky, 2, 5},
		{"trails/04-skip.trail.yaml", event.Skipped, 1, 0},
		{"trails/05-killed.trail.yaml", event.Canceled, 1, 4},
		{"trails/06-broken.trail.yaml", event.Broken, 1, 1},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("trails (-want +got):\n%s", d)
	}
	if d := cmp.Diff(report.Counts{Total: 6, Passed: 1, Failed: 1, Broken: 1, Skipped: 1, Canceled: 1, Flaky: 1}, r.Counts); d != "" {
		t.Errorf("counts (-want +got):\n%s", d)
	}
	if r.Outcome != event.Broken || r.Browser != "Chromium 142" || r.Started.IsZero() {
		t.Errorf("run is %s on %q from %s, want error on Chromium 142 with a start", r.Outcome, r.Browser, r.Started)
	}
	killed := r.Trails[4].Attempts[0]
	if killed.Steps[2].Outcome != event.Passed || killed.Steps[3].Outcome != event.Canceled {
		t.Errorf("killed run: steps %s, %s; want the finished one passed and the open one canceled", killed.Steps[2].Outcome, killed.Steps[3].Outcome)
	}
}

func TestBuildKeepsEvidence(t *testing.T) {
	t.Parallel()
	c := buildRun(t).Trails[0].Attempts[0].Steps[0].Calls[0]
	if want := `button "Add to cart" in article "Cedar Mug"`; c.Evidence.Target != want {
		t.Errorf("target %q, want %q", c.Evidence.Target, want)
	}
	if d := cmp.Diff([]string{"focus moved", "3 changes in the page"}, c.Evidence.Changes); d != "" {
		t.Errorf("changes (-want +got):\n%s", d)
	}
}

func TestBuildWithoutSessions(t *testing.T) {
	if _, err := report.Build(report.Input{Sessions: []string{t.TempDir() + "/none"}}); err == nil {
		t.Error("Build of a missing session gives no error")
	}
	r, err := report.Build(report.Input{Extra: []report.Trail{{Path: "x.trail.yaml", Title: "x", Outcome: event.Broken,
		Failure: &fault.Failure{Kind: "invalid", Message: "bad"}}}})
	if err != nil || r.Counts.Broken != 1 || r.Outcome != event.Broken {
		t.Errorf("Build of an unreadable trail = %+v, %v; want one broken trail", r, err)
	}
}

func TestJSONRoundTrip(t *testing.T) {
	t.Parallel()
	r := buildRun(t)
	var b bytes.Buffer
	if err := report.WriteJSON(&b, r); err != nil {
		t.Fatal(err)
	}
	var back report.Report
	if err := json.Unmarshal(b.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	if back.Schema != report.Schema || len(back.Trails) != len(r.Trails) || back.Trails[1].Failure.Looked == "" {
		t.Errorf("read back %s with %d trails, want %s with %d and the failure", back.Schema, len(back.Trails), report.Schema, len(r.Trails))
	}
}

func TestJUnit(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := report.WriteJUnit(&b, buildRun(t)); err != nil {
		t.Fatal(err)
	}
	out := b.String()
	var doc struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Skipped  int `xml:"skipped,attr"`
		Cases    []struct {
			Name    string     `xml:"name,attr"`
			Flaky   []struct{} `xml:"flakyFailure"`
			Rerun   []struct{} `xml:"rerunFailure"`
			Failure *struct {
				Text string `xml:",chardata"`
			} `xml:"failure"`
		} `xml:"testsuite>testcase"`
	}
	if err := xml.Unmarshal(b.Bytes(), &doc); err != nil {
		t.Fatalf("not XML: %v\n%s", err, out)
	}
	if doc.Tests != 6 || doc.Failures != 1 || doc.Errors != 2 || doc.Skipped != 1 || len(doc.Cases) != 6 {
		t.Errorf("tests %d failures %d errors %d skipped %d, want 6 1 2 1", doc.Tests, doc.Failures, doc.Errors, doc.Skipped)
	}
	if c := doc.Cases[1]; c.Failure == nil || len(c.Rerun) != 1 || !strings.Contains(c.Failure.Text, "nearest:") {
		t.Errorf("failed trail lacks its failure, its rerun or the nearest candidates:\n%s", out)
	}
	if c := doc.Cases[2]; c.Failure != nil || len(c.Flaky) != 1 {
		t.Errorf("flaky trail must have one flakyFailure and no failure:\n%s", out)
	}
	for _, want := range []string{`<property name="trailblaze.attempts" value="2"`, `<skipped message="blocked on APP-77"`, "attempt 1: passed"} {
		if !strings.Contains(out, want) {
			t.Errorf("JUnit lacks %s", want)
		}
	}
}

// TestPrice proves that what questions to a model took is told of the step that failed, of its trail and of the whole, and
// that the judge's part is told apart.
func TestPrice(t *testing.T) {
	t.Parallel()
	r := buildRun(t)
	judge := event.Usage{Model: "lab/judge", Questions: 1, InputTokens: 400, OutputTokens: 10, CostUSD: 0.001}
	want := event.Price{Judge: &judge,
		Usage: event.Usage{Model: "lab/actor, lab/judge", Questions: 2, InputTokens: 2400, CachedInputTokens: 1500, OutputTokens: 50, CostUSD: 0.003}}
	asked := 0
	for _, x := range r.Trails {
		for _, a := range x.Attempts {
			for _, s := range a.Steps {
				if s.Price == nil {
					continue
				}
				asked++
				if d := cmp.Diff(&want, s.Price); d != "" || s.Outcome == event.Passed {
					t.Errorf("%s, step %d, %s: %s", x.Title, s.Index, s.Outcome, d)
				}
			}
		}
	}
	if asked == 0 || r.Price == nil || r.Price.Questions != 2*asked || r.Price.Judge.InputTokens != 400*asked {
		t.Errorf("%d steps asked, all: %+v", asked, r.Price)
	}
	var b bytes.Buffer
	if err := report.WriteJUnit(&b, r); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{`"trailblaze.questions" value="2"`, `"trailblaze.tokens.in" value="2400"`, `"trailblaze.tokens.cached" value="1500"`,
		`"trailblaze.cost.usd" value="0.003000"`, `.model" value="lab/actor, lab/judge"`, `.judge.tokens.in" value="400"`, `"trailblaze.step.`} {
		if !strings.Contains(b.String(), p) {
			t.Errorf("JUnit lacks %s", p)
		}
	}
}

// TestReportByDevice proves that a trail has a row for each device, that what is flaky on one is not so on another, and
// that JUnit tells them apart. A run on one device says nothing of it.
func TestReportByDevice(t *testing.T) {
	s := newScene(t)
	for _, device := range []string{"android/p1", "web"} {
		first := event.Passed
		if device == "web" {
			first = event.Failed
		}
		s.add(playing{path: "a.trail.yaml", title: "A", device: device, attempt: 1, steps: 1, failAt: -1, outcome: first})
	}
	s.add(playing{path: "a.trail.yaml", title: "A", device: "web", attempt: 2, steps: 1, failAt: -1, outcome: event.Passed})
	r, err := report.Build(report.Input{Sessions: s.dirs})
	if err != nil {
		t.Fatal(err)
	}
	want := []report.Device{
		{ID: "android/p1", Counts: report.Counts{Total: 1, Passed: 1}}, {ID: "web", Counts: report.Counts{Total: 1, Flaky: 1}},
	}
	if d := cmp.Diff(want, r.Devices); d != "" {
		t.Errorf("devices (-want +got):\n%s", d)
	}
	var b strings.Builder
	if err := report.WriteJUnit(&b, r); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{`testcase name="A [android/p1]"`, `testcase name="A [web]"`} {
		if strings.Count(b.String(), name) != 1 {
			t.Errorf("JUnit has no single %s:\n%s", name, &b)
		}
	}
	one, err := report.Build(report.Input{Sessions: s.dirs[1:]})
	if err != nil {
		t.Fatal(err)
	}
	if len(one.Devices) > 0 || len(one.Trails) != 1 || one.Trails[0].Device != "" {
		t.Errorf("on one device: %+v, %+v", one.Devices, one.Trails)
	}
}
