package run

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/internal/ground/config"
	"github.com/trailblaze-dev/trailblaze/internal/trails/repair"
)

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
		Args: shell.AtMost(1, "at most one report folder"),
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
	c.Printf("%s", doc.Diff())
	return nil
}

// read finds the repairs: those in a folder, else the newest.
func (c *healCmd) read(args []string) (repair.Proposal, error) {
	const op = "find repairs"
	if len(args) > 1 {
		return repair.Proposal{}, fault.New(fault.Invalid, op, "expected one report folder")
	}
	if len(args) == 1 {
		doc, err := repair.Read(args[0])
		if fault.KindOf(err) == fault.NotFound {
			err = fault.New(fault.NotFound, op, "%s is no report of a run that proposed a repair", args[0]).
				WithHint("%s", fault.HintOf(err))
		}
		return doc, err
	}
	entries, err := os.ReadDir(c.cfg.Reports())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return repair.Proposal{}, fault.Wrap(err, fault.Unavailable, op)
	}
	var dirs []string
	for _, e := range slices.Backward(entries) { // names begin with the time
		dirs = append(dirs, filepath.Join(c.cfg.Reports(), e.Name()))
	}
	return repair.Read(dirs...)
}

// apply writes all repairs or none.
func (c *healCmd) apply(args []string) error {
	doc, err := c.read(args)
	if err != nil {
		return err
	}
	applied, err := doc.Apply()
	if err != nil {
		return err
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
