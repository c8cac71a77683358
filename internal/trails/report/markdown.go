package report

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
)

// mostListed bounds the trails that a summary lists: GitHub takes 1 MiB for each job.
const mostListed = 500

// WriteMarkdown writes a summary of the report: a table of the trails, then why some did not pass.
func WriteMarkdown(w io.Writer, r *Report) error {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s: %s\n\n%s in %s\n\n", markdown(r.Title), r.Outcome, countsText(r.Counts),
		duration(r.DurationMS))
	b.WriteString("| trail | outcome | attempts | time |\n|---|---|--:|--:|\n")
	list := r.Trails[:min(len(r.Trails), mostListed)]
	for _, t := range list {
		fmt.Fprintf(&b, "| %s | %s | %d | %s |\n", markdown(caseName(t)), t.Outcome, len(t.Attempts), duration(t.DurationMS))
	}
	if left := len(r.Trails) - len(list); left > 0 {
		fmt.Fprintf(&b, "\n%s more.\n", count(left, "trail", "trails"))
	}
	for _, t := range list {
		switch {
		case unsuccessful(t.Outcome):
			f := failure(t)
			fmt.Fprintf(&b, "\n### %s: %s\n\n", markdown(caseName(t)), t.Outcome)
			if t.Path != "" {
				fmt.Fprintf(&b, "%s\n\n", markdown(place(t)))
			}
			b.WriteString(fenced(f.Text))
		case t.Outcome == event.Healed:
			fmt.Fprintf(&b, "\n### %s: healed\n\n", markdown(caseName(t)))
			for _, h := range heals(t) {
				fmt.Fprintf(&b, "- %s\n", markdown(h))
			}
		}
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "\n> %s\n", markdown(n))
	}
	_, err := io.WriteString(w, b.String())
	return fault.Wrap(err, fault.Unavailable, "write Markdown report")
}

// WriteAnnotations writes a workflow command of GitHub for each trail that did not pass or passed in another way than
// it is recorded. GitHub shows it at the line of its step.
func WriteAnnotations(w io.Writer, r *Report) error {
	var b strings.Builder
	for _, t := range r.Trails {
		level, text := "", ""
		switch {
		case unsuccessful(t.Outcome):
			level, text = "error", failure(t).Text
		case t.Outcome == event.Flaky:
			level, text = "warning", fmt.Sprintf("flaky: it passed at attempt %d", len(t.Attempts))
		case t.Outcome == event.Healed:
			level, text = "warning", "healed:\n"+strings.Join(heals(t), "\n")
		default:
			continue
		}
		fmt.Fprintf(&b, "::%s title=%s", level, property(caseName(t)))
		if t.Path != "" {
			fmt.Fprintf(&b, ",file=%s", property(t.Path))
			if n := len(t.Attempts); n > 0 {
				if s := failedStep(t.Attempts[n-1]); s != nil && s.Line > 0 {
					fmt.Fprintf(&b, ",line=%d", s.Line)
				}
			}
		}
		fmt.Fprintf(&b, "::%s\n", message(clean(text)))
	}
	_, err := io.WriteString(w, b.String())
	return fault.Wrap(err, fault.Unavailable, "write annotations")
}

// message escapes the text of a workflow command, so that no text of a page ends it and begins another one.
func message(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

// property escapes a property of a workflow command.
func property(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(message(clean(s)))
}

// place is the file of a trail with the line of the step that did not pass.
func place(t Trail) string {
	if n := len(t.Attempts); n > 0 {
		if s := failedStep(t.Attempts[n-1]); s != nil && s.Line > 0 {
			return fmt.Sprintf("%s:%d", t.Path, s.Line)
		}
	}
	return t.Path
}

func unsuccessful(o event.Outcome) bool { return ctrfStatus(o) == "failed" }

// markdown writes a text so that it shows as it is, on one line and in a table: it may come from a page.
func markdown(s string) string {
	var b strings.Builder
	for _, r := range strings.Join(strings.Fields(clean(s)), " ") {
		if strings.ContainsRune("\\`*_[]<>#|~&$", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// fenced writes a text as a block of code, whose fence is longer than any in the text.
func fenced(s string) string {
	fence := "```"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	return fence + "text\n" + strings.TrimRight(clean(s), "\n") + "\n" + fence + "\n"
}

func countsText(c Counts) string {
	var out []string
	for _, p := range []struct {
		n    int
		what string
	}{{c.Passed, "passed"}, {c.Healed, "healed"}, {c.Flaky, "flaky"}, {c.Failed, "failed"}, {c.Broken, "broken"},
		{c.Undecided, "inconclusive"}, {c.Canceled, "canceled"}, {c.Skipped, "skipped"}} {
		if p.n > 0 {
			out = append(out, fmt.Sprintf("%d %s", p.n, p.what))
		}
	}
	return count(c.Total, "trail", "trails") + ": " + strings.Join(out, ", ")
}

func duration(ms float64) string {
	return (time.Duration(ms) * time.Millisecond).Round(100 * time.Millisecond).String()
}
