package replay

import (
	"context"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// Job is one trail to play.
type Job struct {
	Trail  *trail.Trail // nil with Err
	Path   string
	Err    error  // the trail could not be read
	File   string // in full
	Repeat int    // from 1; 0 without --repeat
	Number int    // index in Suite.Jobs, filled by Run
}

// Suite plays jobs, each attempt in a fresh session.
type Suite struct {
	Jobs    []Job
	Workers int           // at once; default 1
	Retries int           // further attempts for a job that did not pass
	Timeout time.Duration // of one attempt; 0: none but the steps' own

	// Open makes the session of one attempt: a fresh device, memory seeded. The returned func ends both; it gets the
	// outcome, and a context that outlives a cancelled run.
	Open func(ctx context.Context, j Job, attempt int) (*session.Session,
		func(context.Context, event.Outcome, *fault.Failure), error)
	Player *Player
}

// JobResult is the result of a job.
type JobResult struct {
	Job      Job
	Outcome  event.Outcome // Flaky when a later attempt passed
	Attempts []AttemptResult
	Duration time.Duration
}

// AttemptResult is one attempt.
type AttemptResult struct {
	SessionID string
	Dir       string // the session's directory, "" when none was opened
	Result    *Outcome
}

// Last is the attempt that decided.
func (r JobResult) Last() AttemptResult { return r.Attempts[len(r.Attempts)-1] }

// Run plays all jobs and returns their results in the jobs' order. When ctx ends, what runs is stopped and what has not
// begun is marked Canceled; the results are complete either way.
func (s *Suite) Run(ctx context.Context) []JobResult {
	results := make([]JobResult, len(s.Jobs))
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(max(s.Workers, 1), max(len(s.Jobs), 1)) {
		wg.Go(func() {
			for i := range next {
				results[i] = s.job(ctx, i)
			}
		})
	}
	for i := range s.Jobs {
		next <- i
	}
	close(next)
	wg.Wait()
	return results
}

func (s *Suite) job(ctx context.Context, i int) JobResult {
	j := s.Jobs[i]
	j.Number = i
	start := time.Now()
	res := JobResult{Job: j}
	for attempt := 1; ; attempt++ {
		a := s.attempt(ctx, j, attempt)
		res.Attempts = append(res.Attempts, a)
		res.Outcome = a.Result.Outcome
		if res.Outcome == event.Passed && attempt > 1 {
			res.Outcome = event.Flaky
		}
		if attempt > s.Retries || !worthRetrying(a.Result) {
			break
		}
	}
	res.Duration = time.Since(start)
	last := res.Last().Result
	failure, failed := last.Failure, last.Failed
	if res.Outcome == event.Flaky { // what a person wants to know of it is why it did not pass at first
		first := res.Attempts[0].Result
		failure, failed = first.Failure, first.Failed
	}
	s.Player.observe(Progress{Kind: JobEnded, Attempt: Attempt{Job: i, Number: len(res.Attempts), Repeat: j.Repeat},
		Path:  j.Path,
		Title: jobTitle(j), Total: stepsOf(j), Outcome: res.Outcome, Failure: failure, Failed: failed, Notes: last.Notes,
		Heals:    last.Heals,
		Duration: res.Duration, Text: last.Reason})
	return res
}

// worthRetrying says whether another attempt could end otherwise: not what was skipped, stopped, or wrong before it
// began.
func worthRetrying(o *Outcome) bool {
	switch o.Outcome {
	case event.Passed, event.Healed, event.Skipped, event.Canceled:
		return false
	}
	return len(o.Steps) > 0 || o.Failure != nil && o.Failure.Kind != fault.Invalid && o.Failure.Kind != fault.Unsupported
}

// Attempt plays one job once, by its number.
func (s *Suite) Attempt(ctx context.Context, j Job) AttemptResult { return s.attempt(ctx, j, 1) }

func (s *Suite) attempt(ctx context.Context, j Job, number int) AttemptResult {
	fail := func(err error) AttemptResult {
		return AttemptResult{Result: &Outcome{Outcome: event.OutcomeOf(err), Failure: fault.FailureOf(err)}}
	}
	if j.Err != nil {
		return fail(j.Err)
	}
	if err := ctx.Err(); err != nil {
		return fail(fault.Wrap(err, fault.Canceled, "play trail"))
	}
	sess, end, err := s.Open(ctx, j, number)
	if err != nil {
		return fail(err)
	}
	if s.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, s.Timeout,
			fault.New(fault.Timeout, "play trail", "the trail took longer than %s", s.Timeout))
		defer cancel()
	}
	out := s.Player.Play(ctx, sess, j.Trail, Attempt{Number: number, Repeat: j.Repeat, File: j.File, Job: j.Number})
	end(context.WithoutCancel(ctx), out.Outcome, out.Failure)
	return AttemptResult{SessionID: sess.ID, Dir: sess.Dir, Result: out}
}

func jobTitle(j Job) string {
	if j.Trail == nil {
		return j.Path
	}
	return titleOf(j.Trail)
}

func stepsOf(j Job) int {
	if j.Trail == nil {
		return 0
	}
	return len(j.Trail.Steps)
}
