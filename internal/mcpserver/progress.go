package mcpserver

import (
	"context"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/internal/hub"
)

// progressPatience is how long a client that does not read may hold up a sign of life. It loses that one, not the call.
const progressPatience = 2 * time.Second

// progress makes the reporter of a call: nil for a client that gave no token, which must get nothing it did not ask for
// (R209).
func (h *host) progress(ctx context.Context, req *mcp.CallToolRequest) func(hub.Progress) {
	token := req.Params.GetProgressToken()
	if token == nil {
		return nil
	}
	var last gauge
	return func(p hub.Progress) {
		if ctx.Err() != nil {
			return
		}
		at, total := last.next(p)
		ctx, cancel := context.WithTimeout(ctx, progressPatience)
		defer cancel()
		err := req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
			ProgressToken: token, Progress: at, Total: total, Message: p.Message,
		})
		if err != nil {
			h.s.o.Log.Debug("progress not delivered", "tool", req.Params.Name, "error", err)
		}
	}
}

// gauge turns signs of life into numbers that only grow, as the protocol demands: steps where there are steps, seconds
// where there are none.
type gauge struct{ at, total float64 }

const tick = 0.001

func (g *gauge) next(p hub.Progress) (at, total float64) {
	want := p.Elapsed.Seconds()
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
