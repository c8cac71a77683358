package replay

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
)

// Suite plays jobs, each attempt in a fresh session.
type Suite struct {
	Jobs    []Job
	Devices []Device      // nil: one that is made for each job
	Workers int           // at once; default 1
	Retries int           // further attempts for a job that did not pass
	Timeout time.Duration // of one attempt; 0: none but the steps' own
	// Took returns how long a job took before, 0 when that is not known: several workers begin with the longest. nil:
	// they play in the order of Jobs.
	Took    func(Job) time.Duration
	LeftOut []LeftOut // devices that Run could not open, in the order in which that was found
	// Hold keeps a device for this run until release, so that no other program uses it. With wait it waits until no other
	// has it; otherwise fault.Busy says who does. nil: nothing else uses the devices.
	Hold func(ctx context.Context, device string, wait bool) (release func(), err error)

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
	unopened  error // why the device could not be opened
}

// Last is the attempt that decided.
func (r JobResult) Last() AttemptResult { return r.Attempts[len(r.Attempts)-1] }

// Run plays all jobs, each on the first free device that it fits, and returns their results in the jobs' order. A
// device that cannot be opened is left out, and its job goes to another. When ctx ends, what runs is stopped and what
// has not begun is marked Canceled; the results are complete either way.
func (s *Suite) Run(ctx context.Context) []JobResult {
	results := make([]JobResult, len(s.Jobs))
	q := newQueue(s.Jobs, s.order(), s.Devices)
	waiting, end := context.WithCancel(ctx)
	var wg sync.WaitGroup
	for range min(max(s.Workers, 1), max(len(s.Jobs), 1)) {
		wg.Go(func() {
			for j, ok := q.take(); ok; j, ok = q.take() {
				release, ok := s.hold(waiting, j, q)
				if !ok {
					continue
				}
				if r, done := s.job(ctx, j, q); done {
					results[j.Number] = r
				}
				release()
			}
		})
	}
	wg.Wait()
	end()
	q.waiting.Wait()
	for _, release := range q.kept {
		release()
	}
	s.LeftOut = q.out
	return results
}

// order returns the numbers of the jobs, those first that are known to be long or not known at all.
func (s *Suite) order() []int {
	order := make([]int, len(s.Jobs))
	took := make([]time.Duration, len(s.Jobs))
	measured := s.Took != nil && s.Workers > 1 && s.Workers < len(s.Jobs)
	for i := range order {
		order[i] = i
		if measured {
			if took[i] = s.Took(s.Jobs[i]); took[i] == 0 {
				took[i] = math.MaxInt64
			}
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(took[b], took[a]) })
	return order
}

// hold keeps the devices of a job for this run. When another program has one, the queue gets the job again, and the
// device comes back into it when that program is done.
func (s *Suite) hold(ctx context.Context, j Job, q *queue) (release func(), ok bool) {
	var held []func()
	release = func() {
		for _, r := range held {
			r()
		}
	}
	if s.Hold == nil || j.Err != nil {
		return release, true
	}
	for _, d := range j.devices() {
		if d.Made {
			continue
		}
		r, err := q.waitedFor(d), error(nil)
		if r == nil {
			r, err = s.Hold(ctx, d.ID, false)
		}
		if err == nil {
			held = append(held, r)
			continue
		}
		release()
		q.lend(j, d, func() (func(), error) { return s.Hold(ctx, d.ID, true) })
		return nil, false
	}
	return release, true
}

// job plays a job. It returns false when the device of the job was left out before anything was played: the queue has
// the job again.
func (s *Suite) job(ctx context.Context, j Job, q *queue) (JobResult, bool) {
	defer q.giveBack(j)
	start := time.Now()
	res := JobResult{Job: j}
	for attempt := 1; ; attempt++ {
		a := s.attempt(ctx, j, attempt)
		dead := unopened(j, a)
		if dead != nil {
			q.leaveOut(*dead, a.unopened, j, attempt == 1)
			if attempt == 1 {
				return res, false
			}
		}
		res.Attempts = append(res.Attempts, a)
		res.Outcome = a.Result.Outcome
		if res.Outcome == event.Passed && attempt > 1 {
			res.Outcome = event.Flaky
		}
		if attempt > s.Retries || !worthRetrying(a.Result) || j.Err != nil || dead != nil {
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
	s.Player.observe(Progress{Kind: JobEnded, Attempt: Attempt{Job: j.Number, Number: len(res.Attempts), Repeat: j.Repeat,
		Device: s.named(j)},
		Path:  j.Path,
		Title: jobTitle(j), Total: stepsOf(j), Outcome: res.Outcome, Failure: failure, Failed: failed, Notes: last.Notes,
		Heals:    last.Heals,
		Duration: res.Duration, Text: last.Reason})
	return res, true
}

// unopened returns the device that could not be opened for an attempt, nil when another may be made in its place.
func unopened(j Job, a AttemptResult) *Device {
	if a.unopened == nil {
		return nil
	}
	on := j.devices()
	if u := new(Unopened); errors.As(a.unopened, &u) {
		on = slices.DeleteFunc(on, func(d Device) bool { return d.ID != u.Device })
	}
	if len(on) == 0 || on[0].Made {
		return nil
	}
	return &on[0]
}

// named is the device of a job, "" when there is only one.
func (s *Suite) named(j Job) string {
	if len(s.Devices) < 2 {
		return ""
	}
	return j.Device.ID
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
		out := fail(err)
		switch fault.KindOf(err) {
		case fault.Canceled, fault.Invalid, fault.Unsupported: // not the device's
		default:
			out.unopened = err
		}
		return out
	}
	if s.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, s.Timeout,
			fault.New(fault.Timeout, "play trail", "the trail took longer than %s", s.Timeout))
		defer cancel()
	}
	out := s.Player.On(j.Device).Play(ctx, sess, j.Trail, Attempt{
		Number: number, Repeat: j.Repeat, File: j.File, Job: j.Number, Device: s.named(j),
	})
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
