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
}

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
}

func newQueue(jobs []Job, order []int, devices []Device) *queue {
	if len(devices) == 0 {
		devices = []Device{{Made: true}}
	}
	q := &queue{jobs: jobs, left: order, devices: devices, busy: map[string]bool{}}
	q.freed.L = &q.mu
	return q
}

// take waits until a job that is left has a free device. It returns the job with that device, and false when no job is
// left. A job whose devices are all left out carries the reason.
func (q *queue) take() (Job, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.left) > 0 {
		for at, i := range q.left {
			j := q.jobs[i]
			j.Number = i
			d, err := q.free(j)
			if d == nil && err == nil {
				continue
			}
			q.left = slices.Delete(q.left, at, at+1)
			switch j.Err = err; {
			case err == nil:
				j.Device = *d
				q.busy[d.ID] = !d.Made
			case len(j.Fits) == 1:
				j.Device.ID = j.Fits[0]
			}
			return j, true
		}
		q.freed.Wait()
	}
	return Job{}, false
}

// free returns the first device that fits a job and has none; nil while all of them have one. The error says why none
// is to be waited for.
func (q *queue) free(j Job) (*Device, error) {
	if j.Err != nil {
		return nil, j.Err
	}
	var down error
	alive := false
	for i := range q.devices {
		d := &q.devices[i]
		if len(j.Fits) > 0 && !slices.Contains(j.Fits, d.ID) {
			continue
		}
		if at := slices.IndexFunc(q.out, func(a LeftOut) bool { return a.Device == d.ID }); at >= 0 {
			down = q.out[at].Err
			continue
		}
		if !q.busy[d.ID] {
			return d, nil
		}
		alive = true
	}
	if alive {
		return nil, nil
	}
	if down == nil {
		down = fault.New(fault.Unsupported, "choose device", "none of the devices of this run fits %s", j.Path)
	}
	return nil, down
}

// giveBack makes the device of a job free for others.
func (q *queue) giveBack(j Job) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if j.Err == nil { // otherwise it never had the device
		q.busy[j.Device.ID] = false
	}
	q.freed.Broadcast()
}

// leaveOut gives the device of a job no further one. With again the job is the next to be played.
func (q *queue) leaveOut(j Job, err error, again bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.out = append(q.out, LeftOut{Device: j.Device.ID, Err: err})
	if again {
		q.left = slices.Insert(q.left, 0, j.Number)
	}
	q.freed.Broadcast()
}
