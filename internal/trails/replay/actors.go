package replay

import (
	"context"
	"slices"
	"sync"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// onActors returns a trail for the devices of the actors that joined a session, and the actors themselves.
func onActors(s *session.Session, t *trail.Trail) (*trail.Trail, []event.Actor) {
	var out []event.Actor
	classifiers := map[string][]string{}
	for _, a := range t.Config.Actors {
		of := s.Of(a.Name)
		if of == nil || of.Device == nil {
			continue
		}
		i := of.Device.Info()
		classifiers[a.Name] = i.Classifiers
		out = append(out, event.Actor{Name: a.Name, Device: i.ID, Platform: string(i.Platform), Version: i.Version,
			Width: i.Width, Height: i.Height})
	}
	if len(out) > 0 {
		t = t.On(classifiers)
	}
	return t, out
}

// alone refuses a trail with actors where there is one device.
func alone(t *trail.Trail) error {
	if len(t.Config.Actors) == 0 {
		return nil
	}
	return fault.New(fault.Unsupported, "play trail", "%s is played on several devices, and here is one", t.Path).
		WithHint("Play it with `trailblaze run`, which opens a device for each of its actors.")
}

func (g *playing) play(ctx context.Context) *Outcome {
	classifiers := g.classifiers(g.session.Device)
	if o := g.Check(g.trail, g.session.Device); o != nil {
		return o
	}
	if len(g.actors) < len(g.trail.Config.Actors) {
		err := alone(g.trail)
		return &Outcome{Outcome: event.OutcomeOf(err), Failure: fault.FailureOf(err)}
	}
	out := &Outcome{Outcome: event.Passed}
	steps := g.attempt.steps(g.trail.Resolve(classifiers))
	for _, of := range g.parts() {
		of.all = calls(own(of.session.Actor, steps))
		of.left = of.all
	}
	for len(steps) > 0 {
		if err := ctx.Err(); err != nil {
			out.Outcome, out.Failure = event.Canceled, fault.FailureOf(fault.Wrap(err, fault.Canceled, "play trail"))
			break
		}
		n := together(steps)
		out.add(g.steps(ctx, steps[:n], steps[n:]))
		if steps = steps[n:]; out.Failed != nil {
			break
		}
	}
	for _, of := range g.parts() {
		out.Heals = append(out.Heals, of.heals...)
	}
	if out.Outcome == event.Passed && out.Calls == 0 && !g.attempt.part() {
		err := fault.New(fault.Assertion, "play trail", "no tool call was carried out, so nothing is known to work").
			WithHint("record at least one step for this device")
		out.Outcome, out.Failure = event.Failed, fault.FailureOf(err)
	}
	return out
}

// parts returns the part of the trail itself and those of its actors.
func (g *playing) parts() []*playing { return append([]*playing{g}, g.actors...) }

// own returns the steps of an actor.
func own(actor string, steps []trail.ResolvedStep) []trail.ResolvedStep {
	return slices.DeleteFunc(slices.Clone(steps), func(r trail.ResolvedStep) bool { return r.On != actor })
}

// part returns the part that a step belongs to.
func (g *playing) part(r trail.ResolvedStep) *playing {
	i := slices.IndexFunc(g.actors, func(of *playing) bool { return of.session.Actor == r.On })
	if i < 0 {
		return g
	}
	return g.actors[i]
}

// together returns how many of the steps begin at once.
func together(steps []trail.ResolvedStep) int {
	n := 1
	for n < len(steps) && steps[n].Together {
		n++
	}
	return n
}

// steps plays steps that begin at once, and waits for all of them. One that does not pass stops the others. after are
// the steps that follow.
func (g *playing) steps(ctx context.Context, now, after []trail.ResolvedStep) []StepOutcome {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	outs := make([]StepOutcome, len(now))
	var work sync.WaitGroup
	for i, r := range now {
		of := g.part(r)
		of.after = calls(after)
		play := func() {
			outs[i] = of.step(ctx, r, len(own(r.On, after)) == 0)
			if so := &outs[i]; so.Outcome != event.Passed && so.Outcome != event.Healed {
				cancel(fault.New(fault.Canceled, "play step", "%s did not pass its step at the same time", r.On))
			}
		}
		if len(now) == 1 {
			play()
			continue
		}
		work.Go(play)
	}
	work.Wait()
	return outs
}

// add adds steps that were played at once. Of those that did not pass, the one that stopped the others decides.
func (o *Outcome) add(outs []StepOutcome) {
	first := len(o.Steps)
	o.Steps = append(o.Steps, outs...)
	for i := range outs {
		so := &o.Steps[first+i]
		o.Calls += so.Calls
		switch {
		case so.Outcome == event.Passed:
		case so.Outcome == event.Healed:
			if o.Failed == nil {
				o.Outcome = event.Healed
			}
		case o.Failed == nil || o.Failed.Outcome == event.Canceled && so.Outcome != event.Canceled:
			o.Outcome, o.Failure, o.Failed = so.Outcome, so.Failure, so
		}
	}
}
