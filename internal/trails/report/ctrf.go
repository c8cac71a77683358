package report

import (
	"encoding/json"
	"io"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
)

// The fields are those of the Common Test Report Format 0.0.0 (ctrf.io). Times are milliseconds, points in time since
// 1970.
type (
	ctrf struct {
		Format  string      `json:"reportFormat"`
		Version string      `json:"specVersion"`
		Results ctrfResults `json:"results"`
	}
	ctrfResults struct {
		Tool    ctrfTool    `json:"tool"`
		Summary ctrfSummary `json:"summary"`
		Tests   []ctrfTest  `json:"tests"`
	}
	ctrfTool struct {
		Name    string `json:"name"`
		Version string `json:"version,omitempty"`
	}
	ctrfSummary struct {
		Tests   int   `json:"tests"`
		Passed  int   `json:"passed"`
		Failed  int   `json:"failed"`
		Pending int   `json:"pending"`
		Skipped int   `json:"skipped"`
		Other   int   `json:"other"`
		Flaky   int   `json:"flaky"`
		Start   int64 `json:"start"`
		Stop    int64 `json:"stop"`
	}
	ctrfTest struct {
		Name     string     `json:"name"`
		Status   string     `json:"status"`
		Raw      string     `json:"rawStatus"`
		Duration int64      `json:"duration"`
		Start    int64      `json:"start,omitempty"`
		Stop     int64      `json:"stop,omitempty"`
		Message  string     `json:"message,omitempty"`
		Trace    string     `json:"trace,omitempty"`
		Line     int        `json:"line,omitempty"`
		File     string     `json:"filePath,omitempty"`
		Tags     []string   `json:"tags,omitempty"`
		Retries  int        `json:"retries"`
		Flaky    bool       `json:"flaky"`
		Browser  string     `json:"browser,omitempty"`
		Device   string     `json:"device,omitempty"`
		Steps    []ctrfStep `json:"steps,omitempty"`
	}
	ctrfStep struct {
		Name   string `json:"name"`
		Status string `json:"status"`
	}
)

// WriteCTRF writes the report in the Common Test Report Format.
func WriteCTRF(w io.Writer, r *Report) error {
	res := ctrfResults{Tool: ctrfTool{"trailblaze", r.Version}, Tests: []ctrfTest{}}
	if !r.Started.IsZero() {
		res.Summary.Start = r.Started.UnixMilli()
		res.Summary.Stop = res.Summary.Start + int64(r.DurationMS)
	}
	for _, t := range r.Trails {
		c := ctrfCase(t)
		res.Summary.Tests++
		switch c.Status {
		case "passed":
			res.Summary.Passed++
		case "skipped":
			res.Summary.Skipped++
		default:
			res.Summary.Failed++
		}
		if c.Flaky {
			res.Summary.Flaky++
		}
		res.Tests = append(res.Tests, c)
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return fault.Wrap(enc.Encode(ctrf{"CTRF", "0.0.0", res}), fault.Unavailable, "write CTRF report")
}

func ctrfCase(t Trail) ctrfTest {
	c := ctrfTest{Name: caseName(t), Status: ctrfStatus(t.Outcome), Raw: string(t.Outcome), Duration: int64(t.DurationMS),
		Message: t.Reason, File: t.Path, Tags: t.Tags, Retries: max(len(t.Attempts)-1, 0), Flaky: t.Outcome == event.Flaky}
	if c.Status == "failed" {
		f := failure(t)
		c.Message, c.Trace = f.Message, f.Text
	}
	if len(t.Attempts) == 0 {
		return c
	}
	first, last := t.Attempts[0], t.Attempts[len(t.Attempts)-1]
	c.Start = first.Started.UnixMilli()
	c.Stop = last.Started.Add(time.Duration(last.DurationMS) * time.Millisecond).UnixMilli()
	c.Browser, c.Device = last.Browser, last.Device
	for _, s := range last.Steps {
		c.Steps = append(c.Steps, ctrfStep{firstLine(s.Text), ctrfStatus(s.Outcome)})
	}
	if s := failedStep(last); s != nil {
		c.Line = s.Line
	}
	return c
}

// ctrfStatus returns the status of an outcome. What could not be decided has failed: readers of the format let "other"
// pass.
func ctrfStatus(o event.Outcome) string {
	switch o {
	case event.Passed, event.Healed, event.Flaky:
		return "passed"
	case event.Skipped:
		return "skipped"
	case event.Failed, event.Broken, event.Canceled, event.Undecided:
		return "failed"
	}
	return "failed"
}
