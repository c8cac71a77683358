package run

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/internal/trails/replay"
)

// matrix shows how each trail ended on each device, in a line for each trail. Of several playings it shows the gravest,
// and how many ended so.
func matrix(devices []replay.Device, results []replay.JobResult) string {
	type cell struct{ trail, device string }
	cells := map[cell][]replay.JobResult{}
	var trails []string
	titles := map[string]string{}
	for _, r := range results {
		at := cell{r.Job.Path, r.Job.Device.ID}
		cells[at] = append(cells[at], r)
		if !slices.Contains(trails, r.Job.Path) {
			trails = append(trails, r.Job.Path)
			titles[r.Job.Path] = jobTitle(r.Job)
		}
	}
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	row := func(first string, of func(id string) string) {
		line := first
		for _, d := range devices {
			line += "\t" + of(d.ID)
		}
		_, _ = fmt.Fprintln(w, line)
	}
	row("", func(id string) string { return id })
	for _, t := range trails {
		row(titles[t], func(id string) string { return shown(cells[cell{t, id}]) })
	}
	_ = w.Flush()
	return b.String()
}

// shown is the gravest outcome of some playings.
func shown(played []replay.JobResult) string {
	if len(played) == 0 {
		return "-"
	}
	worst, n := played[0].Outcome, 0
	for _, r := range played {
		if slices.Index(gravity, r.Outcome) > slices.Index(gravity, worst) {
			worst = r.Outcome
		}
	}
	for _, r := range played {
		if r.Outcome == worst {
			n++
		}
	}
	word := strings.TrimSpace((&shell.Shell{}).Style().Outcome(worst))
	if len(played) > 1 {
		word += fmt.Sprintf(" %d/%d", n, len(played))
	}
	return word
}
