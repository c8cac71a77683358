package mcpserver

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func (h *host) subscribe(context.Context, *mcp.SubscribeRequest) error     { return nil }
func (h *host) unsubscribe(context.Context, *mcp.UnsubscribeRequest) error { return nil }
func (h *host) forget(*mcp.ServerSession)                                  {}
