package run

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
	"github.com/trailblaze-dev/trailblaze/internal/trails/report"
)

// outputs says in which other forms a report is written.
type outputs struct {
	junit      string
	ctrf       string
	markdown   string
	storyboard string
	format     string
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
	f.StringVar(&o.storyboard, "storyboard", "", "draw each step with its picture into this `file`: .png (what one sheet "+
		"cannot hold goes into -2.png, …), or .webm or .gif, which ffmpeg makes")
	f.StringVar(&o.format, "format", formatText, "`form` of what is printed: text, or github: annotations too, and a "+
		"summary of the job")
	shell.Offer(cmd, "format", formatText, formatGitHub)
	shell.Exclusive(cmd, [2]string{"format", "json"})
}

// check refuses a form that is not known, and one that this machine cannot write.
func (o *outputs) check() error {
	if o.format != "" && o.format != formatText && o.format != formatGitHub { // demo and eval have no such flag
		return fault.New(fault.Invalid, "read command line", "--format %q is not text or github", o.format)
	}
	return checkStoryboard(o.storyboard)
}

// asked reports whether there is any.
func (o *outputs) asked() bool {
	return o.junit != "" || o.ctrf != "" || o.markdown != "" || o.storyboard != "" ||
		o.format == formatGitHub
}

// write writes the files, and for GitHub the summary of the job. It returns what is to be printed for GitHub.
func (o *outputs) write(ctx context.Context, r *report.Report, env func(string) string) (annotations string,
	err error,
) {
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
	if o.storyboard != "" {
		if err := writeStoryboard(ctx, o.storyboard, r); err != nil {
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

// The modes of what is written: in the home only its user reads it, elsewhere the folder decides.
const (
	public  fs.FileMode = 0o644
	private fs.FileMode = 0o600
)

// writeWith writes a file in pieces; a reader never sees half of it.
func writeWith(path string, mode fs.FileMode, write func(io.Writer) error) error {
	return fault.Wrap(file.ReplaceBy(path, mode, write), fault.Unavailable, "write file")
}

func writeFile(path string, data []byte) error {
	return fault.Wrap(file.ReplaceAs(path, public, data), fault.Unavailable, "write file")
}
