package drive

import (
	"context"
	"encoding/json"

	"github.com/spf13/cobra"

	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
)

// snapshotCmd are the options of snapshot.
type snapshotCmd struct {
	Command
	bounds, offscreen, css, all bool
	find, scope                 string
	diff, watch                 bool
}

// NewSnapshot makes the command trailblaze snapshot.
func NewSnapshot(a *shell.Shell) *cobra.Command {
	c := &snapshotCmd{Command: Command{Shell: a}}
	cmd := &cobra.Command{
		Use: "snapshot", Short: "Show the screen as text, each element with a ref to act on", GroupID: "drive",
		Long: `Show the screen of a live device as text: its elements with role, name, state and value. What can be
acted on has a ref, such as e12, for trailblaze tool; it stays valid as long as the element lives. Looking is
not recorded.`,
		Example: `  trailblaze snapshot
  trailblaze snapshot --find "Add to cart"       # only what matches, with what is around it
  trailblaze snapshot --diff                     # only what changed since the last one
  trailblaze snapshot --max-tokens 800 --screenshot page.png
  trailblaze snapshot --watch                    # again whenever the screen changes`,
		Args: shell.Exactly(0, "no arguments"), RunE: shell.Work(c.Run),
	}
	c.DeviceFlag(cmd)
	f := cmd.Flags()
	f.BoolVar(&c.bounds, "bounds", false, "where elements are, in px")
	f.BoolVar(&c.offscreen, "offscreen", false, "what is out of view too")
	f.BoolVar(&c.css, "css", false, "CSS selectors of elements")
	f.BoolVar(&c.all, "all", false, "every element, also covered ones and those that only hold others")
	f.StringVar(&c.find, "find", "", "only elements that match this `text`, with what is around them")
	f.StringVar(&c.scope, "scope", "", "only what is in the element of this `ref`")
	f.BoolVar(&c.diff, "diff", false, "only what changed since the last snapshot")
	f.StringVar(&c.picture, "screenshot", "", "keep a picture of the screen in this `file` too")
	f.BoolVar(&c.watch, "watch", false, "show it again whenever the screen changes, until Ctrl-C")
	c.tokensFlag(cmd)
	c.timeoutFlag(cmd)
	return cmd
}

// Run shows the screen.
func (c *snapshotCmd) Run(ctx context.Context, _ []string) error {
	args := map[string]any{}
	for _, d := range []struct {
		wanted bool
		name   string
	}{{c.bounds, "BOUNDS"}, {c.css, "CSS_SELECTORS"}, {c.offscreen, "OFFSCREEN_ELEMENTS"}, {c.all, "ALL_ELEMENTS"}} {
		if d.wanted {
			detail, _ := args["detail"].([]string)
			args["detail"] = append(detail, d.name)
		}
	}
	for name, v := range map[string]string{"find": c.find, "scope": c.scope} {
		if v != "" {
			args[name] = v
		}
	}
	if c.diff {
		args["changes"] = true
	}
	if c.maxTokens > 0 {
		args["maxTokens"] = c.maxTokens
		c.maxTokens = 0 // the tool bounds itself
	}
	if c.picture != "" {
		args["screenshot"] = true
		var err error
		if c.picture, err = c.Absolute(c.picture); err != nil {
			return err
		}
	}
	raw, err := json.Marshal(args)
	if err != nil {
		return err
	}
	return c.repeat(ctx, &pb.CallToolRequest{Name: tools.Snapshot, ArgsJson: string(raw)}, c.watch)
}
