package hub

import (
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/observe"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Request is a call as a transport hands it over.
type Request struct {
	Call      tool.Call
	Device    string // "": the seat's, or the only one
	Intent    string // what this is for; groups recorded steps
	MaxTokens int    // of the observation; 0: the seat's
	From      dispatch.Caller
	Progress  func(Progress)    // called from one goroutine at a time, never after Do has returned; may be nil
	Detach    bool              // after Options.JobAfter the call may go on as a job
	Secrets   map[string]string // that the client holds: the live session knows and masks them from now on
}

// Reply is what a call gave, and where it ran.
type Reply struct {
	Result      *tool.Result
	Device      string          // the slot that really ran it; "" when none did
	Platform    driver.Platform // of Device
	Session     string          // the live session that recorded it
	CallID      string
	Observation *observe.Observation // what the screen shows after it; nil when there is nothing to say
	Warnings    []string             // what happened around the call: a device reopened, a session recovered
	Job         string               // the call goes on: ask for its result with this
	Duration    time.Duration
}

// Progress is one sign of life of a call that lasts.
type Progress struct {
	Elapsed time.Duration
	Message string
	Step    int // 1-based; 0 when there are no steps
	Total   int
	Event   string // "heartbeat", "tool", "step"
}
