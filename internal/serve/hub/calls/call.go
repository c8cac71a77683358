package calls

import (
	"context"
	"fmt"
	"maps"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/observe"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
)

// Place is the device that a call runs on, or waits for.
type Place interface {
	ID() string
	Mask(text string) string // cuts out the secrets that sessions of the device know
}

// Call is a request under way.
type Call struct {
	id       string
	registry *Registry
	client   *clients.Client
	parent   *Call // the call of the management tool that made this one, if one did
	req      Request
	started  time.Time
	ctx      context.Context // ends with the call: a lifetime owner
	cancel   context.CancelCauseFunc
	feed     feed
	jobTimer *time.Timer // until it becomes a job; nil: it never does

	mu      sync.Mutex
	place   Place
	waiting bool
	job     string
	reply   Reply
}

// ID names the call.
func (c *Call) ID() string { return c.id }

// Client is the client that calls.
func (c *Call) Client() *clients.Client { return c.client }

// Parent is the call of the management tool that made this one, nil when a client made it.
func (c *Call) Parent() *Call { return c.parent }

// Request is the call as it was handed over, with its client's secrets.
func (c *Call) Request() Request { return c.req }

// Tool returns the name of the called tool, or of the work that the hub does for a management tool.
func (c *Call) Tool() string { return c.req.Call.Name }

// Context ends with the call.
func (c *Call) Context() context.Context { return c.ctx }

// Cancel ends the call with this cause. It never blocks.
func (c *Call) Cancel(cause error) { c.cancel(cause) }

// Elapsed returns how long the call has been running.
func (c *Call) Elapsed() time.Duration { return c.registry.o.Now().Sub(c.started) }

// PlaceAt sets the device that the call is for.
func (c *Call) PlaceAt(p Place) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.place = p
}

// Place is the device that the call is for, nil while there is none.
func (c *Call) Place() Place {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.place
}

// device is the id of the call's place, "" while there is none.
func (c *Call) device() string {
	if p := c.Place(); p != nil {
		return p.ID()
	}
	return ""
}

// Ran notes where the call really runs, in its reply and in that of the call that made it.
func (c *Call) Ran(device string, on driver.Platform, session string) {
	for _, x := range []*Call{c, c.parent} {
		if x == nil {
			continue
		}
		x.mu.Lock()
		x.reply.Device, x.reply.Platform = device, on
		if session != "" {
			x.reply.Session = session
		}
		x.mu.Unlock()
	}
	c.registry.Changed.Wake()
}

// Await notes whether the call waits for its device.
func (c *Call) Await(waiting bool) {
	c.mu.Lock()
	c.waiting = waiting
	c.mu.Unlock()
	c.registry.Changed.Wake()
	if waiting {
		c.Publish(Progress{Event: "waiting", Message: "waiting for " + c.device()})
	}
}

// Warn adds a warning to the reply.
func (c *Call) Warn(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.reply.Warnings = append(c.reply.Warnings, fmt.Sprintf(format, args...))
}

// Observed puts what the screen shows into the reply.
func (c *Call) Observed(o *observe.Observation) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.reply.Observation = o
}

// Reply is the reply as far as it is known.
func (c *Call) Reply() Reply {
	c.mu.Lock()
	defer c.mu.Unlock()
	r := c.reply
	r.Duration = c.Elapsed()
	return r
}

// Within reports whether this call was made by the other, at any depth.
func (c *Call) Within(other *Call) bool {
	for p := c.parent; p != nil && other != nil; p = p.parent {
		if p == other {
			return true
		}
	}
	return false
}

// Secrets are those of the call and of the calls that made it.
func (c *Call) Secrets() map[string]string {
	all := map[string]string{}
	for x := c; x != nil; x = x.parent {
		maps.Copy(all, x.req.Secrets)
	}
	return all
}

// Key is the key of a model that came with the call or with those that made it, or that the client was lent; "" when
// there is none.
func (c *Call) Key(variable string) string {
	for x := c; x != nil; x = x.parent {
		if key := x.req.Keys[variable]; key != "" {
			return key
		}
	}
	return c.client.Key(variable)
}

// CutOff reports whether the call was ended from outside its tool, so that the state of its device is unknown.
func (c *Call) CutOff(err error) bool {
	if c.ctx.Err() != nil {
		return true
	}
	k := fault.KindOf(err)
	return err != nil && (k == fault.Timeout || k == fault.Canceled)
}

// End forgets the call and ends its context. A call that Begin made is ended once, by its maker.
func (c *Call) End() {
	r := c.registry
	r.mu.Lock()
	delete(r.calls, c.id)
	r.active = r.o.Now()
	r.mu.Unlock()
	c.cancel(nil)
	r.Changed.Wake()
	r.work.Done()
}

// jobID is the job that the call has become, "" while it is none.
func (c *Call) jobID() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.job
}

// intent is the purpose of the call without secrets.
func (c *Call) intent() string {
	if p := c.Place(); p != nil {
		return p.Mask(c.req.Intent)
	}
	return c.req.Intent
}

// Status is a call in flight as a listing shows it.
type Status struct {
	ID      string        `json:"id"`
	Tool    string        `json:"tool"`
	Intent  string        `json:"intent,omitempty"`
	Client  string        `json:"clientId"` // the beginning of its id
	Name    string        `json:"client"`   // of the client, or its kind
	Device  string        `json:"device,omitempty"`
	Waiting bool          `json:"waiting,omitempty"` // for the device
	Job     string        `json:"job,omitempty"`
	Elapsed time.Duration `json:"elapsed"`
}

// Status describes the call for a listing.
func (c *Call) Status() Status {
	out := Status{
		ID: c.id, Tool: c.Tool(), Intent: c.intent(), Client: c.client.Short(), Name: c.client.Label(),
		Device: c.device(), Elapsed: c.Elapsed(),
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	out.Waiting, out.Job = c.waiting, c.job
	return out
}

// DurationText writes a duration as people read it.
func DurationText(d time.Duration) string {
	if d < time.Minute {
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	if d%time.Minute < time.Second {
		return fmt.Sprintf("%d min", int(d.Minutes()))
	}
	return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
}

type callKey struct{}

// From is the call that a context belongs to, nil outside one.
func From(ctx context.Context) *Call {
	c, _ := ctx.Value(callKey{}).(*Call)
	return c
}

// ClientFrom is the client that calls a tool.
func ClientFrom(ctx context.Context) (*clients.Client, bool) {
	c := From(ctx)
	if c == nil {
		return nil, false
	}
	return c.client, true
}
