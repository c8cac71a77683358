package hub

import (
	"github.com/trailblaze-dev/trailblaze/internal/observe"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/tool"
)

func (c *call) observe(sl *slot, l *live, spec *tool.Spec, res *tool.Result) {}

func maskObservation(o *observe.Observation, m *memory.Store) {}
