package mcpserver

import (
	"encoding/json"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/internal/hub"
)

func (h *host) logCall(req *mcp.CallToolRequest, seat *hub.Seat, args json.RawMessage, r *hub.Reply, err error, started time.Time) {
}
