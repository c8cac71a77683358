package replay

import (
	"slices"
	"sync"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// Job is one trail to play.
type Job struct {
	Trail  *trail.Trail // nil with Err
	Path   string
	Err    error    // the trail could not be read
	File   string   // in full
	Repeat int      // from 1; 0 without --repeat
	Number int      // index in Suite.Jobs, filled by Run
	Fits   []string // ids of the devices that it may be played on; nil: each
	Device Device   // that it is played on, filled by Run
	Actors []Actor  // of a trail that is played on several devices; nil for any other
}

// Actor is an actor of a job.
type Actor struct {
	Name   string
	Fits   []Device // it may be played on one of these
	Device Device   // that it is played on, filled by Run
}

// Unopened is the error of a device that could not be opened for an actor.
type Unopened struct {
	Device string
	Err    error
}

// Error implements error.
func (u *Unopened) Error() string { return u.Err.Error() }

// Unwrap returns the reason.
func (u *Unopened) Unwrap() error { return u.Err }

// Device is one that jobs are played on.
type Device struct {
	ID          string
	Classifiers []string // most general first; nil: those of the player
	Made        bool     // anew for each job, as a browser is; any other device plays one job at a time
}

// LeftOut is a device that could not be opened, and that was given no further job.
type LeftOut struct {
	Device string
	Err    error
}

// queue hands out the jobs of a suite, each with a free device that it fits.
type queue struct {
	mu      sync.Mutex
	freed   sync.Cond
	jobs    []Job
	left    []int // numbers of jobs, in the order in which they are to be played
	devices []Device
	busy    map[string]bool
	out     []LeftOut
	waiting sync.WaitGroup    // goroutines that wait for devices which other programs have
	kept    map[string]func() // gives back each device that was waited for, until a job has it
}

func newQueue(jobs []Job, order []int, devices []Device) *queue {
	if len(devices) == 0 {
		devices = []Device{{Made: true}}
	}
	q := &queue{jobs: jobs, left: order, devices: devices, busy: map[string]bool{}, kept: map[string]func(){}}
	q.freed.L = &q.mu
	return q
}

// take waits until a job that is left has free devices. It returns the job with them, and false when no job is left. A
// job whose devices are all left out carries the reason.
func (q *queue) take() (Job, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.left) > 0 {
		for at, i := range q.left {
			j := q.jobs[i]
			j.Number = i
			on, err := q.free(j)
			if on == nil && err == nil {
				continue
			}
			q.left = slices.Delete(q.left, at, at+1)
			j.Err = err
			if err == nil {
				j.take(on)
				q.hold(j, true)
			} else if len(j.Fits) == 1 {
				j.Device.ID = j.Fits[0]
			}
			return j, true
		}
		q.freed.Wait()
	}
	return Job{}, false
}

// take gives the job its devices.
func (j *Job) take(on []Device) {
	if len(j.Actors) == 0 {
		j.Device = on[0]
		return
	}
	j.Actors = slices.Clone(j.Actors)
	for i := range j.Actors {
		j.Actors[i].Device = on[i]
	}
}

// devices returns those that the job has taken.
func (j *Job) devices() []Device {
	if len(j.Actors) == 0 {
		return []Device{j.Device}
	}
	var out []Device
	for _, a := range j.Actors {
		out = append(out, a.Device)
	}
	return out
}

// free returns a free device for each that a job needs, all at once so that no two jobs wait for each other; nil while
// others have them. The error says why none is to be waited for.
func (q *queue) free(j Job) ([]Device, error) {
	if j.Err != nil {
		return nil, j.Err
	}
	need := [][]Device{slices.DeleteFunc(slices.Clone(q.devices), func(d Device) bool {
		return len(j.Fits) > 0 && !slices.Contains(j.Fits, d.ID)
	})}
	if len(j.Actors) > 0 {
		need = nil
		for _, a := range j.Actors {
			need = append(need, a.Fits)
		}
	}
	alive := func(d Device) bool { return q.reason(d) == nil }
	if on := assign(need, func(d Device) bool { return alive(d) && !q.busy[d.ID] }, nil); on != nil {
		return on, nil
	}
	if assign(need, alive, nil) != nil {
		return nil, nil
	}
	for _, d := range slices.Concat(need...) {
		if err := q.reason(d); err != nil {
			return nil, err
		}
	}
	return nil, fault.New(fault.Unsupported, "choose device",
		"the devices of this run are too few for %s, or do not fit it", j.Path)
}

// assign returns a usable device for each need, none of them twice; nil when there is no such choice.
func assign(need [][]Device, usable func(Device) bool, taken []string) []Device {
	if len(need) == 0 {
		return []Device{}
	}
	for _, d := range need[0] {
		if !usable(d) || slices.Contains(taken, d.ID) {
			continue
		}
		if rest := assign(need[1:], usable, append(slices.Clip(taken), d.ID)); rest != nil {
			return append([]Device{d}, rest...)
		}
	}
	return nil
}

// reason returns why a device gets no job any more, nil when it does.
func (q *queue) reason(d Device) error {
	if at := slices.IndexFunc(q.out, func(o LeftOut) bool { return o.Device == d.ID }); at >= 0 {
		return q.out[at].Err
	}
	return nil
}

// hold marks the devices of a job as busy, or as free. One that is made for each job is never busy.
func (q *queue) hold(j Job, busy bool) {
	for _, d := range j.devices() {
		q.busy[d.ID] = busy && !d.Made
	}
}

// giveBack makes the devices of a job free for others.
func (q *queue) giveBack(j Job) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if j.Err == nil { // otherwise it never had the devices
		q.hold(j, false)
	}
	q.freed.Broadcast()
}

// lend takes back a job that could not be played because another program has a device of it, which is busy until await
// returns, and kept for the next job from then on. With an error it is left out.
func (q *queue) lend(j Job, d Device, await func() (release func(), err error)) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.hold(j, false)
	q.busy[d.ID] = true
	q.left = slices.Insert(q.left, 0, j.Number)
	q.freed.Broadcast()
	q.waiting.Go(func() {
		release, err := await()
		q.mu.Lock()
		defer q.mu.Unlock()
		q.busy[d.ID] = false
		if err != nil {
			q.out = append(q.out, LeftOut{Device: d.ID, Err: err})
		} else {
			q.kept[d.ID] = release
		}
		q.freed.Broadcast()
	})
}

// waitedFor returns what gives back a device that is kept for the next job; nil when none is. It is the job's then.
func (q *queue) waitedFor(d Device) func() {
	q.mu.Lock()
	defer q.mu.Unlock()
	defer delete(q.kept, d.ID)
	return q.kept[d.ID]
}

// leaveOut gives a device no further job. With again the job that had it is the next to be played.
func (q *queue) leaveOut(d Device, err error, j Job, again bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.out = append(q.out, LeftOut{Device: d.ID, Err: err})
	if again {
		q.left = slices.Insert(q.left, 0, j.Number)
	}
	q.freed.Broadcast()
}
