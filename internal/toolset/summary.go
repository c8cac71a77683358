package toolset

import "github.com/trailblaze-dev/trailblaze/tool"

// Summary says what a category brings, and what that costs a client's context.
type Summary struct {
	Category Category `json:"category"`
	About    string   `json:"about"`
	On       bool     `json:"on"`
	Tools    []string `json:"tools"`
	Bytes    int      `json:"bytes"` // of a tools/list
}

// Summaries tells about every category as this client would see it: its device counts, what it has on now does not.
func (v View) Summaries(reg *tool.Registry) []Summary {
	out := make([]Summary, 0, len(about))
	for _, a := range about {
		one := v
		one.Mode, one.Categories, one.Prefix, one.Target = ClientAsAgent, []Category{a.c}, "", ""
		sum := Summary{Category: a.c, About: a.text, On: v.on(a.c), Tools: []string{}}
		for _, t := range reg.All() {
			if s := t.Spec(); one.hides(s) == shown && one.chosen(s) {
				sum.Tools = append(sum.Tools, s.Name)
				sum.Bytes += Size(s)
			}
		}
		out = append(out, sum)
	}
	return out
}

// ListSize is about how many bytes a tools/list of these tools has.
func ListSize(specs []*tool.Spec) int {
	n := len(`{"tools":[]}`)
	for _, s := range specs {
		n += Size(s) + 1
	}
	return n
}
