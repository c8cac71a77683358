package mcpserver

import (
	"context"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
)

// progressTimeout limits the delay of a progress report by a client that does not read. It loses the report, not the
// call.
const progressTimeout = 2 * time.Second

// progress makes the reporter of a call, nil for a client that gave no token: the protocol forbids
// reports without one.
func (cs *clientServer) progress(ctx context.Context, req *mcp.CallToolRequest) func(*pb.Progress) {
	token := req.Params.GetProgressToken()
	if token == nil {
		return nil
	}
	var last progressCounter
	return func(p *pb.Progress) {
		if ctx.Err() != nil {
			return
		}
		at, total := last.next(p)
		ctx, cancel := context.WithTimeout(ctx, progressTimeout)
		defer cancel()
		err := req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
			ProgressToken: token, Progress: at, Total: total, Message: p.Message,
		})
		if err != nil {
			cs.s.o.Log.Debug("progress not delivered", "tool", req.Params.Name, "error", err)
		}
	}
}

// progressCounter turns progress reports into numbers that only grow, as the protocol demands:
// steps where there are steps, else seconds.
type progressCounter struct{ at, total float64 }

const tick = 0.001

func (g *progressCounter) next(p *pb.Progress) (at, total float64) {
	want := p.GetElapsedMs() / 1000
	if p.Total > 0 {
		g.total = max(g.total, float64(p.Total))
	}
	if g.total > 0 {
		want = float64(max(p.Step-1, 0))
	}
	g.at = max(want, g.at+tick)
	if g.total > 0 {
		g.total = max(g.total, g.at)
	}
	return g.at, g.total
}
