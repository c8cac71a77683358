package run

import (
	"context"
	"io"
	"os"
	"path/filepath"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/internal/trails/replay"
	"github.com/trailblaze-dev/trailblaze/internal/trails/report"
)

// writeReports makes the reports of a run. A report that cannot be written is a note and costs the exit status, but
// the results are printed all the same.
func (c *runCmd) writeReports(ctx context.Context, results []replay.JobResult, doc *runDoc) {
	if c.noLogging || c.noReport && !c.asked() {
		return
	}
	r, err := report.Build(c.reportInput(results, doc.Notes))
	if err == nil && !c.noReport {
		dir := c.reportDir
		if dir == "" {
			dir = filepath.Join(c.cfg.Reports(), c.id)
		}
		doc.Report, doc.JSON, err = writeReport(dir, r, c.reportDir == "")
	}
	if err == nil {
		c.annotations, err = c.outputs.write(ctx, r, c.Getenv)
		doc.JUnit, doc.CTRF, doc.Markdown, doc.Storyboard = c.junit, c.ctrf, c.markdown, c.storyboard
	}
	if err != nil {
		doc.Notes = append(doc.Notes, "the report could not be written: "+err.Error())
		doc.ExitCode = int(shell.Worst(shell.Code(doc.ExitCode), shell.ExitBroken))
	}
}

// reportInput lists the sessions, and the jobs that never had one.
func (c *runCmd) reportInput(results []replay.JobResult, notes []string) report.Input {
	in := report.Input{ID: c.id, Title: c.title(results), Notes: notes}
	for _, r := range results {
		kept := false
		for _, a := range r.Attempts {
			if a.Dir != "" {
				in.Sessions = append(in.Sessions, a.Dir)
				kept = true
			}
		}
		if !kept {
			last := r.Last().Result
			in.Extra = append(in.Extra, report.Trail{
				Path: r.Job.Path, Title: jobTitle(r.Job), Repeat: r.Job.Repeat, Device: r.Job.Device.ID, Outcome: r.Outcome,
				Reason:  last.Reason,
				Failure: last.Failure,
			})
		}
	}
	return in
}

func (c *runCmd) title(results []replay.JobResult) string {
	switch {
	case c.name != "":
		return c.name
	case len(results) == 1:
		return jobTitle(results[0].Job)
	}
	return filepath.Base(c.root)
}

// writeReport writes the page and its JSON into dir, which may be in the home, and returns their paths.
func writeReport(dir string, r *report.Report, inHome bool) (html, json string, err error) {
	html, json = filepath.Join(dir, "report.html"), filepath.Join(dir, "report.json")
	mode := public
	if inHome {
		mode = private
	} else if err := ownReport(html); err != nil {
		return "", "", err
	}
	if err := writeWith(html, mode,
		func(w io.Writer) error { return report.WriteHTML(w, r, report.HTMLOptions{}) }); err != nil {
		return "", "", err
	}
	if err := writeWith(json, mode, func(w io.Writer) error { return report.WriteJSON(w, r) }); err != nil {
		return "", "", err
	}
	return html, json, nil
}

// ownReport refuses to write a report over a page that is no report: it may be a person's work.
func ownReport(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return nil //nolint:nilerr // nothing is there, or writing tells why not
	}
	defer func() { _ = f.Close() }()
	head := make([]byte, 1<<10)
	n, _ := io.ReadFull(f, head)
	if n == 0 || report.IsReport(head[:n]) {
		return nil
	}
	return fault.New(fault.Conflict, "write report", "%s is a page that no report wrote", path).
		WithHint("Name another folder, or remove the page.")
}
