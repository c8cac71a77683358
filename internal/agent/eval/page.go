package eval

import (
	_ "embed" // the page
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
)

//go:embed report.html
var page string

var words = map[Verdict]string{Right: "right", FalsePass: "false pass", GaveUp: "gave up", Broken: "broken"}

// WriteHTML writes the report as one page that loads nothing.
func (r *Report) WriteHTML(w io.Writer) error {
	var tiers, tries strings.Builder
	for i := range r.Tiers {
		r.Tiers[i].row(&tiers)
	}
	for _, x := range r.Results {
		x.row(&tries)
	}
	tried := "tries"
	if len(r.Results) == 1 {
		tried = "try"
	}
	_, err := strings.NewReplacer(
		"{{title}}", html.EscapeString(r.Title),
		"{{about}}", fmt.Sprintf("%d %s · Trailblaze %s · <time>%s UTC</time>", len(r.Results), tried,
			html.EscapeString(r.Version), r.Began.Format("2006-01-02 15:04:05")),
		"{{tiers}}", tiers.String(), "{{tries}}", tries.String(),
	).WriteString(w, page)
	return fault.Wrap(err, fault.Unavailable, "write report")
}

// row writes the row of a tier.
func (t *Total) row(b *strings.Builder) {
	b.WriteString("<tr><td>" + html.EscapeString(t.Tier))
	if t.Model != t.Tier {
		small(b, t.Model)
	}
	fmt.Fprintf(b, `</td><td class="n">%.0f %%<small>%d of %d</small></td>`, 100*t.Success(), t.Right, t.Tries)
	for _, of := range []struct {
		class string
		n     int
	}{{"falsePass", t.FalsePasses}, {"gaveUp", t.GaveUp}, {"broken", t.Broken}} {
		class := "n"
		if of.n > 0 {
			class += " " + of.class
		}
		fmt.Fprintf(b, `<td class="%s">%d</td>`, class, of.n)
	}
	cached, each := "", ""
	if n := t.Usage.CachedInput; n != 0 {
		cached = fmt.Sprintf("<small>%d of a cache</small>", n)
	}
	if cost := t.CostPerRight(); cost != 0 {
		each = "<small>" + dollars(cost) + " a success</small>"
	}
	numbers(b, t.Usage.Calls, t.Calls, about(t.Estimated, t.Usage.Input)+cached, about(t.Estimated, t.Usage.Output),
		dollars(t.Usage.Cost)+each, t.Seconds)
}

// row writes the row of a try.
func (x *Result) row(b *strings.Builder) {
	b.WriteString("<tr><td><b>" + html.EscapeString(x.Task) + "</b>")
	if x.Try > 1 {
		fmt.Fprintf(b, ` <span class="dim">try %d</span>`, x.Try)
	}
	small(b, x.Goal)
	fmt.Fprintf(b, `</td><td>%s</td><td><span class="verdict %s">%s</span>`, html.EscapeString(x.Tier),
		html.EscapeString(string(x.Verdict)), words[x.Verdict])
	if x.Verdict == GaveUp && x.Reached {
		small(b, "though the checker passes")
	}
	if x.Checker != "" {
		small(b, "checker: "+x.Checker)
	}
	if x.Failure != nil {
		small(b, x.Failure.Message)
	}
	b.WriteString("</td>")
	numbers(b, x.Usage.Calls, x.Calls, about(x.Estimated, x.Usage.Input), about(x.Estimated, x.Usage.Output),
		dollars(x.Usage.Cost), x.Seconds)
}

// numbers writes the columns that all rows end with.
func numbers(b *strings.Builder, questions, calls int, in, out, cost string, seconds float64) {
	fmt.Fprintf(b, `<td class="n">%d</td><td class="n">%d</td><td class="n">%s</td><td class="n">%s</td>`+
		`<td class="n">%s</td><td class="n">%.1f</td></tr>`+"\n", questions, calls, in, out, cost, seconds)
}

func small(b *strings.Builder, text string) {
	b.WriteString("<small>" + html.EscapeString(text) + "</small>")
}

func about(estimated bool, n int) string {
	if estimated {
		return fmt.Sprintf("≈ %d", n)
	}
	return fmt.Sprint(n)
}

func dollars(f float64) string {
	if f == 0 {
		return "–"
	}
	return fmt.Sprintf("$%.4f", f)
}
