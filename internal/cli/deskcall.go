package cli

import (
	"context"
	"encoding/json"

	"github.com/spf13/cobra"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/api"
)

// manage calls a tool that manages the house and reads what it gives into out. The commands for devices and sessions are
// these very tools, so that the shell and MCP cannot come to differ.
func (c *driveCmd) manage(ctx context.Context, name string, args map[string]any, out any) (*api.Reply, error) {
	for k, v := range args {
		if v == "" || v == false || v == nil {
			delete(args, k)
		}
	}
	raw, err := json.Marshal(args)
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, "call "+name)
	}
	reply, err := c.send(ctx, api.CallRequest{Tool: name, Args: raw, Device: c.about}, true)
	if err != nil {
		return nil, err
	}
	for _, w := range reply.Warnings {
		c.warn("%s", w)
	}
	if codeOfReply(reply) != exitOK {
		if err := failureOf(reply); err != nil {
			return nil, err
		}
		return nil, fault.New(fault.Internal, "call "+name, "%s", textOf(reply))
	}
	if out != nil && reply.Result != nil && len(reply.Result.Value) > 0 {
		if err := json.Unmarshal(reply.Result.Value, out); err != nil {
			return nil, fault.Wrap(err, fault.Internal, "read reply of "+name)
		}
	}
	return reply, nil
}

// textOf is what a reply says.
func textOf(r *api.Reply) string {
	if r.Result == nil {
		return ""
	}
	out := ""
	for _, piece := range r.Result.Content {
		if piece.Text != "" {
			if out != "" {
				out += "\n"
			}
			out += piece.Text
		}
	}
	return out
}

// completeLive offers the devices that the daemon has, if one runs; completing starts none.
func (c *driveCmd) completeLive(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return c.completeDevices(cmd, args, word)
}
