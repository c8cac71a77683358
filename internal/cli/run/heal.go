package run

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/app"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/internal/ground/config"
	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
	"github.com/trailblaze-dev/trailblaze/internal/ground/yaml"
	"github.com/trailblaze-dev/trailblaze/internal/trails/record"
	"github.com/trailblaze-dev/trailblaze/internal/trails/replay"
)

// The files of proposed repairs, in the folder of a run's report.
const (
	healsFile = "heals.json"
	healsDiff = "heals.diff"
	maxHeals  = 64 << 20
)

// healsDoc are the repairs that a run proposes.
type healsDoc struct {
	Schema string     `json:"schema"` // trailblaze.heals/1
	ID     string     `json:"id"`
	Trails []healsOne `json:"trails"`
}

// healsOne is the repair of one trail file.
type healsOne struct {
	Path  string       `json:"path"`
	File  string       `json:"file"` // the absolute path
	Hash  string       `json:"hash"` // SHA-256 of the file that was played
	Heals []event.Heal `json:"heals"`
	Diff  string       `json:"diff"`
	Text  string       `json:"text"` // of the repaired file
}

// keepHeals writes the repairs of the trails that passed. A trail that failed later proves nothing of its repairs, and
// what a model did in place of calls proves nothing before it is replayed.
func (c *runCmd) keepHeals(
	ctx context.Context, r *app.Runner, s *replay.Suite, jobs []chosen, results []replay.JobResult, doc *runDoc,
) {
	out := healsDoc{Schema: "trailblaze.heals/1", ID: c.id}
	kept := map[string]bool{}
	for i, res := range results {
		path := c.fileOf(res.Job)
		if res.Outcome != event.Healed || kept[path] {
			continue
		}
		kept[path] = true
		one, err := c.mended(ctx, r, s, jobs[i], res, path, doc)
		if err != nil {
			err = errors.Join(err, refute(&results[i], err))
			doc.Notes = append(doc.Notes, fmt.Sprintf("%s: no repair is proposed: %v", res.Job.Path, err))
			continue
		}
		out.Trails = append(out.Trails, one)
	}
	if len(out.Trails) == 0 {
		return
	}
	dir, mode := c.reportDir, public
	if dir == "" {
		dir, mode = filepath.Join(c.cfg.Reports(), c.id), private
	}
	data, err := json.MarshalIndent(out, "", "  ")
	if err == nil {
		err = writeWith(filepath.Join(dir, healsFile), mode, bytesOf(data))
	}
	if err == nil {
		err = writeWith(filepath.Join(dir, healsDiff), mode, bytesOf([]byte(out.diff())))
	}
	if err != nil {
		doc.Notes = append(doc.Notes, "the repairs cannot be written: "+err.Error())
		return
	}
	doc.Heals = filepath.Join(dir, healsDiff)
	doc.Notes = append(doc.Notes,
		"review the repairs; trailblaze heal apply "+applyArg(c.reportDir)+"writes them into the trails")
}

func applyArg(dir string) string {
	if dir == "" {
		return ""
	}
	return dir + " "
}

func (d healsDoc) diff() string {
	var b strings.Builder
	for _, t := range d.Trails {
		b.WriteString(t.Diff)
	}
	return b.String()
}

