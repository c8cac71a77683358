package calls

import (
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
)

// CancelRequest selects the calls to end: those that match every field that is set. All alone matches everything;
// nothing set matches nothing.
type CancelRequest struct {
	Client string `json:"clientId,omitempty"` // id, or the beginning that listings show
	Device string `json:"device,omitempty"`
	CallID string `json:"callId,omitempty"`
	Job    string `json:"job,omitempty"`
	All    bool   `json:"all,omitempty"`
	Why    string `json:"why,omitempty"` // the cause that the callers read
}

func (q CancelRequest) matches(c *Call) bool {
	if q.Client == "" && q.Device == "" && q.CallID == "" && q.Job == "" {
		return q.All
	}
	return (q.Client == "" || c.client.Matches(q.Client)) && (q.Device == "" || q.Device == c.device()) &&
		(q.CallID == "" || q.CallID == c.id) && (q.Job == "" || q.Job == c.jobID())
}

// Cancel ends calls and says how many. It never blocks; the calls answer within a moment, whatever
// their tools do.
func (r *Registry) Cancel(q CancelRequest) int {
	why := q.Why
	if why == "" {
		why = "somebody cancelled it"
	}
	cause := fault.New(fault.Canceled, "", "%s", why)
	n := 0
	for _, c := range r.Running() {
		if q.matches(c) {
			c.cancel(cause)
			n++
		}
	}
	return n
}

// CancelAll ends all calls.
func (r *Registry) CancelAll(cause error) {
	for _, c := range r.Running() {
		c.cancel(cause)
	}
}

// Abandon cancels calls whose client has gone. Jobs of an MCP client end too, because closing that
// session means that its automation is to end; jobs of a shell's commands or of requests outlive
// those by design.
func Abandon(running []*Call) {
	why := fault.New(fault.Canceled, "", "the client has gone")
	for _, c := range running {
		if c.jobID() == "" || c.req.From == dispatch.MCP {
			c.cancel(why)
		}
	}
}
