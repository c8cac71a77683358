package hub

import (
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// mask cuts every secret that the slot's session knows out of a reply. Results of device tools are masked by the dispatcher
// already; what a desk tool says may come from any session of the workspace.
func (h *Hub) mask(r *Reply, err error, at *slot) error {
	slots := []*slot{at}
	if at == nil {
		slots = h.allSlots()
	}
	for _, sl := range slots {
		if _, l, _ := sl.look(); l != nil {
			maskReply(r, l.sess.Memory, at == nil)
			err = maskError(err, l.sess.Memory)
		}
	}
	return err
}

// maskError cuts an error that holds a secret off from what caused it: whoever unwraps it must not find the text again.
func maskError(err error, m *memory.Store) error {
	if err == nil {
		return nil
	}
	text, hint := err.Error(), fault.HintOf(err)
	if m.Mask(text) == text && m.Mask(hint) == hint {
		return err
	}
	return fault.New(fault.KindOf(err), "", "%s", m.Mask(text)).WithHint("%s", m.Mask(hint))
}

func maskReply(r *Reply, m *memory.Store, result bool) {
	warnings := make([]string, 0, len(r.Warnings))
	for _, w := range r.Warnings {
		warnings = append(warnings, m.Mask(w))
	}
	r.Warnings = warnings
	maskObservation(r.Observation, m)
	if !result || r.Result == nil {
		return
	}
	res := *r.Result
	res.Content = make([]tool.Content, 0, len(r.Result.Content))
	for _, c := range r.Result.Content {
		c.Text = m.Mask(c.Text)
		res.Content = append(res.Content, c)
	}
	res.Value = m.MaskJSON(res.Value)
	r.Result = &res
}
