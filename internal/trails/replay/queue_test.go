package replay

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
)

// lent counts who has a device, and refuses those that are dead.
type lent struct {
	mu    sync.Mutex
	on    map[string]int // sessions at this moment
	most  map[string]int // and at most
	order []string       // paths, as they began
	dead  []string
}

// fleet is a suite whose sessions are counted for each device.
func fleet(t *testing.T, jobs ...Job) (*Suite, *lent) {
	t.Helper()
	s, l := suite(t, jobs...), &lent{on: map[string]int{}, most: map[string]int{}}
	open := s.Open
	s.Open = func(ctx context.Context, j Job, attempt int) (*session.Session,
		func(context.Context, event.Outcome, *fault.Failure), error) {
		id := j.Device.ID
		l.mu.Lock()
		defer l.mu.Unlock()
		if slices.Contains(l.dead, id) {
			return nil, nil, fault.New(fault.Unavailable, "open device", "%s is gone", id)
		}
		l.on[id]++
		l.most[id] = max(l.most[id], l.on[id])
		l.order = append(l.order, j.Path)
		sess, end, err := open(ctx, j, attempt)
		return sess, func(ctx context.Context, o event.Outcome, f *fault.Failure) {
			l.mu.Lock()
			l.on[id]--
			l.mu.Unlock()
			end(ctx, o, f)
		}, err
	}
	return s, l
}

func sees(t *testing.T, n int, fits ...string) []Job {
	t.Helper()
	var jobs []Job
	for i := range n {
		jobs = append(jobs, Job{Path: fmt.Sprint(i), Trail: write(t, "verify: demo_see"), Fits: fits})
	}
	return jobs
}

// TestDeviceHasOneJob proves that a device that is there plays one job at a time, that jobs go only where they fit, and
// that none is lost or played twice.
func TestDeviceHasOneJob(t *testing.T) {
	jobs := slices.Concat(sees(t, 40, "a", "b"), sees(t, 20, "b"), sees(t, 40), sees(t, 9, "a"))
	for i := range 8 { // that cannot be read, and so must not give back the device of another
		jobs[100+i].Err = fault.New(fault.Invalid, "read trail", "not YAML")
	}
	s, l := fleet(t, jobs...)
	s.Workers, s.Devices = 8, []Device{{ID: "a"}, {ID: "b"}, {ID: "web", Made: true}}
	for i, r := range s.Run(t.Context()) {
		if readable := jobs[i].Err == nil; readable != (r.Outcome == event.Passed) {
			t.Errorf("job %d: %s", i, r.Outcome)
		}
		if fits := jobs[i].Fits; len(fits) > 0 && !slices.Contains(fits, r.Job.Device.ID) {
			t.Errorf("job %d was played on %s, and fits %v", i, r.Job.Device.ID, fits)
		}
	}
	if len(l.order) != len(jobs)-8 {
		t.Errorf("%d sessions were opened for %d jobs that can be read", len(l.order), len(jobs)-8)
	}
	if l.most["a"] != 1 || l.most["b"] != 1 {
		t.Errorf("sessions at once: %v, want 1 on a and on b", l.most)
	}
}

// TestDeviceLeftOut proves that a device that cannot be opened gets no second job, that its job goes to another that
// fits, and that a job that fits no other is an error and says why.
func TestDeviceLeftOut(t *testing.T) {
	jobs := append(sees(t, 6, "a", "b"), sees(t, 2, "a")...)
	s, l := fleet(t, jobs...)
	s.Workers, s.Devices, s.Retries = 3, []Device{{ID: "a"}, {ID: "b"}}, 2
	l.dead = []string{"a"}
	var ends []string
	var mu sync.Mutex
	s.Player.Observe = func(p Progress) {
		mu.Lock()
		defer mu.Unlock()
		if p.Kind == JobEnded {
			ends = append(ends, p.Path)
		}
	}
	var got []string
	for _, r := range s.Run(t.Context()) {
		got = append(got, fmt.Sprintf("%s %d %s", r.Outcome, len(r.Attempts), r.Job.Device.ID))
		if r.Outcome != event.Passed && r.Last().Result.Failure.Message != "open device: a is gone" {
			t.Errorf("the failure is %+v, want that of the device", r.Last().Result.Failure)
		}
	}
	want := []string{"passed 1 b", "passed 1 b", "passed 1 b", "passed 1 b", "passed 1 b", "passed 1 b", "error 1 a", "error 1 a"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("results (-want +got):\n%s", d)
	}
	if len(s.LeftOut) != 1 || s.LeftOut[0].Device != "a" {
		t.Errorf("left out: %v, want a once", s.LeftOut)
	}
	if len(ends) != len(jobs) {
		t.Errorf("%d jobs were told to have ended, want each of %d once: %v", len(ends), len(jobs), ends)
	}
}

