package repair

import (
	"errors"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/trails/replay"
)

// refute ends a trail that passed as one that did not: the calls of the model in it cannot be kept, so no later run is
// like this one. It says so in the log of the session, of which reports are made.
func (p Played) refute(why error) error {
	res := p.JobResult
	i := len(res.Attempts) - 1
	out := *res.Attempts[i].Result
	out.Outcome, out.Reason, out.Failure = event.OutcomeOf(why), "", fault.FailureOf(why)
	res.Outcome, res.Attempts[i].Result = out.Outcome, &out
	return fault.Wrap(amend(res.Attempts[i].Dir, &out), "", "end trail anew")
}

// amend ends the trail and the session of a log once more, as out says.
func amend(dir string, out *replay.Outcome) error {
	if dir == "" {
		return nil
	}
	var ends []event.Event
	for e, err := range event.Read(dir) {
		if err != nil {
			return err
		}
		if e.Type == event.TrailEnded && e.Trail != nil || e.Type == event.SessionEnded && e.Session != nil {
			ends = append(ends, e)
		}
	}
	log, err := event.Create(dir)
	if err != nil {
		return err
	}
	for _, e := range ends {
		if e.Time = (time.Time{}); e.Type == event.TrailEnded {
			t := *e.Trail
			t.Outcome, t.Reason, t.Error = out.Outcome, out.Reason, out.Failure
			e.Trail = &t
		} else {
			s := *e.Session
			s.Outcome, s.Error = out.Outcome, out.Failure
			e.Session = &s
		}
		if _, err = log.Append(e); err != nil {
			break
		}
	}
	return errors.Join(err, log.Close())
}
