package replay

import (
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/event"
)

// ProgressKind names a moment of a run.
type ProgressKind string

// The moments.
const (
	TrailStarted ProgressKind = "trail_started"
	StepStarted  ProgressKind = "step_started"
	StepEnded    ProgressKind = "step_ended"
	TrailEnded   ProgressKind = "trail_ended"
	JobEnded     ProgressKind = "job_ended" // all attempts of a trail are over
)

// Progress is what a person watching a run wants to know.
type Progress struct {
	Kind     ProgressKind
	Attempt  Attempt
	Path     string
	Title    string
	Step     int // index
	Total    int // steps of the trail
	Text     string
	Outcome  event.Outcome
	Failure  *fault.Failure // with JobEnded of a flaky trail: that of its first attempt
	Failed   *StepOutcome   // with JobEnded: the step that did not pass
	Notes    []string       // with JobEnded: the warnings of the last attempt
	Duration time.Duration
}