// mended is the repair of one trail.
func (c *runCmd) mended(
	ctx context.Context, r *app.Runner, s *replay.Suite, j chosen, res replay.JobResult, path string, doc *runDoc,
) (one healsOne, err error) {
	t, heals := j.Trail, res.Last().Result.Heals
	var text []byte
	if slices.ContainsFunc(heals, func(h event.Heal) bool { return h.Redone > 0 }) {
		text, err = c.proven(ctx, r, s, j, res, path, doc)
	} else {
		text, err = replay.Mend(t, heals, c.platform.Classifiers[0])
	}
	return healsOne{Path: res.Job.Path, File: path, Hash: digest(t.Source), Heals: heals, Text: string(text),
		Diff: record.Unified(res.Job.Path, string(t.Source), string(text))}, err
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

type healCmd struct {
	*shell.Shell
	cfg     *config.Config
	history bool
}

// NewHeal makes the command trailblaze heal.
func NewHeal(a *shell.Shell) *cobra.Command {
	c := &healCmd{Shell: a}
	with := func(run func(context.Context, []string) error) func(*cobra.Command, []string) error {
		return func(cmd *cobra.Command, args []string) (err error) {
			if c.cfg, err = a.Settings(cmd); err != nil {
				return err
			}
			return run(cmd.Context(), args)
		}
	}
	cmd := &cobra.Command{
		Use: "heal [report folder]", Short: "Show or apply the repairs that run --heal proposed", GroupID: "results",
		Long: `Show the repairs that the last run with --heal proposed, as a difference to review, or those in a report
folder. Nothing is written; trailblaze heal apply does.

With --replay-history, arguments are trails. What relocation would do is scored on the kept screens of their green
runs, without a browser: each element is looked for on the screens of other runs, and on these screens without it.`,
		Example: `  trailblaze run trails/ --heal          # proposes
  trailblaze heal                        # what, as a difference
  trailblaze heal apply                  # writes it into the trails
  trailblaze heal --replay-history trails/`,
		RunE: with(func(ctx context.Context, args []string) error {
			if c.history {
				return c.score(ctx, args)
			}
			return c.Run(args)
		}),
	}
	cmd.Flags().BoolVar(&c.history, "replay-history", false, "score relocation on the kept screens of green runs")
	cmd.AddCommand(&cobra.Command{
		Use: "apply [report folder]", Short: "Write proposed repairs into the trail files",
		Long: `Write the repairs that the last run with --heal proposed into the trail files, or those in a report folder.
Nothing is written at all when one of the files has changed since that run.`,
		Example: `  trailblaze heal apply
  trailblaze heal apply ci/report`,
		Args: cobra.MaximumNArgs(1),
		RunE: with(func(_ context.Context, args []string) error { return c.apply(args) }),
	})
	return cmd
}

// Run shows the repairs.
func (c *healCmd) Run(args []string) error {
	doc, err := c.read(args)
	if err != nil {
		return err
	}
	if c.JSON {
		return c.PrintJSON(doc)
	}
	c.Printf("%s", doc.diff())
	return nil
}

// read finds the repairs: those in a folder, else the newest.
func (c *healCmd) read(args []string) (healsDoc, error) {
	const op = "find repairs"
	var doc healsDoc
	if len(args) > 1 {
		return doc, fault.New(fault.Invalid, op, "expected one report folder")
	}
	dirs := args
	if len(args) == 0 {
		entries, err := os.ReadDir(c.cfg.Reports())
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return doc, fault.Wrap(err, fault.Unavailable, op)
		}
		for _, e := range slices.Backward(entries) { // names begin with the time
			dirs = append(dirs, filepath.Join(c.cfg.Reports(), e.Name()))
		}
	}
	for _, dir := range dirs {
		data, err := file.Read(filepath.Join(dir, healsFile), maxHeals)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return doc, fault.Wrap(err, fault.Unavailable, op)
		}
		if err := json.Unmarshal(data, &doc); err != nil || doc.Schema != "trailblaze.heals/1" {
			return doc, fault.New(fault.Invalid, op, "%s holds no repairs of this version", filepath.Join(dir, healsFile))
		}
		return doc, nil
	}
	what := "no run has proposed a repair"
	if len(args) > 0 {
		what = args[0] + " is no report of a run that proposed a repair"
	}
	return doc, fault.New(fault.NotFound, op, "%s", what).
		WithHint("trailblaze run --heal proposes them, where a step finds its element no longer.")
}

// apply writes all repairs or none.
func (c *healCmd) apply(args []string) error {
	const op = "apply repairs"
	doc, err := c.read(args)
	if err != nil {
		return err
	}
	var todo []healsOne
	for _, t := range doc.Trails {
		data, err := file.Read(t.File, yaml.MaxSize)
		switch {
		case err != nil:
			return fault.Wrap(err, fault.NotFound, op)
		case digest(data) == digest([]byte(t.Text)): // done already
		case digest(data) != t.Hash:
			return fault.New(fault.Conflict, op, "%s has changed since the run that proposed the repair; nothing is written",
				t.Path).WithHint("Run it with --heal again.")
		default:
			todo = append(todo, t)
		}
	}
	applied := []string{}
	for _, t := range todo {
		if err := writeFile(t.File, []byte(t.Text)); err != nil {
			return err
		}
		applied = append(applied, t.Path)
	}
	if c.JSON {
		return c.PrintJSON(map[string]any{"schema": "trailblaze.heals.applied/1", "applied": applied})
	}
	for _, p := range applied {
		c.Printf("repaired %s\n", p)
	}
	if len(applied) == 0 {
		c.Printf("the repairs are in the trails already\n")
	}
	return nil
}
