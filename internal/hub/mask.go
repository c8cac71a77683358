package hub

import (
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// mask cuts every secret that the slot's session knows out of a reply. Results of device tools are masked by the dispatcher
// already; what a desk tool says may come from any session of the workspace.
func (h *Hub) mask(r *Reply, err error, at *slot, own map[string]string) error {
	if at == nil && len(own) > 0 {
		m := memory.New()
		learn(m, own)
		maskReply(r, m, true)
		err = maskError(err, m)
	}
	slots := []*slot{at}
	if at == nil {
		slots = h.allSlots()
	}
	for _, sl := range slots {
		sl.mu.Lock()
		mem := sl.past
		sl.mu.Unlock()
		if mem != nil {
			maskReply(r, mem, at == nil)
			err = maskError(err, mem)
		}
	}
	return err
}

// Masked cuts a client's secrets out of an error that came before its call was begun.
func Masked(err error, secrets map[string]string) error {
	m := memory.New()
	learn(m, secrets)
	return maskError(err, m)
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

// keepSecrets makes a new session mask what was secret in the one before: the page may still show it. The values themselves
// are not handed on.
func keepSecrets(from, to *memory.Store) {
	if from == nil {
		return
	}
	for _, name := range from.Names() {
		v, _ := from.Get(name)
		text, isText := v.(string)
		if _, taken := to.Get(name); !isText || taken || !from.IsSecret(name) {
			continue
		}
		to.SetSecret(name, text)
		to.Delete(name)
	}
}

// teach makes secrets that a client gives with a call known to the session it acts in. What a desk tool does is done with its
// caller's secrets. A session that another client acted in before forgets the values that client gave and goes on masking them.
func (c *call) teach(l *live) {
	if by := c.seat.Handle(); l.taughtBy != by {
		for name := range l.taught {
			l.sess.Memory.Delete(name)
		}
		l.taughtBy, l.taught = by, map[string]bool{}
	}
	for x := c; x != nil; x = x.parent {
		learn(l.sess.Memory, x.req.Secrets)
		for name := range x.req.Secrets {
			l.taught[name] = true
		}
	}
}

func learn(m *memory.Store, secrets map[string]string) {
	for name, value := range secrets {
		if v, ok := m.Get(name); !ok || v != value || !m.IsSecret(name) {
			m.SetSecret(name, value)
		}
	}
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
	res.Fault = maskError(res.Fault, m) // the same words again, for programs
	r.Result = &res
}
