package event

import (
	"encoding/json"
	"maps"

	"github.com/trailblaze-dev/trailblaze/tool"
)

// masked copies an event with every free text and JSON value passed through the masks. Names that the log itself is
// read by (types, ids, roles, outcomes, blob names) stay: masking them would damage the log, and no secret gets there.
func masked(e Event, mask func(string) string, maskJSON func(json.RawMessage) json.RawMessage) Event {
	m := masker{mask, maskJSON}
	if e.Session != nil {
		s := *e.Session
		s.Title, s.Error, s.Labels = mask(s.Title), m.failure(s.Error), maps.Clone(s.Labels)
		for k, v := range s.Labels {
			s.Labels[k] = mask(v)
		}
		e.Session = &s
	}
	if e.Trail != nil {
		t := *e.Trail
		t.Title, t.Reason, t.Error = mask(t.Title), mask(t.Reason), m.failure(t.Error)
		e.Trail = &t
	}
	if e.Step != nil {
		s := *e.Step
		s.Text, s.Error = mask(s.Text), m.failure(s.Error)
		e.Step = &s
	}
	if e.Call != nil {
		e.Call = m.call(*e.Call)
	}
	if e.Screen != nil {
		s := *e.Screen
		s.Name = mask(s.Name)
		e.Screen = &s
	}
	if e.Note != nil {
		e.Note = &NoteText{Level: e.Note.Level, Text: mask(e.Note.Text)}
	}
	m.agent(&e)
	e.Policy = m.decision(e.Policy)
	if e.Unknown != nil {
		e.Unknown = m.raw(e.Unknown)
	}
	return e
}

type masker struct {
	mask     func(string) string
	maskJSON func(json.RawMessage) json.RawMessage
}

func (m masker) raw(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 || m.maskJSON == nil {
		return raw
	}
	return m.maskJSON(raw)
}

func (m masker) list(in []string) []string {
	var out []string
	for _, s := range in {
		out = append(out, m.mask(s))
	}
	return out
}

func (m masker) failure(f *Failure) *Failure {
	if f == nil {
		return nil
	}
	c := *f
	c.Message, c.Hint, c.Looked = m.mask(c.Message), m.mask(c.Hint), m.mask(c.Looked)
	c.Candidates, c.SinceGreen, c.Log = m.list(c.Candidates), m.list(c.SinceGreen), m.list(c.Log)
	return &c
}

func (m masker) call(c Call) *Call {
	c.Args, c.Authored, c.Value = m.raw(c.Args), m.raw(c.Authored), m.raw(c.Value)
	c.Text, c.Error = m.mask(c.Text), m.failure(c.Error)
	if c.Recorded != nil {
		c.Recorded = &tool.Call{Name: c.Recorded.Name, Args: m.raw(c.Recorded.Args)}
	}
	if c.Evidence != nil {
		c.Evidence = m.evidence(c.Evidence)
	}
	return &c
}

// evidence is masked through its JSON, so that a field added to it later is masked too. What cannot make the trip is
// left out: evidence in the clear would be worse than none.
func (m masker) evidence(e *tool.Evidence) *tool.Evidence {
	raw, err := json.Marshal(e)
	if err != nil {
		return nil
	}
	after := m.raw(raw)
	if string(after) == string(raw) {
		return e
	}
	var out tool.Evidence
	if json.Unmarshal(after, &out) != nil {
		return nil
	}
	return &out
}
