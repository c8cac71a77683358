package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/trailblaze-dev/trailblaze/internal/daemon/link"
)

// cancelCmd are the options of cancel.
type cancelCmd struct {
	driveCmd
	job  string
	call string
	all  bool
}

func newCancel(a *app) *cobra.Command {
	c := &cancelCmd{driveCmd: driveCmd{app: a}}
	cmd := &cobra.Command{
		Use: "cancel", Short: "End calls that run, at once", GroupID: "drive",
		Long: `End what this terminal has running, or what runs on a device, or a job, or everything. It never waits behind what it ends,
and the device can be used again within a second.`,
		Example: "  trailblaze cancel\n  trailblaze cancel -d web/checkout\n  trailblaze cancel --all",
		Args:    exactly(0, "no arguments"), RunE: work(c.Run),
	}
	f := cmd.Flags()
	f.StringVarP(&c.device, "device", "d", "", "end what runs on this `device`, whoever runs it")
	f.StringVar(&c.job, "job", "", "end the job with this `id`")
	f.StringVar(&c.call, "call", "", "end the call with this `id`")
	f.BoolVar(&c.all, "all", false, "end everything")
	_ = cmd.RegisterFlagCompletionFunc("device", c.completeDevices)
	exclusive(cmd, [2]string{"all", "device"}, [2]string{"all", "job"}, [2]string{"all", "call"})
	return cmd
}

// cancelRequest is what the control lane takes; calls that match every field that is set are ended.
type cancelRequest struct {
	Seat   string `json:"seat,omitempty"`
	Device string `json:"device,omitempty"`
	CallID string `json:"callId,omitempty"`
	Job    string `json:"job,omitempty"`
	All    bool   `json:"all,omitempty"`
	Why    string `json:"why,omitempty"`
}

type canceledDoc struct {
	Schema   string `json:"schema"`
	Canceled int    `json:"canceled"`
}

// Run ends calls. A daemon that does not run has none.
func (c *cancelCmd) Run(ctx context.Context, _ []string) error {
	r := cancelRequest{Device: c.device, CallID: c.call, Job: c.job, All: c.all, Why: "somebody ended it with trailblaze cancel"}
	if r.Device == "" && r.CallID == "" && r.Job == "" && !r.All {
		if err := c.locate(); err != nil {
			return err
		}
		r.Seat = c.seat(c.workspace)
	}
	var doc canceledDoc
	_, err := c.control(ctx, func(ctx context.Context, to *link.Client) error { return to.Post(ctx, "/v1/cancel", r, &doc) })
	if err != nil {
		return err
	}
	doc.Schema = "trailblaze.canceled/1"
	if c.json {
		return c.printJSON(doc)
	}
	if doc.Canceled == 0 {
		c.printf("Nothing to end.\n")
		return nil
	}
	c.printf("%s ended\n", plural(doc.Canceled, "call"))
	return nil
}

// newStatus is daemon status under the name one thinks of first.
func newStatus(a *app) *cobra.Command {
	c := &daemonCmd{app: a}
	return &cobra.Command{
		Use: "status", Short: "Show what runs, on which devices, for whom; starts nothing", GroupID: "drive", Args: exactly(0, "no arguments"),
		Example: "  trailblaze status\n  trailblaze status --json", RunE: work(c.status),
	}
}
