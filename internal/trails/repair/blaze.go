package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/agent"
	"github.com/trailblaze-dev/trailblaze/internal/app"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
	"github.com/trailblaze-dev/trailblaze/internal/trails/record"
	"github.com/trailblaze-dev/trailblaze/internal/trails/replay"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// assist finds the model that carries out the steps without a recording, and those to be healed; nil when there are
// none, or no model.
func (c *runCmd) assist(ctx context.Context, r *app.Runner, jobs []chosen) (replay.Assist, error) {
	asks := func(j chosen) bool { return c.unrecorded(j.Trail) || c.thinks(j.Trail, r) }
	if !c.heal && !slices.ContainsFunc(jobs, asks) {
		return nil, nil
	}
	return c.models.Assist(ctx, r, c.root, c.cfg.String("llm"))
}

// generate writes the trail that is not there yet: steps in plain language, without recordings, as a model plans them.
func (c *runCmd) generate(ctx context.Context) error {
	const op = "generate trail"
	if len(c.paths) != 1 || !strings.HasSuffix(c.paths[0], "trail.yaml") {
		return fault.New(fault.Invalid, op, "--description takes the path of one trail file to write, name.trail.yaml")
	}
	path := c.paths[0]
	if _, err := os.Lstat(path); err == nil {
		return fault.New(fault.Conflict, op, "%s is there already", path).
			WithHint("Run it without --description, or name another file.")
	}
	r, err := c.runner(ctx)
	if err != nil {
		return err
	}
	defer r.Close(ctx)
	use, err := c.models.Outer(ctx, c.root, c.cfg.String("llm"))
	if err != nil {
		return err
	}
	t, err := agent.Plan(ctx, use, c.description)
	if err != nil {
		return err
	}
	t.Config.ID = record.IDOf(shownPath(c.root, path))
	data, err := trail.Encode(t)
	if err != nil {
		return err
	}
	return writeFile(path, data)
}

// thinks says whether a trail, or one that it calls, cannot be played without a model.
func (c *runCmd) thinks(t *trail.Trail, r *app.Runner) bool {
	return t != nil && fault.KindOf(replay.Preflight(t, c.platform.Classifiers, r.Registry, nil)) == fault.Unavailable
}

// inCI reports whether this runs on a machine of CI. There only a model that was named may be asked: a key that lies
// in the environment for something else does not pay for steps without a recording.
func inCI(env func(string) string) bool {
	v := env("CI")
	return v != "" && v != "0" && v != "false"
}

// unrecorded says whether a trail has a step that a model would have to play.
func (c *runCmd) unrecorded(t *trail.Trail) bool {
	if t == nil {
		return false
	}
	return slices.ContainsFunc(t.Resolve(c.platform.Classifiers), func(s trail.ResolvedStep) bool {
		return s.State == trail.StateUndeclared
	})
}

// keepBlazed saves a model's calls for the trails that passed: into the trail itself, or the file of --record. A trail
// that does not replay on a fresh device without the model is not saved, and is no success.
func (c *runCmd) keepBlazed(
	ctx context.Context, r *app.Runner, s *replay.Suite, jobs []chosen, results []replay.JobResult, doc *runDoc,
) {
	kept := map[string]bool{}
	for i, res := range results {
		path := cmp.Or(c.record, c.fileOf(res.Job))
		if res.Outcome != event.Passed && res.Outcome != event.Flaky || kept[path] || !c.unrecorded(res.Job.Trail) {
			continue
		}
		data, err := c.proven(ctx, r, s, jobs[i], res, path, doc)
		if err == nil {
			err = writeFile(path, data)
		}
		if err != nil {
			err = errors.Join(err, refute(&results[i], err))
			doc.Notes = append(doc.Notes, fmt.Sprintf("%s: what the model did is not saved: %v", res.Job.Path, err))
			continue
		}
		kept[path] = true
		doc.Recording = path
	}
}

