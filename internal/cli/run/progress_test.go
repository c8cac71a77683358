package run

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/internal/trails/replay"
)

func tell(p *progress) {
	at := func(job int) replay.Attempt { return replay.Attempt{Number: 1, Job: job} }
	p.observe(replay.Progress{Kind: replay.TrailStarted, Attempt: at(0), Title: "First", Total: 2})
	p.observe(replay.Progress{Kind: replay.TrailStarted, Attempt: at(1), Title: "Second", Total: 1})
	p.observe(replay.Progress{Kind: replay.StepStarted, Attempt: at(0), Path: "a.trail.yaml", Total: 2, Text: "Open the\nshop"})
	p.observe(replay.Progress{Kind: replay.Waiting, Attempt: at(0), Text: "waiting 12s for the model"})
	p.observe(replay.Progress{Kind: replay.StepEnded, Attempt: at(0), Title: "First", Total: 2})
	p.observe(replay.Progress{Kind: replay.JobEnded, Attempt: at(0), Title: "First", Outcome: event.Passed, Duration: 1200 * time.Millisecond})
	p.observe(replay.Progress{Kind: replay.JobEnded, Attempt: at(1), Title: "Second", Outcome: event.Failed, Duration: time.Millisecond,
		Failure: &fault.Failure{Kind: "assertion", Message: "not there", Looked: `text "x"`}, Notes: []string{"GET /x was answered with HTTP status 500"}})
	p.stop()
}

// TestProgressOnAPipe proves that a log file gets whole lines and no control characters.
func TestProgressOnAPipe(t *testing.T) {
	var out bytes.Buffer
	tell(newProgress(&shell.Shell{Streams: shell.Streams{Out: &out}}, 2))
	want := "PASS  First  1 step, 1.2 s\nFAIL  Second  1 ms\n      not there\n      looked for: text \"x\"\n      warning: GET /x " +
		"was answered with HTTP status 500\n"
	if out.String() != want {
		t.Errorf("got\n%q\nwant\n%q", out.String(), want)
	}
}

// TestProgressOnATerminal proves that running lines are gone from the screen when the run is over.
func TestProgressOnATerminal(t *testing.T) {
	var out bytes.Buffer
	tell(newProgress(&shell.Shell{Streams: shell.Streams{Out: &out, Terminal: true}}, 2))
	if !strings.Contains(out.String(), "… First  1/2 Open the shop") {
		t.Errorf("the running step is not shown: %q", out.String())
	}
	if !strings.Contains(out.String(), "waiting 12s for the model") {
		t.Errorf("what is waited for is not shown: %q", out.String())
	}
	if got := screenOf(out.String()); got != "PASS  First  1 step, 1.2 s\nFAIL  Second  1 ms\n      not there\n      looked for: "+
		"text \"x\"\n      warning: GET /x was answered with HTTP status 500\n" {
		t.Errorf("the terminal shows at the end\n%s", got)
	}
}

func TestProgressTellsWhyATrailIsFlaky(t *testing.T) {
	var out bytes.Buffer
	p := newProgress(&shell.Shell{Streams: shell.Streams{Out: &out}}, 1)
	p.observe(replay.Progress{Kind: replay.JobEnded, Attempt: replay.Attempt{Number: 2}, Path: "a.trail.yaml", Title: "A", Total: 1, Outcome: event.Flaky,
		Failure: &fault.Failure{Message: "not yet"}, Failed: &replay.StepOutcome{Text: "Look", CallLine: 4}, Duration: time.Millisecond})
	want := "FLAKY A  1 ms, 2 attempts\n      the first attempt failed:\n      a.trail.yaml:4: step 1 of 1: Look\n      not yet\n"
	if out.String() != want {
		t.Errorf("got\n%q\nwant\n%q", out.String(), want)
	}
}

// TestProgressSaysWhere proves that a failure names its place in the form that terminals and editors open.
func TestProgressSaysWhere(t *testing.T) {
	broke := &fault.Failure{Kind: "assertion", Message: "not there"}
	tests := []struct {
		name string
		ev   replay.Progress
		want string
	}{
		{"call", replay.Progress{Path: "a.trail.yaml", Title: "A", Total: 3,
			Failed: &replay.StepOutcome{Index: 1, Text: "Open\nthe shop", Line: 4, CallLine: 7}}, "a.trail.yaml:7: step 2 of 3: Open the shop"},
		{"no call", replay.Progress{Path: "a.trail.yaml", Title: "A", Total: 3, Failed: &replay.StepOutcome{Index: 0, Text: "Open", Line: 4}},
			"a.trail.yaml:4: step 1 of 3: Open"},
		{"trailhead", replay.Progress{Path: "a.trail.yaml", Title: "A", Total: 3,
			Failed: &replay.StepOutcome{Index: -1, Text: "Sign in", Line: 2, CallLine: 3}}, "a.trail.yaml:3: trailhead: Sign in"},
		{"before any step", replay.Progress{Path: "a.trail.yaml", Title: "A"}, "a.trail.yaml"},
		{"before any step, untitled", replay.Progress{Path: "a.trail.yaml", Title: "a.trail.yaml"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.ev.Failure = broke
			if got := whereFailed(tt.ev); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestProgressIsSilentWithJSON(t *testing.T) {
	var out bytes.Buffer
	tell(newProgress(&shell.Shell{Streams: shell.Streams{Out: &out}, JSON: true}, 2))
	if out.Len() != 0 {
		t.Errorf("printed %q", out.String())
	}
}

// screenOf is what a terminal shows of text with our two control sequences: up n lines, and clear below.
func screenOf(s string) string {
	var lines []string
	for _, l := range strings.SplitAfter(s, "\n") {
		for strings.HasPrefix(l, "\x1b[") {
			end := strings.IndexAny(l, "AJ")
			if l[end] == 'A' {
				n := 0
				for _, c := range l[2:end] {
					n = n*10 + int(c-'0')
				}
				lines = lines[:len(lines)-n]
			}
			l = l[end+1:]
		}
		if l != "" {
			lines = append(lines, l)
		}
	}
	return strings.Join(lines, "")
}

// TestProgressOfABlazedTrail proves that a trail whose verdict comes after its end is told once, as it ended.
func TestProgressOfABlazedTrail(t *testing.T) {
	var out bytes.Buffer
	p := newProgress(&shell.Shell{Streams: shell.Streams{Out: &out}}, 2)
	p.later = func(job int) bool { return job == 0 }
	tell(p)
	if strings.Contains(out.String(), "First") || !strings.Contains(out.String(), "FAIL  Second") {
		t.Errorf("before it is known: %q", out.String())
	}
	out.Reset()
	p.settle([]replay.JobResult{{Outcome: event.Failed, Attempts: []replay.AttemptResult{{Result: &replay.Outcome{Outcome: event.Failed,
		Failure: &fault.Failure{Message: "it does not replay"}}}}}, {}})
	if want := "FAIL  First  1 step, 1.2 s\n      it does not replay\n"; out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}
