package run

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/internal/serve/manage"
	"github.com/trailblaze-dev/trailblaze/internal/serve/rpc"
	"github.com/trailblaze-dev/trailblaze/internal/serve/rpcerr"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
)

// hold keeps a phone at the daemon of this home, if there is one, until release. The phone is free when the process
// ends, however it ends. With wait it waits for the client that has the phone; else it says which one that is.
func (c *runCmd) hold(ctx context.Context, device string, wait bool) (release func(), err error) {
	free := func() {}
	l, err := c.Link(ctx, false)
	if err != nil {
		return free, nil //nolint:nilerr // without a daemon no client has a phone
	}
	most := 0
	if wait {
		most = manage.MostWait
	}
	args, err := json.Marshal(map[string]any{"action": "RESERVE", "deviceId": device, "hold": true, "timeoutMs": most})
	if err != nil {
		return nil, err
	}
	holding, end := context.WithCancel(ctx)
	held := make(chan error, 2)
	var work sync.WaitGroup
	work.Go(func() {
		defer l.Close()
		r := &pb.CallToolRequest{Name: manage.Device, ArgsJson: string(args), Options: &pb.CallOptions{
			Client: "run", ClientId: clients.NewID(), Workspace: c.root,
		}}
		for m, err := range rpc.Messages(shell.Tools(l).WatchTool(holding, &pb.WatchToolRequest{Call: r})) {
			switch {
			case err != nil:
				held <- rpcerr.From(err)
				return
			case m.GetResult() != nil:
				held <- rpcerr.InResponse(m.GetResult()).Err()
				return
			case m.GetProgress().GetEvent() == "reserved":
				held <- nil
			}
		}
	})
	free = func() {
		end()
		work.Wait()
	}
	select {
	case err = <-held:
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	if err != nil {
		free()
	}
	switch fault.KindOf(err) {
	case fault.Busy:
		if !wait {
			c.Errorf("%s: the run waits for it\n", fault.FailureOf(err).Message)
		}
		return nil, err
	case fault.Canceled:
		return nil, err
	}
	return free, nil
}
