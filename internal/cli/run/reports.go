package run

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
	"github.com/trailblaze-dev/trailblaze/internal/trails/replay"
	"github.com/trailblaze-dev/trailblaze/internal/trails/report"
)

// outputs says in which other forms a report is written.
type outputs struct {
	junit    string
	ctrf     string
	markdown string
	format   string
}

const (
	formatText   = "text"
	formatGitHub = "github"
)

func (o *outputs) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.junit, "junit", "", "write JUnit XML to this `file`")
	f.StringVar(&o.ctrf, "ctrf", "", "write the Common Test Report Format (JSON) to this `file`")
	f.StringVar(&o.markdown, "markdown", "", "write a summary in Markdown to this `file`")
	f.StringVar(&o.format, "format", formatText, "`form` of what is printed: text, or github: annotations too, and a "+
		"summary of the job")
	shell.Exclusive(cmd, [2]string{"format", "json"})
}

// check refuses a form that is not known.
func (o *outputs) check() error {
	if o.format != formatText && o.format != formatGitHub {
		return fault.New(fault.Invalid, "read command line", "--format %q is not text or github", o.format)
	}
	return nil
}

// asked reports whether there is any.
func (o *outputs) asked() bool {
	return o.junit != "" || o.ctrf != "" || o.markdown != "" || o.format == formatGitHub
}

// write writes the files, and for GitHub the summary of the job. It returns what is to be printed for GitHub.
func (o *outputs) write(r *report.Report, env func(string) string) (annotations string, err error) {
	for _, out := range []struct {
		path  string
		write func(io.Writer, *report.Report) error
	}{{o.junit, report.WriteJUnit}, {o.ctrf, report.WriteCTRF}, {o.markdown, report.WriteMarkdown}} {
		if out.path == "" {
			continue
		}
		if err := writeWith(out.path, public, func(w io.Writer) error { return out.write(w, r) }); err != nil {
			return "", err
		}
	}
	if o.format != formatGitHub {
		return "", nil
	}
	var b strings.Builder
	if err := report.WriteAnnotations(&b, r); err != nil {
		return "", err
	}
	return b.String(), appendSummary(env("GITHUB_STEP_SUMMARY"), r)
}

// appendSummary adds a report to the summary of a GitHub job, which earlier steps may have written to.
func appendSummary(path string, r *report.Report) error {
	if path == "" {
		return nil
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, public)
	if err != nil {
		return fault.Wrap(err, fault.Unavailable, "write summary of the job")
	}
	return fault.Wrap(errors.Join(report.WriteMarkdown(f, r), f.Close()), fault.Unavailable, "write summary of the job")
}

// writeReports makes the reports of a run. A report that cannot be written is a note and costs the exit status, but
// the results are printed all the same.
func (c *runCmd) writeReports(results []replay.JobResult, doc *runDoc) {
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
		c.annotations, err = c.outputs.write(r, c.Getenv)
		doc.JUnit, doc.CTRF, doc.Markdown = c.junit, c.ctrf, c.markdown
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

// The modes of what is written: in the home only its user reads it, elsewhere the folder decides.
const (
	public  fs.FileMode = 0o644
	private fs.FileMode = 0o600
)

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

// writeWith writes a file in pieces; a reader never sees half of it.
func writeWith(path string, mode fs.FileMode, write func(io.Writer) error) error {
	return fault.Wrap(file.ReplaceBy(path, mode, write), fault.Unavailable, "write file")
}

func writeFile(path string, data []byte) error {
	return fault.Wrap(file.ReplaceAs(path, public, data), fault.Unavailable, "write file")
}
