package toolset

import (
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Summary says what turning a category on costs and brings.
type Summary struct {
	CategoryInfo
	On    bool     `json:"on"`
	Tools []string `json:"tools"`
	Bytes int      `json:"bytes"` // in a tools/list
}

// Summaries tells about every category as the view would show it: its platform, driver and model count, its mode does not.
func (v View) Summaries(r *tool.Registry) []Summary {
	out := make([]Summary, 0, len(categories))
	for _, info := range categories {
		one := v
		one.Mode, one.Categories, one.Prefix, one.Target = ClientAsAgent, []Category{info.ID}, "", ""
		s := Summary{CategoryInfo: info, On: v.on(info.ID), Tools: []string{}}
		for _, t := range r.All() {
			if spec := t.Spec(); one.hides(spec) == shown && one.chosen(spec) {
				s.Tools = append(s.Tools, spec.Name)
				s.Bytes += Trim(spec).Bytes
			}
		}
		out = append(out, s)
	}
	return out
}

// ListBytes is how long the tools/list of these tools is.
func ListBytes(specs []*tool.Spec) int {
	n := len(`{"tools":[]}`)
	for _, s := range specs {
		n += Trim(s).Bytes + 1
	}
	return n
}
