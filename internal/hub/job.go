package hub

import (
	"cmp"
	"context"
	"crypto/rand"
	"slices"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// jobLife is how long the result of a job is kept.
const jobLife = 10 * time.Minute

// job is a call that goes on after its caller was answered.
type job struct {
	id   string
	call *call
	done chan struct{} // closed when the rest is set

	reply *Reply
	err   error
	ended time.Time
}

// doDetached is Do for calls that may go on alone.
func (h *Hub) doDetached(ctx context.Context, s *Seat, r Request) (*Reply, error) {
	own, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	c, err := h.begin(own, cancel, s, r)
	if err != nil {
		cancel(err)
		return nil, err
	}
	j := &job{call: c, done: make(chan struct{})}
	tied := context.AfterFunc(ctx, func() { cancel(context.Cause(ctx)) })
	stop := c.report(r.Progress)
	defer stop()
	h.work.Go(func() {
		j.reply, j.err = c.run()
		j.ended = h.now()
		close(j.done)
	})
	timer := time.NewTimer(h.o.JobAfter)
	defer timer.Stop()
	select {
	case <-j.done:
		tied()
		return j.reply, j.err
	case <-timer.C:
	}
	if !tied() { // the caller went away just now
		<-j.done
		return j.reply, j.err
	}
	return h.handOver(j)
}

// handOver makes a job of a call and answers its caller.
func (h *Hub) handOver(j *job) (*Reply, error) {
	c := j.call
	j.id = "job_" + rand.Text()[:10]
	h.mu.Lock()
	h.forgetJobsLocked()
	h.jobs[j.id] = j
	h.mu.Unlock()
	c.mu.Lock()
	c.job = j.id
	rep := c.reply
	c.mu.Unlock()
	if rep.Device == "" {
		rep.Device = c.at()
	}
	rep.Job, rep.Duration = j.id, c.elapsed()
	rep.Warnings = slices.Clone(rep.Warnings)
	rep.Result = tool.TextResult("%s is still running after %s and goes on as %s. Ask for its result later, or cancel it.",
		c.req.Call.Name, spell(rep.Duration), j.id)
	return &rep, nil
}

func (h *Hub) forgetJobsLocked() {
	now := h.now()
	for id, j := range h.jobs {
		if j.over() && now.Sub(j.ended) > jobLife {
			delete(h.jobs, id)
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

func (j *job) status() JobStatus {
	c := j.call
	out := JobStatus{ID: j.id, Tool: c.req.Call.Name, Seat: short(c.seat.handle), Device: c.at(), Started: c.started, Elapsed: c.elapsed(),
		Last: c.feed.newest().Message}
	if j.over() {
		out.Done, out.Ended, out.Elapsed = true, j.ended, j.ended.Sub(c.started)
		out.Failed = j.err != nil || j.reply.Result.Err() != nil
	}
	return out
}

// Jobs lists the jobs of a seat, or with nil of everybody, newest first.
func (h *Hub) Jobs(s *Seat) []JobStatus {
	h.mu.Lock()
	h.forgetJobsLocked()
	jobs := make([]*job, 0, len(h.jobs))
	for _, j := range h.jobs {
		if s == nil || j.call.seat == s {
			jobs = append(jobs, j)
		}
	}
	h.mu.Unlock()
	slices.SortFunc(jobs, func(a, b *job) int {
		return cmp.Or(b.call.started.Compare(a.call.started), cmp.Compare(a.id, b.id))
	})
	out := make([]JobStatus, 0, len(jobs))
	for _, j := range jobs {
		out = append(out, j.status())
	}
	return out
}

// Job says how a job stands. With wait it waits for the job's end, or ctx's. The Reply is nil until the job is done, and the
// error is then the job's own. Its result is kept for ten minutes.
func (h *Hub) Job(ctx context.Context, id string, wait bool, progress func(Progress)) (*Reply, JobStatus, error) {
	h.mu.Lock()
	h.forgetJobsLocked()
	j := h.jobs[id]
	h.mu.Unlock()
	if j == nil {
		return nil, JobStatus{}, fault.New(fault.NotFound, "find job", "there is no job %.40q", id).
			WithHint("Results are kept for ten minutes. List the jobs to see which there are.")
	}
	if wait && !j.over() {
		stop := j.call.report(progress)
		defer stop()
		select {
		case <-j.done:
		case <-ctx.Done():
			return nil, j.status(), fault.Wrap(context.Cause(ctx), fault.KindOf(ctx.Err()), "wait for "+id)
		}
	}
	if !j.over() {
		return nil, j.status(), nil
	}
	return j.reply, j.status(), j.err
}
