package replay

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
)

func suite(t *testing.T, jobs ...Job) *Suite {
	t.Helper()
	reg, _ := demo(t)
	root := t.TempDir()
	return &Suite{Jobs: jobs, Player: newPlayer(t, reg), Open: func(ctx context.Context, j Job, attempt int) (*session.Session,
		func(context.Context, event.Outcome, *fault.Failure), error) {
		s, err := session.Open(ctx, session.Options{Root: root, Title: j.Path})
		if err != nil {
			return nil, nil, err
		}
		return s, func(_ context.Context, o event.Outcome, _ *fault.Failure) { s.Close(o) }, nil
	}}
}

func TestSuite(t *testing.T) {
	tests := []struct {
		name    string
		steps   string
		retries int
		want    string // outcome and attempts
	}{
		{"a pass is played once", "verify: demo_see", 2, "passed 1"},
		{"a failure is retried and stays a failure", "verify: demo_miss", 2, "failed 3"},
		{"a pass after a failure is flaky, and says so", "verify: demo_flaky", 1, "flaky 2"},
		{"without retries it is a failure", "verify: demo_flaky", 0, "failed 1"},
		{"what cannot be played is not retried", "step: demo_nope", 3, "error 1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := suite(t, Job{Path: "a", Trail: write(t, tt.steps)})
			s.Retries = tt.retries
			r := s.Run(t.Context())[0]
			if got := fmt.Sprintf("%s %d", r.Outcome, len(r.Attempts)); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// TestFlakySaysWhy proves that who watches a run learns why a flaky trail did not pass at first.
func TestFlakySaysWhy(t *testing.T) {
	s := suite(t, Job{Path: "a", Trail: write(t, "verify: demo_flaky")})
	s.Retries = 1
	var end Progress
	s.Player.Observe = func(p Progress) { end = p }
	s.Run(t.Context())
	if end.Kind != JobEnded || end.Outcome != event.Flaky || end.Failure == nil || !strings.Contains(end.Failure.Message, "not yet") || end.Failed == nil {
		t.Errorf("the last that is told is %+v, want a flaky end with the first attempt's failure", end)
	}
}

// TestSuiteWorkers proves that results come back in the jobs' order however many workers play them, and that a trail
// that could not be read does not hold up the others.
func TestSuiteWorkers(t *testing.T) {
	var jobs []Job
	for i := range 12 {
		jobs = append(jobs, Job{Path: fmt.Sprint(i), Trail: write(t, "verify: demo_see")})
	}
	jobs[5] = Job{Path: "5", Err: fault.New(fault.Invalid, "read trail", "5:1: not YAML")}
	s := suite(t, jobs...)
	s.Workers = 4
	var got []string
	for _, r := range s.Run(t.Context()) {
		got = append(got, r.Job.Path+" "+string(r.Outcome))
	}
	var want []string
	for i := range 12 {
		o := event.Passed
		if i == 5 {
			o = event.Broken
		}
		want = append(want, fmt.Sprintf("%d %s", i, o))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("results (-want +got):\n%s", diff)
	}
}

func TestSuiteCanceledBeforeItBegins(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := suite(t, Job{Path: "a", Trail: write(t, "verify: demo_see")}, Job{Path: "b", Trail: write(t, "verify: demo_see")})
	for _, r := range s.Run(ctx) {
		if r.Outcome != event.Canceled {
			t.Errorf("%s: %s, want canceled", r.Job.Path, r.Outcome)
		}
	}
}
