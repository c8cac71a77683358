// Package hub is where clients meet devices. It joins its three parts: package clients (the callers), devices (the
// open devices, and the leases) and calls (the calls in flight), with the workspaces whose tools are called.
// Transports (api, mcpserver) turn their requests into Do; management tools reach the hub that they were made for, and
// their client through calls.ClientFrom.
//
// A Hub is safe for concurrent use. Status and Cancel never wait for a call.
//
//	h, err := hub.New(hub.Options{Home: home, Sessions: sessions, Provider: browsers, Workspace: load})
//	defer h.Close(ctx)
//	c, err := h.Client("", clients.Identity{Kind: "mcp", Name: "claude-code", Workspace: root})
//	reply, err := h.Do(ctx, c, calls.Request{Call: call, Intent: "Log in", From: dispatch.MCP})
package hub
