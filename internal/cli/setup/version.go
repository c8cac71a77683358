package setup

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
)

type versionCmd struct{ *shell.Shell }

// NewVersion makes the command trailblaze version.
func NewVersion(a *shell.Shell) *cobra.Command {
	c := &versionCmd{a}
	return &cobra.Command{
		Use: "version", Short: "Print the version", GroupID: "setup",
		Example: "  trailblaze version --json",
		Args:    shell.Exactly(0, "no arguments"),
		RunE:    shell.Work(c.Run),
	}
}

// Run prints the version.
func (c *versionCmd) Run(context.Context, []string) error {
	v := shell.BuildVersion()
	if c.JSON {
		return c.PrintJSON(v)
	}
	c.Printf("trailblaze %s", v.Version)
	if v.Commit != "" {
		c.Printf(" (%.12s)", v.Commit)
	}
	c.Printf(" %s %s/%s\n", v.Go, v.OS, v.Arch)
	return nil
}
