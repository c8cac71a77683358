package report_test

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/trails/report"
)

func written(t *testing.T, r *report.Report, write func(io.Writer, *report.Report) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestCTRF: what did not pass has failed, whatever the reason, and a later pass is flaky.
func TestCTRF(t *testing.T) {
	t.Parallel()
	type test struct {
		Name, Status, RawStatus, Message, FilePath string
		Line, Retries                              int
		Flaky                                      bool
		Start, Stop, Duration                      int64
	}
	var got struct {
		ReportFormat, SpecVersion string
		Results                   struct {
			Summary struct{ Tests, Passed, Failed, Skipped, Pending, Other, Flaky, Start, Stop int64 }
			Tests   []test
		}
	}
	if err := json.Unmarshal([]byte(written(t, buildRun(t), report.WriteCTRF)), &got); err != nil {
		t.Fatal(err)
	}
	s := got.Results.Summary
	if got.ReportFormat != "CTRF" || s.Tests != 6 || s.Passed != 2 || s.Failed != 3 || s.Skipped != 1 || s.Flaky != 1 || s.Stop < s.Start ||
		s.Start == 0 {
		t.Errorf("%+v", got)
	}
	red, flaky := got.Results.Tests[1], got.Results.Tests[2]
	if red.Status != "failed" || red.RawStatus != "failed" || red.Message == "" || red.Line == 0 || red.Retries != 1 ||
		red.FilePath != "trails/02-cart.trail.yaml" || red.Stop <= red.Start {
		t.Errorf("%+v", red)
	}
	if flaky.Status != "passed" || !flaky.Flaky || flaky.Retries != 1 {
		t.Errorf("%+v", flaky)
	}
}

// TestTextOfPagesInSummaries: text of a page is neither markup of a summary nor a command to GitHub.
func TestTextOfPagesInSummaries(t *testing.T) {
	t.Parallel()
	r := buildRun(t)
	words := "]] ``` ::error::no | <img src=x> [a](http://x) %0A\n::set-output name=x::y\r\n::stop-commands::z\n```\n# head"
	r.Trails = append(r.Trails, report.Trail{Path: "a:b,c.yaml", Title: words + evil, Outcome: event.Failed,
		Failure: &fault.Failure{Kind: "assertion", Message: words}})
	page := written(t, r, report.WriteMarkdown)
	if !strings.Contains(page, "````text\n") || !strings.Contains(page, `\<img src=x\>`) || !strings.Contains(page, `\| \<img`) {
		t.Errorf("%s", page)
	}
	outside := page
	for _, fence := range []string{"````", "```"} {
		parts := strings.Split(outside, "\n"+fence)
		outside = ""
		for i := 0; i < len(parts); i += 2 { // between the blocks of code
			outside += parts[i] + "\n"
		}
	}
	for line := range strings.SplitSeq(outside, "\n") {
		if strings.HasPrefix(line, "# ") || strings.HasPrefix(line, "::") || strings.Contains(strings.ReplaceAll(line, `\<`, ""), "<") {
			t.Errorf("the page's text is markup: %q", line)
		}
	}
	list := written(t, r, report.WriteAnnotations)
	lines := strings.Split(strings.TrimSuffix(list, "\n"), "\n")
	if len(lines) != 5 || strings.Contains(list, "\r") {
		t.Errorf("%d annotations, want one for each trail that did not pass at first: %s", len(lines), list)
	}
	for _, line := range lines {
		if !strings.HasPrefix(line, "::error title=") && !strings.HasPrefix(line, "::warning title=") {
			t.Errorf("%q", line)
		}
	}
	if !strings.Contains(list, "file=trails/02-cart.trail.yaml,line=") || !strings.Contains(list, "file=a%3Ab%2Cc.yaml::") {
		t.Errorf("%s", list)
	}
}
