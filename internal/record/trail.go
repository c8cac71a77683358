package record

import (
	"maps"

	"github.com/trailblaze-dev/trailblaze/internal/event"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// TrailheadStep is the step index of the trailhead.
const TrailheadStep = -1

// Trail returns source with its recordings for classifier replaced by what was recorded. A step for which nothing was
// recorded keeps what it had: a recorder never makes an explicit no-op. Calls made outside any step become steps of
// their own at the end.
func (r *Recorder) Trail(source *trail.Trail, classifier string) *trail.Trail {
	byStep := map[int][]trail.Recorded{}
	var loose []trail.Recorded
	for _, e := range r.Entries() {
		rec := trail.Recorded{Call: e.Call}
		if e.Step == event.NoStep {
			loose = append(loose, rec)
			continue
		}
		byStep[e.Step] = append(byStep[e.Step], rec)
	}
	out := *source
	out.Format = trail.Unified
	out.Steps = make([]trail.Step, 0, len(source.Steps)+len(loose))
	if source.Trailhead != nil {
		head := withRecording(*source.Trailhead, classifier, byStep[TrailheadStep])
		out.Trailhead = &head
	}
	for i, s := range source.Steps {
		out.Steps = append(out.Steps, withRecording(s, classifier, byStep[i]))
	}
	for _, rec := range loose {
		out.Steps = append(out.Steps, trail.Step{
			Kind: trail.ActionStep, Text: title(rec.Call), Recordable: true,
			Recordings: map[string][]trail.Recorded{classifier: {rec}},
		})
	}
	return &out
}

// withRecording replaces one classifier's slot. A v1 file's only slot becomes that classifier's.
func withRecording(s trail.Step, classifier string, calls []trail.Recorded) trail.Step {
	slots := maps.Clone(s.Recordings)
	if slots == nil {
		slots = map[string][]trail.Recorded{}
	}
	if old, ok := slots[trail.V1Classifier]; ok {
		delete(slots, trail.V1Classifier)
		slots[classifier] = old
	}
	if len(calls) > 0 && s.Recordable {
		slots[classifier] = calls
	}
	s.Recordings = slots
	if s.Kind == trail.ToolsStep {
		s.Kind = trail.ActionStep
		if s.Text == "" && len(slots[classifier]) > 0 {
			s.Text = title(slots[classifier][0].Call)
		}
	}
	return s
}

// title names a step after its first call, for calls that nobody described.
func title(c tool.Call) string { return sentence(Action{Call: c}) }
