package run

import (
	"cmp"
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/agent"
	"github.com/trailblaze-dev/trailblaze/internal/app"
	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/internal/trails/record"
	"github.com/trailblaze-dev/trailblaze/internal/trails/repair"
	"github.com/trailblaze-dev/trailblaze/internal/trails/replay"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// assist finds the model that carries out the steps without a recording, and those to be healed; nil when there are
// none, or no model.
func (c *runCmd) assist(ctx context.Context, r *app.Runner, jobs []chosen) (replay.Assist, error) {
	if len(c.platforms) > 1 {
		return nil, nil
	}
	asks := func(j chosen) bool { return repair.Unrecorded(j.Trail, c.classifiers()) || c.thinks(j.Trail, r) }
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
	given, err := shell.Pairs("actor", c.actors)
	if err != nil {
		return err
	}
	var actors []trail.Actor
	for _, name := range slices.Sorted(maps.Keys(given)) {
		actors = append(actors, trail.Actor{Name: name, Device: given[name]})
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
	t, err := agent.Plan(ctx, use, c.description, actors)
	if err != nil {
		return err
	}
	t.Config.ID = record.IDOf(displayPath(c.root, path))
	data, err := trail.Encode(t)
	if err != nil {
		return err
	}
	if _, problems := trail.Parse(path, data, trail.Strict); problems.Err() != nil {
		return fault.Wrap(problems.Err(), "", op)
	}
	return writeFile(path, data)
}

// thinks reports whether a trail, or one that it calls, cannot be played without a model.
func (c *runCmd) thinks(t *trail.Trail, r *app.Runner) bool {
	return t != nil && fault.KindOf(replay.Preflight(t, c.classifiers(), r.Registry, nil)) == fault.Unavailable
}

// inCI reports whether this runs on a machine of CI. There only a model that was named may be asked: a key that lies
// in the environment for something else does not pay for steps without a recording.
func inCI(env func(string) string) bool {
	v := env("CI")
	return v != "" && v != "0" && v != "false"
}

// keep saves what a model did into the trails of the run, and writes the repairs that it proposes beside its report.
func (c *runCmd) keep(ctx context.Context, r *app.Runner, s *replay.Suite, jobs []chosen, results []replay.JobResult,
	blazed bool, doc *runDoc, settle func()) {
	room := repair.Room{Suite: s, Tools: r.Registry, Classifiers: c.classifiers()}
	played := make([]repair.Played, len(results))
	for i := range results {
		file := c.fileOf(results[i].Job)
		played[i] = repair.Played{JobResult: &results[i], File: file, Into: cmp.Or(c.record, file),
			Log: c.logs[results[i].Job.Number], Memory: jobs[i].memory, Args: jobs[i].args}
	}
	var notes []string
	switch {
	case blazed:
		doc.Recording, notes = room.Blaze(ctx, played)
		doc.Notes = append(doc.Notes, notes...)
	case c.record != "":
		c.writeRecording(room, results[0], doc)
	}
	settle()
	found, notes := room.Propose(ctx, c.id, played)
	doc.Notes = append(doc.Notes, notes...)
	if len(found.Trails) == 0 {
		return
	}
	dir, mode := c.reportDir, public
	if dir == "" {
		dir, mode = filepath.Join(c.cfg.Reports(), c.id), private
	}
	diff, err := found.Write(dir, mode)
	if err != nil {
		doc.Notes = append(doc.Notes, "the repairs cannot be written: "+err.Error())
		return
	}
	doc.Heals = diff
	doc.Notes = append(doc.Notes,
		"review the repairs; trailblaze heal apply "+applyArg(c.reportDir)+"writes them into the trails")
}

func applyArg(dir string) string {
	if dir == "" {
		return ""
	}
	return dir + " "
}

// fileOf is the trail file of a job.
func (c *runCmd) fileOf(j replay.Job) string {
	if j.Trail == nil {
		return j.Path
	}
	return filepath.Join(j.Trail.Dir, filepath.Base(j.Path))
}