// fileOf is the trail file of a job.
func (c *runCmd) fileOf(j replay.Job) string {
	if j.Trail == nil {
		return j.Path
	}
	return filepath.Join(j.Trail.Dir, filepath.Base(j.Path))
}

// proven is the trail file with what a model did in a run: the steps that had no recording, and those that were healed.
// The file was replayed. Calls that led nowhere are left out, and values of the trail's arguments and memory become
// tokens.
func (c *runCmd) proven(
	ctx context.Context, r *app.Runner, s *replay.Suite, j chosen, res replay.JobResult, path string, doc *runDoc,
) ([]byte, error) {
	source, heals := j.Trail, res.Last().Result.Heals
	redone := func(step int) bool {
		return slices.ContainsFunc(heals, func(h event.Heal) bool { return h.Redone > 0 && h.Step == step })
	}
	resolved := j.Trail.Resolve(c.platform.Classifiers)
	bare := func(step int, verify bool) bool {
		return slices.ContainsFunc(resolved, func(s trail.ResolvedStep) bool {
			return s.Index == step && s.State == trail.StateUndeclared && (verify || s.Step.Kind != trail.VerifyStep)
		})
	}
	blazed := func(step int) bool { return redone(step) || bare(step, false) }
	plan := record.Plan{Classifier: c.platform.Classifiers[0], Tools: r.Registry, Blazed: blazed, Lift: tokensOf(j),
		Only: func(step int) bool { return redone(step) || bare(step, true) }}
	mended, err := replay.Mend(j.Trail, heals, plan.Classifier)
	if err != nil {
		return nil, err
	}
	if len(heals) > 0 {
		var problems trail.Problems
		if source, problems = trail.Parse(j.Trail.Path, mended, trail.Strict); problems.Err() != nil {
			return nil, problems.Err()
		}
	}
	recorded, base, warnings, err := rerecorded(source, c.logs[res.Job.Number], path, plan)
	doc.Notes = append(doc.Notes, warnings...)
	if err != nil {
		return nil, err
	}
	if len(heals) > 0 {
		base = mended
	}
	c.sign(ctx, recorded, res.Last().Result.Steps)
	p := proof{runCmd: c, run: r, suite: s, job: res.Job, into: base, classifier: plan.Classifier}
	data, notes, dropped, err := p.optimise(ctx, recorded, blazed)
	doc.Notes = append(doc.Notes, notes...)
	if err != nil {
		return nil, err
	}
	if dropped > 0 {
		doc.Notes = append(doc.Notes, fmt.Sprintf("%s: %s of detours left out", j.Path, phrase.Count(dropped, "call")))
	}
	return data, nil
}

// tokensOf are the tokens of the values that a trail is played with, secrets apart. Arguments come before memory.
func tokensOf(j chosen) map[string]string {
	out := map[string]string{}
	m := j.memory()
	for name, v := range m.Public() {
		if text, ok := v.(string); ok && !m.IsSecret(name) && text != "" {
			out[text] = "{{memory." + name + "}}"
		}
	}
	for name, v := range j.args {
		if text, ok := v.(string); ok && text != "" {
			out[text] = "{{args." + name + "}}"
		}
	}
	return out
}

// sign writes into a recording which model carried out its steps, and whether the judge agreed.
func (c *runCmd) sign(ctx context.Context, t *trail.Trail, steps []replay.StepOutcome) {
	use, err := c.models.Of(c.root)(ctx, c.cfg.String("llm"))
	if err != nil {
		return // the run would not have come so far
	}
	by := use.Model.Name()
	if use.Outer != nil {
		by += " and " + use.Outer.Model.Name()
	}
	signed := maps.Clone(t.Config.Metadata)
	if signed == nil {
		signed = map[string]string{}
	}
	for _, s := range steps {
		if s.Price == nil {
			continue
		}
		judged := "no judge was asked"
		if s.Price.Ruling != "" {
			judged = "the judge says " + s.Price.Ruling
		}
		signed["blazed: "+s.Text] = by + "; " + judged
	}
	t.Config.Metadata = signed
}
