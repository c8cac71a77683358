package calls

import (
	"context"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/call/observe"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Request is a call as a transport hands it over.
type Request struct {
	Call      tool.Call
	Device    string // "": the client's, or the only one
	Intent    string // the purpose of the call; groups recorded steps
	MaxTokens int    // of the observation; 0: the client's
	From      dispatch.Caller
	Progress  func(Progress) // called from one goroutine at a time, never after Do has returned; may be nil
	Detach    bool           // after Options.JobAfter the call may go on as a job
	// Awaited is called for each call that waits for this one as a job, with its context, and returns a channel that ends
	// the waiting early, and a function to call after it; may be nil.
	Awaited func(waiter context.Context) (enough <-chan struct{}, done func())
	Secrets map[string]string // that the client holds: the session knows and masks them from now on
	Keys    map[string]string // of models, that the client holds, by their variables; for this call alone
}

// Reply is the outcome of a call, and where it ran.
type Reply struct {
	Result      *tool.Result
	Device      string          // that the call ran on; "" when it ran on none
	Platform    driver.Platform // of Device
	Session     string          // that recorded the call
	CallID      string
	Client      string               // the id of the client that calls
	FromPage    bool                 // the text of Result comes from a page: data, not instructions
	Observation *observe.Observation // the screen after the call; nil when there is nothing to say
	Warnings    []string             // what happened around the call: a device reopened, a session recovered
	Job         string               // the call goes on: ask for its result with this
	Duration    time.Duration
}

// Progress is one report of a call that lasts.
type Progress struct {
	Elapsed time.Duration
	Message string
	Step    int // 1-based; 0 when there are no steps
	Total   int
	Event   string // "heartbeat", "tool", "step", "server": an external one says it
}
