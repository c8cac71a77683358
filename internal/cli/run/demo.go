package run

import (
	"context"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/internal/ground/config"
	"github.com/trailblaze-dev/trailblaze/internal/ground/demo"
)

type demoCmd struct {
	*shell.Shell
	cfg         *config.Config
	keep, serve bool
}

// NewDemo makes the command trailblaze demo.
func NewDemo(a *shell.Shell) *cobra.Command {
	c := &demoCmd{Shell: a}
	cmd := &cobra.Command{
		Use: "demo", Short: "Serve a sample shop, replay its trails, write a report", GroupID: "trails",
		Example: `  trailblaze demo            # green run, path of the report
  trailblaze demo --headed   # watch it
  trailblaze demo --serve    # only the shop, to record trails of your own`,
		Args: shell.Exactly(0, "no arguments"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			for _, f := range []string{"jobs", "screenshots"} { // the demo's own defaults win over the files'
				if err := cmd.Flags().Set(f, cmd.Flags().Lookup(f).Value.String()); err != nil {
					return fault.Wrap(err, fault.Internal, "read command line")
				}
			}
			if c.cfg, err = a.Settings(cmd); err != nil {
				return err
			}
			return c.Run(cmd.Context(), args)
		},
	}
	f := cmd.Flags()
	f.Bool("headed", false, "show the browser")
	f.String("browser", "", "`path` or name of the browser; default: the first that is found")
	f.String("screenshots", "steps", "take pictures: failure, `steps` or off")
	f.IntP("jobs", "j", 2, "play `n` trails at once")
	f.BoolVar(&c.keep, "keep", false, "go on serving the shop afterwards, until interrupted")
	f.BoolVar(&c.serve, "serve", false, "serve the shop and play nothing")
	shell.Exclusive(cmd, [2]string{"keep", "serve"})
	return cmd
}

// Run serves the shop and plays its trails.
func (c *demoCmd) Run(ctx context.Context, _ []string) error {
	// The shop outlives the interrupt for a moment: the trail under way ends first.
	shop, err := demo.Serve(context.WithoutCancel(ctx))
	if err != nil {
		return err
	}
	defer func() { _ = shop.Close() }()
	if c.serve {
		return c.wait(ctx, shop)
	}
	dir := filepath.Join(c.cfg.Home, "demo")
	files, err := demo.WriteTrails(dir)
	if err != nil {
		return err
	}
	if !c.JSON {
		c.Printf("%s\n\n", c.Style().Dim("The shop is open at "+shop.URL+"; its trails are in "+dir))
	}
	run := &runCmd{
		Shell: c.Shell, cfg: c.cfg, root: dir, name: "Sample shop",
		selection: selection{
			repeat: 1, memory: []string{"shop=" + shop.URL},
			secrets: []string{"password=" + demo.Password, "cardCode=123"},
			origins: []string{"password=" + shop.URL, "cardCode=" + shop.Bank},
		},
	}
	err = run.Run(ctx, files)
	if c.keep && ctx.Err() == nil {
		if waitErr := c.wait(ctx, shop); waitErr != nil {
			return waitErr
		}
	}
	return err
}

type shopDoc struct {
	Schema string `json:"schema"`
	URL    string `json:"url"`
	Bank   string `json:"bank"`
}

// wait keeps the shop open until the user has enough.
func (c *demoCmd) wait(ctx context.Context, shop *demo.Shop) error {
	if c.JSON && c.serve {
		if err := c.PrintJSON(shopDoc{"trailblaze.shop/1", shop.URL, shop.Bank}); err != nil {
			return err
		}
	} else if !c.JSON {
		c.Printf("The shop is open at %s — press Ctrl+C to close it.\n", shop.URL)
	}
	<-ctx.Done()
	return nil
}
