package cli

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/event"
	"github.com/trailblaze-dev/trailblaze/internal/replay"
)

// progress tells how a run goes: a line for each trail that ended, and on a terminal one line below them for each that is
// running. With --json it is silent.
type progress struct {
	*app
	total int

	mu      sync.Mutex
	done    int
	steps   map[int]int // steps of a job's attempt that ended
	titles  map[int]string
	running map[int]string
	drawn   int // lines below the results
}

func newProgress(a *app, total int) *progress {
	return &progress{app: a, total: total, running: map[int]string{}, titles: map[int]string{}, steps: map[int]int{}}
}

// observe is called from every worker.
func (p *progress) observe(ev replay.Progress) {
	if p.json {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	job := ev.Attempt.Job
	switch ev.Kind {
	case replay.TrailStarted:
		p.steps[job], p.titles[job] = 0, cmp.Or(ev.Title, ev.Path)
		p.running[job] = p.line(ev, "")
	case replay.StepStarted:
		p.running[job] = p.line(ev, ev.Text)
	case replay.StepEnded:
		p.steps[job]++
		return
	case replay.TrailEnded:
		return
	case replay.JobEnded:
		delete(p.running, job)
		p.done++
		p.erase()
		p.result(ev)
	}
	p.draw()
}

func (p *progress) line(ev replay.Progress, step string) string {
	s := "  … " + p.titles[ev.Attempt.Job]
	if ev.Attempt.Number > 1 {
		s += fmt.Sprintf(" (attempt %d)", ev.Attempt.Number)
	}
	if step != "" {
		s += fmt.Sprintf("  %d/%d %s", ev.Step+1, ev.Total, strings.Join(strings.Fields(step), " "))
	}
	return s
}

// result prints what became of a trail.
func (p *progress) result(ev replay.Progress) {
	st := p.style()
	title := cmp.Or(ev.Title, ev.Path)
	if ev.Attempt.Repeat > 0 {
		title += fmt.Sprintf(" #%d", ev.Attempt.Repeat)
	}
	detail := shortDuration(ev.Duration)
	if n := p.steps[ev.Attempt.Job]; n > 0 {
		detail = plural(n, "step") + ", " + detail
	}
	if ev.Attempt.Number > 1 {
		detail += ", " + plural(ev.Attempt.Number, "attempt")
	}
	if ev.Outcome == event.Skipped {
		detail = ev.Text
	}
	p.printf("%s %s  %s\n", st.outcome(ev.Outcome), title, st.dim(detail))
	if ev.Failure != nil && ev.Outcome == event.Flaky {
		p.printf("      %s\n", st.dim("the first attempt failed:"))
	}
	if ev.Failure != nil && ev.Outcome != event.Passed {
		if where := whereFailed(ev); where != "" {
			p.printf("      %s\n", st.bold(where))
		}
		p.printf("%s\n", explainFailure(ev.Failure))
	}
	for _, n := range ev.Notes {
		p.printf("      %s %s\n", st.warn("warning:"), n)
	}
}

// whereFailed is the place to look at, in the form that terminals and editors open: file, line, and the step's words.
func whereFailed(ev replay.Progress) string {
	f := ev.Failed
	switch {
	case f == nil && (ev.Title == ev.Path || strings.Contains(ev.Failure.Message, ev.Path)):
		return ""
	case f == nil:
		return ev.Path
	}
	step := fmt.Sprintf("step %d of %d", f.Index+1, ev.Total)
	if f.Index < 0 {
		step = "trailhead"
	}
	return fmt.Sprintf("%s:%d: %s: %s", ev.Path, cmp.Or(f.CallLine, f.Line), step, clip(strings.Join(strings.Fields(f.Text), " "), 160))
}

// draw writes the running lines, and erase removes them: the cursor goes up over them and clears what is below.
func (p *progress) draw() {
	if !p.Terminal {
		return
	}
	p.erase()
	for _, job := range slices.Sorted(maps.Keys(p.running)) {
		p.printf("%s\n", p.style().dim(clip(p.running[job], 110)))
		p.drawn++
	}
}

func (p *progress) erase() {
	if p.drawn > 0 {
		control(p.Out, "\x1b[%dA\x1b[0J", p.drawn)
		p.drawn = 0
	}
}

// stop removes what only makes sense while something runs.
func (p *progress) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
}

// clip keeps a line from wrapping, which erase could not undo.
func clip(s string, n int) string {
	r := []rune(s)
	if len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

func shortDuration(d time.Duration) string {
	switch {
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return d.Round(time.Second).String()
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
