package run

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
	"github.com/trailblaze-dev/trailblaze/internal/trails/replay"
)

// progress shows the state of a run: a line for each trail that ended, and on a terminal one line below them for each
// that is running. With --json it is silent.
type progress struct {
	*shell.Shell
	total int

	mu      sync.Mutex
	done    int
	steps   map[int]int // steps of a job's attempt that ended
	titles  map[int]string
	prices  map[int][]string // of the steps for which a model was asked
	running map[int]string
	waiting map[int]string // what the running ones wait for
	drawn   int            // lines below the results

	// later says of a job that its verdict is not known when it ends: what a model did in it has yet to be replayed.
	later func(job int) bool
	held  []replay.Progress
}

func newProgress(a *shell.Shell, total int) *progress {
	return &progress{Shell: a, total: total, running: map[int]string{}, titles: map[int]string{}, steps: map[int]int{},
		prices: map[int][]string{}, waiting: map[int]string{}}
}

// observe is called from every worker.
func (p *progress) observe(ev replay.Progress) {
	if p.JSON {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	job := ev.Attempt.Job
	delete(p.waiting, job)
	switch ev.Kind {
	case replay.Waiting:
		p.waiting[job] = "      " + strings.Join(strings.Fields(ev.Text), " ")
	case replay.TrailStarted:
		p.steps[job], p.titles[job] = 0, cmp.Or(ev.Title, ev.Path)
		p.running[job] = p.line(ev, "")
	case replay.StepStarted:
		p.running[job] = p.line(ev, ev.Text)
	case replay.StepEnded:
		p.steps[job]++
		if ev.Price != nil {
			p.prices[job] = append(p.prices[job], fmt.Sprintf("%s: %s", stepOf(ev.Step, ev.Total), ev.Price))
		}
		return
	case replay.TrailEnded:
		return
	case replay.JobEnded:
		delete(p.running, job)
		p.done++
		p.erase()
		if p.later != nil && p.later(job) {
			p.held = append(p.held, ev)
		} else {
			p.result(ev)
		}
	}
	p.draw()
}

// settle prints what became of the trails whose verdict was not known when they ended.
func (p *progress) settle(results []replay.JobResult) {
	for _, ev := range p.held {
		res := results[ev.Attempt.Job]
		if ev.Outcome != res.Outcome {
			last := res.Last().Result
			ev.Outcome, ev.Failure, ev.Failed = res.Outcome, last.Failure, last.Failed
		}
		p.result(ev)
	}
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
	st := p.Style()
	title := cmp.Or(ev.Title, ev.Path)
	if ev.Attempt.Repeat > 0 {
		title += fmt.Sprintf(" #%d", ev.Attempt.Repeat)
	}
	if ev.Attempt.Device != "" {
		title += " on " + ev.Attempt.Device
	}
	detail := shell.ShortDuration(ev.Duration)
	if n := p.steps[ev.Attempt.Job]; n > 0 {
		detail = phrase.Count(n, "step") + ", " + detail
	}
	if ev.Attempt.Number > 1 {
		detail += ", " + phrase.Count(ev.Attempt.Number, "attempt")
	}
	if ev.Outcome == event.Skipped {
		detail = ev.Text
	}
	p.Printf("%s %s  %s\n", st.Outcome(ev.Outcome), title, st.Dim(detail))
	if ev.Failure != nil && ev.Outcome == event.Flaky {
		p.Printf("      %s\n", st.Dim("the first attempt failed:"))
	}
	if ev.Failure != nil && ev.Outcome != event.Passed {
		if where := whereFailed(ev); where != "" {
			p.Printf("      %s\n", st.Bold(where))
		}
		p.Printf("%s\n", shell.ExplainFailure(ev.Failure))
	}
	for _, line := range p.prices[ev.Attempt.Job] {
		p.Printf("      %s\n", st.Dim(line))
	}
	for _, h := range ev.Heals {
		p.Printf("      %s %s:%d: %s\n", st.Warn("healed:"), ev.Path, h.Line, h)
	}
	for _, n := range ev.Notes {
		p.Printf("      %s %s\n", st.Warn("warning:"), n)
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
	return fmt.Sprintf("%s:%d: %s: %s", ev.Path, cmp.Or(f.CallLine, f.Line), stepOf(f.Index, ev.Total),
		phrase.Clip(strings.Join(strings.Fields(f.Shown()), " "), 160))
}

// stepOf names a step by its place.
func stepOf(index, total int) string {
	if index < 0 {
		return "trailhead"
	}
	return fmt.Sprintf("step %d of %d", index+1, total)
}

// draw writes the running lines, and erase removes them: the cursor goes up over them and clears what is below.
func (p *progress) draw() {
	if !p.Terminal {
		return
	}
	p.erase()
	for _, job := range slices.Sorted(maps.Keys(p.running)) {
		for _, line := range []string{p.running[job], p.waiting[job]} {
			if line != "" {
				p.Printf("%s\n", p.Style().Dim(phrase.Clip(line, 110)))
				p.drawn++
			}
		}
	}
}

func (p *progress) erase() {
	if p.drawn > 0 {
		shell.Control(p.Out, "\x1b[%dA\x1b[0J", p.drawn)
		p.drawn = 0
	}
}

// stop removes what only makes sense while something runs.
func (p *progress) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
}
