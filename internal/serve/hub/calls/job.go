package calls

import (
	"cmp"
	"context"
	"crypto/rand"
	"slices"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// jobLife is the time for which the result of a job is kept.
const jobLife = 10 * time.Minute

// job is a call that continues after its caller was answered.
type job struct {
	id   string
	call *Call
	done chan struct{} // closed when the rest is set

	reply *Reply
	err   error
	ended time.Time
}

// Do runs a call of a client and returns its reply. A detachable call that lasts is answered as a job and continues. A
// panic of run is the answer to this one call.
func (r *Registry) Do(ctx context.Context, by *clients.Client, q Request, run Runner) (*Reply, error) {
	own := ctx
	if q.Detach {
		own = context.WithoutCancel(ctx)
	}
	c, err := r.Begin(own, by, q)
	if err != nil {
		return nil, err
	}
	defer c.report(q.Progress)()
	// A panic is caught because the call may run in a goroutine of ours, where it would end the daemon and every browser
	// with it.
	carryOut := func() (_ *Reply, err error) {
		defer func() {
			if p := recover(); p != nil {
				err = Panicked(r.o.Log, "call "+c.Tool(), p)
			}
		}()
		defer c.End()
		defer by.Saw()
		return run(c)
	}
	if !q.Detach {
		return carryOut()
	}
	c.jobTimer = time.NewTimer(r.o.JobAfter)
	defer c.jobTimer.Stop()
	j := &job{call: c, done: make(chan struct{})}
	tied := context.AfterFunc(ctx, func() { c.cancel(context.Cause(ctx)) })
	r.work.Go(func() {
		j.reply, j.err = carryOut()
		j.ended = r.o.Now()
		close(j.done)
	})
	select {
	case <-j.done:
		tied()
		return j.reply, j.err
	case <-c.jobTimer.C:
	}
	if !tied() { // the caller went away just now
		<-j.done
		return j.reply, j.err
	}
	return r.handOver(j)
}

// Hold stops the time after which the call becomes a job, for its caller was asked something and does not wait
// meanwhile. The time begins anew with resume.
func (c *Call) Hold() (resume func()) {
	p := c.root().jobTimer
	if p == nil {
		return func() {}
	}
	p.Stop()
	return func() { p.Reset(c.registry.o.JobAfter) }
}

// HandOver makes a job of the call now, if it may become one.
func (c *Call) HandOver() {
	if p := c.root().jobTimer; p != nil {
		p.Reset(0)
	}
}

// root is the call that a client made.
func (c *Call) root() *Call {
	for c.parent != nil {
		c = c.parent
	}
	return c
}

// handOver makes a job of a call and answers its caller.
func (r *Registry) handOver(j *job) (*Reply, error) {
	c := j.call
	j.id = "job_" + rand.Text()[:10]
	r.mu.Lock()
	r.forgetJobsLocked()
	r.jobs[j.id] = j
	r.mu.Unlock()
	c.mu.Lock()
	c.job = j.id
	c.mu.Unlock()
	rep := c.Reply()
	rep.Device = cmp.Or(rep.Device, c.device())
	rep.Job = j.id
	rep.Warnings = slices.Clone(rep.Warnings)
	rep.Result = tool.TextResult("%s is still running after %s and goes on as %s. "+
		"Ask for its result later, or cancel it.", c.Tool(), DurationText(rep.Duration), j.id)
	return &rep, nil
}

func (r *Registry) forgetJobsLocked() {
	now := r.o.Now()
	for id, j := range r.jobs {
		if j.over() && now.Sub(j.ended) > jobLife {
			delete(r.jobs, id)
		}
	}
}

func (j *job) over() bool {
	select {
	case <-j.done:
		return true
	default:
		return false
	}
}

// JobStatus is a job as a listing shows it.
type JobStatus struct {
	ID      string        `json:"id"`
	Tool    string        `json:"tool"`
	Client  string        `json:"clientId"` // the beginning of its id
	Device  string        `json:"device,omitempty"`
	Done    bool          `json:"done"`
	Failed  bool          `json:"failed,omitempty"`
	Elapsed time.Duration `json:"elapsed"`
	Last    string        `json:"last,omitempty"` // its newest progress
	Started time.Time     `json:"started"`
	Ended   time.Time     `json:"ended,omitzero"`
}

func (j *job) status() JobStatus {
	c := j.call
	out := JobStatus{
		ID: j.id, Tool: c.Tool(), Client: c.client.Short(), Device: c.device(),
		Started: c.started, Elapsed: c.Elapsed(), Last: c.feed.newest().Message,
	}
	if j.over() {
		out.Done, out.Ended, out.Elapsed = true, j.ended, j.ended.Sub(c.started)
		out.Failed = j.err != nil || j.reply.Result.Err() != nil
	}
	return out
}

// Jobs lists the jobs of a client, or with nil of all clients, newest first.
func (r *Registry) Jobs(by *clients.Client) []JobStatus {
	r.mu.Lock()
	r.forgetJobsLocked()
	jobs := make([]*job, 0, len(r.jobs))
	for _, j := range r.jobs {
		if by == nil || j.call.client == by {
			jobs = append(jobs, j)
		}
	}
	r.mu.Unlock()
	slices.SortFunc(jobs, func(a, b *job) int {
		return cmp.Or(b.call.started.Compare(a.call.started), cmp.Compare(a.id, b.id))
	})
	out := make([]JobStatus, 0, len(jobs))
	for _, j := range jobs {
		out = append(out, j.status())
	}
	return out
}

// wait waits for the job's end, ctx's, or that of the job's reason to be waited for.
func (j *job) wait(ctx context.Context, progress func(Progress)) {
	defer j.call.report(progress)()
	var enough <-chan struct{}
	if awaited := j.call.req.Awaited; awaited != nil {
		var done func()
		enough, done = awaited(ctx)
		defer done()
	}
	select {
	case <-j.done:
	case <-enough:
	case <-ctx.Done():
	}
}

// Job returns the state of a job. With wait it waits for the job's end, or ctx's. The Reply is nil until the job is
// done, and the error is then the job's own. Its result is kept for ten minutes.
func (r *Registry) Job(ctx context.Context, id string, wait bool, progress func(Progress)) (*Reply, JobStatus, error) {
	r.mu.Lock()
	r.forgetJobsLocked()
	j := r.jobs[id]
	r.mu.Unlock()
	if j == nil {
		return nil, JobStatus{}, fault.New(fault.NotFound, "find job", "there is no job %.40q", id).
			WithHint("Results are kept for ten minutes. List the jobs to see which there are.")
	}
	if wait && !j.over() {
		j.wait(ctx, progress)
		if ctx.Err() != nil && !j.over() {
			return nil, j.status(), fault.Wrap(context.Cause(ctx), fault.KindOf(ctx.Err()), "wait for "+id)
		}
	}
	if !j.over() {
		return nil, j.status(), nil
	}
	return j.reply, j.status(), j.err
}
