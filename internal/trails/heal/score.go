package heal

import (
	"encoding/json"
	"slices"

	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/identity"
)

// Score counts what relocation did where the truth is known.
type Score struct {
	Right    int `json:"right"`
	Wrong    int `json:"wrong"`
	Declined int `json:"declined"`
}

// Add counts another score in.
func (s *Score) Add(o Score) {
	s.Right, s.Wrong, s.Declined = s.Right+o.Right, s.Wrong+o.Wrong, s.Declined+o.Declined
}

// Sum returns the number of answers counted.
func (s Score) Sum() int { return s.Right + s.Wrong + s.Declined }

// Measure looks for the target on each screen of green runs that shows it, from what the other screens know of it, or
// from the fingerprint alone where there is none; and on the same screens with the element taken away, where any answer
// but to decline is wrong.
func Measure(t identity.Target, green []*screen.Snapshot) (there, gone Score) {
	green = slices.DeleteFunc(slices.Clone(green), func(s *screen.Snapshot) bool { return t.In(s) == nil })
	for i, now := range green {
		t.Past = slices.Concat(green[:i], green[i+1:])
		truth := t.In(now)
		there.count(t.Relocate(now).Node, truth)
		if without := take(now, truth); without != nil {
			gone.count(t.Relocate(without).Node, nil)
		}
	}
	return there, gone
}

func (s *Score) count(found, truth *screen.Node) {
	switch {
	case found == nil:
		s.Declined++
	case truth != nil && found.ID == truth.ID:
		s.Right++
	default:
		s.Wrong++
	}
}

// take is a copy of a screen without one element; nil when it cannot be copied.
func take(s *screen.Snapshot, n *screen.Node) *screen.Snapshot {
	data, err := json.Marshal(s)
	var out screen.Snapshot
	if err != nil || json.Unmarshal(data, &out) != nil {
		return nil
	}
	gone := out.Node(n.ID)
	if gone == nil || gone.Parent == nil {
		return nil
	}
	gone.Parent.Children = slices.DeleteFunc(gone.Parent.Children, func(c *screen.Node) bool { return c == gone })
	out.Index()
	return &out
}
