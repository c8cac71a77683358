package manage

import (
	"context"
	"strconv"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/internal/daemon"
)

// logs shows the end of the log, of a daemon that has ended too. Following goes through the daemon, which knows when it
// writes.
func (c *daemonCmd) logs(ctx context.Context, _ []string) error {
	if c.follow {
		return c.followLog(ctx)
	}
	_, place, err := c.place()
	if err != nil {
		return err
	}
	data, err := daemon.LogTail(place, c.lines)
	if err != nil {
		return err
	}
	if c.JSON {
		return c.PrintJSON(map[string]any{"schema": "trailblaze.log/1", "text": string(data)})
	}
	c.Printf("%s", data)
	return nil
}

func (c *daemonCmd) followLog(ctx context.Context) error {
	if c.JSON {
		return fault.New(fault.Invalid, "read command line", "--follow prints lines as they come, and --json one document").
			WithHint("Leave one of them out.")
	}
	l, err := c.Link(ctx, false)
	if err != nil {
		return err
	}
	err = l.Stream(ctx, "/v1/log?follow=1&lines="+strconv.Itoa(c.lines), c.Out)
	if shell.Stopped(ctx, err) {
		return nil
	}
	return err
}
