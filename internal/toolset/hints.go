package toolset

import "github.com/trailblaze-dev/trailblaze/tool"

// Hints are what a client may know of a tool before it calls it; MCP calls them annotations. Every one is decided.
type Hints struct {
	Title       string
	ReadOnly    bool
	Destructive bool
	Idempotent  bool
	OpenWorld   bool
}

// HintsOf derives the hints from a spec. What touches a device touches the open world: what a page does with a click
// is not ours to say. What needs no device stays in the house; what works by other calls, as a trail that runs, does
// not.
func HintsOf(s *tool.Spec) Hints {
	e := s.Effects
	if e == nil {
		e = &tool.Effects{} // a hint is a guess; policy assumes the worst
	}
	reads := s.Kind != tool.Action && e.Remembers == ""
	return Hints{
		Title:       s.Title,
		ReadOnly:    reads,
		Destructive: s.Destructive && !reads,
		Idempotent:  reads || s.Idempotent,
		OpenWorld:   s.Device != tool.NoDevice || e.CallsTools,
	}
}
