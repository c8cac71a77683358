package drive

import (
	"context"
	"encoding/json"

	"github.com/spf13/cobra"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/internal/serve/api"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
)

// Manage calls a tool that manages the house and reads what it gives into out. The commands for devices and sessions
// are these very tools, so that the shell and MCP cannot come to differ.
func (c *Command) Manage(ctx context.Context, name string, args map[string]any, out any) (*api.Reply, error) {
	for k, v := range args {
		if v == "" || v == false || v == nil {
			delete(args, k)
		}
	}
	raw, err := json.Marshal(args)
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, "call "+name)
	}
	reply, err := c.send(ctx, &pb.CallToolRequest{Name: name, ArgsJson: string(raw), DeviceId: c.About}, true)
	if err != nil {
		return nil, err
	}
	for _, w := range reply.Warnings {
		c.Warn("%s", w)
	}
	if shell.CodeOfReply(reply) != shell.ExitOK {
		if err := reply.Fault.Err(); err != nil {
			return nil, err
		}
		return nil, fault.New(fault.Internal, "call "+name, "%s", shell.TextOf(reply))
	}
	if out != nil && reply.Result != nil && len(reply.Result.Value) > 0 {
		if err := json.Unmarshal(reply.Result.Value, out); err != nil {
			return nil, fault.Wrap(err, fault.Internal, "read reply of "+name)
		}
	}
	return reply, nil
}

// CompleteLive offers the devices that the daemon has, if one runs; completing starts none.
func (c *Command) CompleteLive(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return c.CompleteDevices(cmd, args, word)
}
