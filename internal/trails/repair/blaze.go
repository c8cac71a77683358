package repair

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
	"github.com/trailblaze-dev/trailblaze/internal/ground/yaml"
	"github.com/trailblaze-dev/trailblaze/internal/trails/record"
	"github.com/trailblaze-dev/trailblaze/internal/trails/replay"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// Room repairs the trails of one run.
type Room struct {
	Suite       *replay.Suite  // that played them
	Tools       *tool.Registry // that they call
	Classifiers []string       // of the device
}

// Played is a trail that the run has played.
type Played struct {
	*replay.JobResult
	File   string               // of the trail
	Into   string               // the file that its recordings are saved in
	Log    *event.Log           // of its newest session
	Memory func() *memory.Store // makes the memory that it began with
	Args   map[string]any       // that it was played with
}

// Unrecorded reports whether a trail has a step that a model would have to play.
func Unrecorded(t *trail.Trail, classifiers []string) bool {
	return t != nil && slices.ContainsFunc(t.Resolve(classifiers), func(s trail.ResolvedStep) bool {
		return s.State == trail.StateUndeclared
	})
}

// Blaze saves a model's calls for the trails that passed. A trail that does not replay on a fresh device without the
// model is not saved, and is no success.
func (r Room) Blaze(ctx context.Context, played []Played) (saved string, notes []string) {
	kept := map[string]bool{}
	for _, p := range played {
		if p.Outcome != event.Passed && p.Outcome != event.Flaky || kept[p.Into] ||
			!Unrecorded(p.Job.Trail, r.Classifiers) {
			continue
		}
		data, more, err := r.proven(ctx, p, p.Into)
		notes = append(notes, more...)
		if err == nil {
			err = file.ReplaceAs(p.Into, public, data)
		}
		if err != nil {
			err = errors.Join(err, p.refute(err))
			notes = append(notes, fmt.Sprintf("%s: what the model did is not saved: %v", p.Job.Path, err))
			continue
		}
		kept[p.Into], saved = true, p.Into
	}
	return saved, notes
}

// Record returns the trail file into, or a new one, with what was done in the session of a log, and notes for a person.
func (r Room) Record(t *trail.Trail, log *event.Log, into string) (data []byte, notes []string, err error) {
	plan := record.Plan{Classifier: r.Classifiers[0], Tools: r.Tools}
	recorded, base, warnings, err := rerecorded(t, log, into, plan)
	if err != nil {
		return nil, nil, err
	}
	data, notes, err = trail.Merge(base, recorded, t.Config.Classes(plan.Classifier)...)
	return data, append(notes, warnings...), err
}

// rerecorded is a trail with what was done in the session of a log, and the file that it is to be merged into.
func rerecorded(t *trail.Trail, log *event.Log, into string, p record.Plan) (
	recorded *trail.Trail, base []byte, warnings []string, err error,
) {
	recorded = t
	if len(t.Config.Actors) == 0 {
		done, err := record.OfLog(log)
		if err != nil {
			return nil, nil, nil, err
		}
		recorded, warnings = done.Rerecord(t, p)
	}
	for _, a := range t.Config.Actors {
		done, err := record.OfActor(log, a.Name)
		if err != nil {
			return nil, nil, nil, err
		}
		own := p
		own.Classifier = t.Config.Class(a.Name, p.Classifier)
		var more []string
		recorded, more = done.Rerecord(recorded, own)
		warnings = append(warnings, more...)
	}
	base, err = file.Read(into, yaml.MaxSize)
	if errors.Is(err, fs.ErrNotExist) {
		base, err = t.Source, nil // a new file begins as the trail that ran, comments and all
	}
	return recorded, base, warnings, err
}

// proven is the trail file with what a model did in a run: the steps that had no recording, and those that were healed.
// The file was replayed. Calls that led nowhere are left out, and values of the trail's arguments and memory become
// tokens.
func (r Room) proven(ctx context.Context, p Played, into string) (data []byte, notes []string, err error) {
	t, heals := p.Job.Trail, p.Last().Result.Heals
	redone := func(step int) bool {
		return slices.ContainsFunc(heals, func(h event.Heal) bool { return h.Redone > 0 && h.Step == step })
	}
	resolved := t.Resolve(r.Classifiers)
	bare := func(step int, verify bool) bool {
		return slices.ContainsFunc(resolved, func(s trail.ResolvedStep) bool {
			return s.Index == step && s.State == trail.StateUndeclared && (verify || s.Step.Kind != trail.VerifyStep)
		})
	}
	blazed := func(step int) bool { return redone(step) || bare(step, false) }
	plan := record.Plan{Classifier: r.Classifiers[0], Tools: r.Tools, Blazed: blazed, Lift: p.tokens(),
		Only: func(step int) bool { return redone(step) || bare(step, true) }}
	mended, err := replay.Mend(t, heals, plan.Classifier)
	if err != nil {
		return nil, nil, err
	}
	if len(heals) > 0 {
		var problems trail.Problems
		if t, problems = trail.Parse(t.Path, mended, trail.Strict); problems.Err() != nil {
			return nil, nil, problems.Err()
		}
	}
	recorded, base, notes, err := rerecorded(t, p.Log, into, plan)
	if err != nil {
		return nil, notes, err
	}
	if len(heals) > 0 {
		base = mended
	}
	proof := proof{Room: r, job: p.Job, into: base}
	data, more, dropped, err := proof.optimise(ctx, recorded, blazed)
	notes = append(notes, more...)
	if dropped > 0 {
		notes = append(notes, fmt.Sprintf("%s: %s of detours left out", p.Job.Path, phrase.Count(dropped, "call")))
	}
	return data, notes, err
}

// tokens returns the tokens of the values that the trail was played with, secrets apart. Arguments come before memory.
func (p Played) tokens() map[string]string {
	out := map[string]string{}
	m := p.Memory()
	for name, v := range m.Public() {
		if text, ok := v.(string); ok && !m.IsSecret(name) && text != "" {
			out[text] = "{{memory." + name + "}}"
		}
	}
	for name, v := range p.Args {
		if text, ok := v.(string); ok && text != "" {
			out[text] = "{{args." + name + "}}"
		}
	}
	return out
}
