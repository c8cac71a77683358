package hub

import (
	"slices"

	"github.com/trailblaze-dev/trailblaze/internal/call/observe"
	"github.com/trailblaze-dev/trailblaze/internal/call/redact"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/devices"
	"github.com/trailblaze-dev/trailblaze/memory"
)

// Masked cuts a client's secrets out of an error that came before its call was begun.
func Masked(err error, secrets map[string]string) error {
	m := memory.New()
	devices.Learn(m, secrets)
	return redact.Error(m, err)
}

func maskReply(r *calls.Reply, m *memory.Store, result bool) {
	r.Warnings = redact.Texts(m, r.Warnings)
	maskObservation(r.Observation, m)
	if result {
		r.Result = redact.Result(m, r.Result)
	}
}

// maskObservation cuts secrets out of the text of the screen. Pictures are the driver's to mask.
func maskObservation(o *observe.Observation, m *memory.Store) {
	if o == nil {
		return
	}
	o.Text, o.URL, o.Title = m.Mask(o.Text), m.Mask(o.URL), m.Mask(o.Title)
	o.Quality.Reasons = slices.Clone(o.Quality.Reasons) // the capture's own
	for i, r := range o.Quality.Reasons {
		o.Quality.Reasons[i] = m.Mask(r)
	}
}
