package redact

import "github.com/trailblaze-dev/trailblaze/internal/call/event"

// Event masks every free text and JSON value of an event. Names that the log itself is read by (types, ids, roles,
// outcomes, blob names) stay: masking them would damage the log, and no secret gets there.
func Event(m Masker, e event.Event) event.Event {
	e.Session = with(e.Session, func(s *event.Session) {
		s.Title, s.Error, s.Labels = m.Mask(s.Title), Failure(m, s.Error), Map(m, s.Labels)
	})
	e.Trail = with(e.Trail, func(t *event.Trail) {
		t.Title, t.Reason, t.Error = m.Mask(t.Title), m.Mask(t.Reason), Failure(m, t.Error)
	})
	e.Step = with(e.Step, func(s *event.Step) { s.Text, s.Error = m.Mask(s.Text), Failure(m, s.Error) })
	e.Call = with(e.Call, func(c *event.Call) {
		c.Args, c.Authored, c.Value = JSON(m, c.Args), JSON(m, c.Authored), JSON(m, c.Value)
		c.Text, c.Page, c.Error = m.Mask(c.Text), m.Mask(c.Page), Failure(m, c.Error)
		c.Kept = JSON(m, c.Kept)
		c.Recorded, c.Evidence = Call(m, c.Recorded), Evidence(m, c.Evidence)
	})
	e.Screen = with(e.Screen, func(s *event.Screen) { s.Name = m.Mask(s.Name) })
	e.Note = with(e.Note, func(n *event.NoteText) { n.Text = m.Mask(n.Text) })
	e.Policy = with(e.Policy, func(d *event.Decision) { d.Subject, d.Rule = m.Mask(d.Subject), m.Mask(d.Rule) })
	e.Unknown = JSON(m, e.Unknown)
	return agent(m, e)
}

func agent(m Masker, e event.Event) event.Event {
	e.AgentRun = with(e.AgentRun, func(r *event.AgentRun) {
		r.Objective, r.Result, r.Error = m.Mask(r.Objective), m.Mask(r.Result), Failure(m, r.Error)
	})
	e.Iteration = with(e.Iteration, func(i *event.AgentIteration) {
		i.Completion, i.Args, i.Result = m.Mask(i.Completion), JSON(m, i.Args), m.Mask(i.Result)
	})
	e.Sampling = with(e.Sampling, func(s *event.Sampling) {
		s.Messages, s.Completion, s.Error = JSON(m, s.Messages), m.Mask(s.Completion), Failure(m, s.Error)
	})
	e.AgentTool = with(e.AgentTool, func(t *event.AgentTool) {
		t.Args, t.Result, t.Client = JSON(m, t.Args), m.Mask(t.Result), m.Mask(t.Client)
	})
	return e
}

// with changes a copy of a part that an event may have.
func with[T any](part *T, change func(*T)) *T {
	if part == nil {
		return nil
	}
	c := *part
	change(&c)
	return &c
}
