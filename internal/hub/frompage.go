package hub

import (
	"slices"

	"github.com/trailblaze-dev/trailblaze/internal/toolset"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// FromPage says whether what a tool answered is the text of a page, which must not pass for ours: a tool that looked at a
// device, ran script in a page, or is a team's own, and did not fail at it.
func (h *Hub) FromPage(spec *tool.Spec, r *Reply) bool {
	if spec == nil || r == nil || r.Device == "" || r.Result == nil || r.Result.IsError || h.IsDesk(spec.Name) {
		return false
	}
	of := toolset.Of(spec)
	return spec.Kind == tool.Query || slices.Contains(of, toolset.Script) || slices.Contains(of, toolset.Custom)
}