// TestDeviceLostBetweenAttempts proves that a failure is not covered by another device: the attempts of a job stay on
// the device of the first.
func TestDeviceLostBetweenAttempts(t *testing.T) {
	s, l := fleet(t, Job{Path: "a", Trail: write(t, "verify: demo_miss")})
	s.Devices, s.Retries = []Device{{ID: "a"}, {ID: "b"}}, 3
	open := s.Open
	s.Open = func(ctx context.Context, j Job, attempt int) (*session.Session,
		func(context.Context, event.Outcome, *fault.Failure), error) {
		sess, end, err := open(ctx, j, attempt)
		l.dead = []string{"a"}
		return sess, end, err
	}
	r := s.Run(t.Context())[0]
	if r.Outcome == event.Passed || r.Outcome == event.Flaky || len(r.Attempts) != 2 || r.Job.Device.ID != "a" {
		t.Errorf("%s after %d attempts on %s, want no green after 2 on a", r.Outcome, len(r.Attempts), r.Job.Device.ID)
	}
	if len(s.LeftOut) != 1 {
		t.Errorf("left out: %v, want a", s.LeftOut)
	}
}

// TestLongestFirst proves that several workers begin with the jobs that took longest, and with those that are not known.
func TestLongestFirst(t *testing.T) {
	took := map[string]time.Duration{"0": time.Second, "1": time.Minute, "3": time.Hour}
	for workers, want := range map[int][]string{1: {"0", "1", "2", "3"}, 2: {"2", "3", "1", "0"}} {
		s, l := fleet(t, sees(t, 4)...)
		s.Workers, s.Devices = workers, []Device{{ID: "a"}} // the device has them take turns
		s.Took = func(j Job) time.Duration { return took[j.Path] }
		s.Run(t.Context())
		if d := cmp.Diff(want, l.order); d != "" {
			t.Errorf("%d workers (-want +got):\n%s", workers, d)
		}
	}
}

// TestDeviceOfAnotherProgram proves that a device which another program has gets no job until it is given back: its
// jobs go to other devices, or wait, and one that is not given back is left out with who has it.
func TestDeviceOfAnotherProgram(t *testing.T) {
	jobs := slices.Concat(sees(t, 2, "a", "b"), sees(t, 1, "a"), sees(t, 1, "c"), []Job{{Path: "both", Trail: write(t, "verify: demo_see"),
		Fits: []string{"a"}}})
	s, l := fleet(t, jobs...)
	s.Workers, s.Devices = 1, []Device{{ID: "a"}, {ID: "b"}, {ID: "c"}}
	played, held := make(chan struct{}), map[string]int{}
	var mu sync.Mutex
	s.Hold = func(ctx context.Context, id string, wait bool) (func(), error) {
		busy := fault.New(fault.Busy, "hold device", "%s is reserved by another", id)
		switch {
		case id == "c":
			return nil, busy
		case id == "a" && wait:
			select {
			case <-played:
			case <-ctx.Done():
				return nil, context.Cause(ctx)
			}
		case id == "a":
			select {
			case <-played:
			default:
				return nil, busy
			}
		}
		mu.Lock()
		defer mu.Unlock()
		held[id]++
		return func() {
			mu.Lock()
			defer mu.Unlock()
			if held[id]--; id == "b" && len(l.order) == 2 {
				close(played)
			}
			if wait && len(l.order) == 2 {
				t.Errorf("%s was waited for, and given back before a job had it", id)
			}
		}, nil
	}
	results := s.Run(t.Context())
	for i, want := range []string{"b passed", "b passed", "a passed", "c error", "a passed"} {
		if got := results[i].Job.Device.ID + " " + string(results[i].Outcome); got != want {
			t.Errorf("job %d: %s, want %s", i, got, want)
		}
	}
	if f := results[3].Last().Result.Failure; f == nil || f.Message != "hold device: c is reserved by another" {
		t.Errorf("the device that is not given back: %+v", f)
	}
	if held["a"] != 0 || held["b"] != 0 {
		t.Errorf("not given back: %v", held)
	}
}
