package manage

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/trailblaze-dev/trailblaze/internal/cli/drive"
	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
	"github.com/trailblaze-dev/trailblaze/internal/serve/daemon/dial"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
)

// cancelCmd are the options of cancel.
type cancelCmd struct {
	drive.Command
	job  string
	call string
	all  bool
}

// NewCancel makes the command trailblaze cancel.
func NewCancel(a *shell.Shell) *cobra.Command {
	c := &cancelCmd{Command: drive.Command{Shell: a}}
	cmd := &cobra.Command{
		Use: "cancel", Short: "End calls that run, at once", GroupID: "drive",
		Long: `End what this terminal has running, or what runs on a device, or a job, or everything. It never waits
behind what it ends, and the device can be used again within a second.`,
		Example: "  trailblaze cancel\n  trailblaze cancel -d web/checkout\n  trailblaze cancel --all",
		Args:    shell.Exactly(0, "no arguments"), RunE: shell.Work(c.Run),
	}
	f := cmd.Flags()
	f.StringVarP(&c.Device, "device", "d", "", "end what runs on this `device`, whoever runs it")
	f.StringVar(&c.job, "job", "", "end the job with this `id`")
	f.StringVar(&c.call, "call", "", "end the call with this `id`")
	f.BoolVar(&c.all, "all", false, "end everything")
	_ = cmd.RegisterFlagCompletionFunc("device", c.CompleteDevices)
	shell.Exclusive(cmd, [2]string{"all", "device"}, [2]string{"all", "job"}, [2]string{"all", "call"})
	return cmd
}

type canceledDoc struct {
	Schema   string `json:"schema"`
	Canceled int    `json:"canceled"`
}

// Run ends calls. A daemon that does not run has none.
func (c *cancelCmd) Run(ctx context.Context, _ []string) error {
	r := &pb.CancelCallsRequest{
		DeviceId: c.Device, CallId: c.call, Job: c.job, All: c.all, Why: "somebody ended it with trailblaze cancel",
	}
	if r.DeviceId == "" && r.CallId == "" && r.Job == "" && !r.All {
		if err := c.Locate(); err != nil {
			return err
		}
		r.ClientId = c.ClientID(c.Workspace)
	}
	doc := canceledDoc{Schema: "trailblaze.canceled/1"}
	_, err := c.Control(ctx, func(ctx context.Context, to *dial.Daemon) error {
		out, err := shell.Tools(to).CancelCalls(ctx, r)
		doc.Canceled = int(out.GetCanceled())
		return shell.RequestError(ctx, to, err)
	})
	if err != nil {
		return err
	}
	if c.JSON {
		return c.PrintJSON(doc)
	}
	if doc.Canceled == 0 {
		c.Printf("Nothing to end.\n")
		return nil
	}
	c.Printf("%s ended\n", phrase.Count(doc.Canceled, "call"))
	return nil
}

// NewStatus is daemon status under the name one thinks of first.
func NewStatus(a *shell.Shell) *cobra.Command {
	c := &daemonCmd{Shell: a}
	return &cobra.Command{
		Use: "status", Short: "Show what runs, on which devices, for whom; starts nothing", GroupID: "drive",
		Args:    shell.Exactly(0, "no arguments"),
		Example: "  trailblaze status\n  trailblaze status --json", RunE: shell.Work(c.status),
	}
}
