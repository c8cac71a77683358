package run

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/trailblaze-dev/trailblaze/internal/app"
	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/internal/event"
	"github.com/trailblaze-dev/trailblaze/internal/replay"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// assist finds the model that plays the steps without a recording; nil when there are none, or no model.
func (c *runCmd) assist(ctx context.Context, r *app.Runner, jobs []chosen) (replay.Assist, error) {
	if !slices.ContainsFunc(jobs, func(j chosen) bool { return c.unrecorded(j.Trail) }) {
		return nil, nil
	}
	return c.models.Assist(ctx, r, c.root, c.cfg.String("llm"))
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

// keepBlazed saves what a model did for the trails that passed: into the trail itself, or the file of --record. What
// does not replay on a fresh device without the model is not saved, and is no success.
func (c *runCmd) keepBlazed(
	ctx context.Context, r *app.Runner, s *replay.Suite, jobs []chosen, results []replay.JobResult, doc *runDoc,
) {
	kept := map[string]bool{}
	for i, res := range results {
		path := cmp.Or(c.record, c.fileOf(res.Job))
		if res.Outcome != event.Passed && res.Outcome != event.Flaky || kept[path] || !c.unrecorded(res.Job.Trail) {
			continue
		}
		err := c.blazed(ctx, r, s, jobs[i], i, path, doc)
		if err != nil {
			doc.Notes = append(doc.Notes, fmt.Sprintf("%s: what the model did is not saved: %v", res.Job.Path, err))
			doc.ExitCode = int(shell.Worst(shell.Code(doc.ExitCode), shell.CodeOf(err)))
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

// blazed makes the recording of one trail, replays it, and saves it when that passes.
func (c *runCmd) blazed(
	ctx context.Context, r *app.Runner, s *replay.Suite, j chosen, number int, path string, doc *runDoc,
) error {
	data, notes, err := c.recorded(r.Registry, j.Trail, c.logs[number], path)
	doc.Notes = append(doc.Notes, notes...)
	if err != nil {
		return err
	}
	made, problems := trail.Parse(j.Path, data, trail.Strict)
	if err := problems.Err(); err != nil {
		return err
	}
	made.Dir = j.Trail.Dir
	player := *s.Player
	player.Assist, player.Observe = nil, nil
	again := replay.Suite{Timeout: s.Timeout, Player: &player, Open: s.Open}
	job := j.Job
	job.Trail, job.Number = made, number
	if out := again.Attempt(ctx, job).Result; out.Outcome != event.Passed {
		return fmt.Errorf("it does not replay: %w", out.Failure.Err())
	}
	return writeFile(path, data)
}
