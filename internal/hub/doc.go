// Package hub is where clients meet devices. A client has a seat (its mode, settings and bound device), a device has a
// slot ("web", "web/checkout"), a claim says whose turn it is with a slot, and a live session records what is done there.
// Transports (api, mcpserver) turn their requests into Do; desk tools reach the house through From and SeatFrom.
//
// A Hub is safe for concurrent use. Status and Cancel never wait for a call.
//
//	h, err := hub.New(hub.Options{Home: home, Sessions: sessions, Provider: browsers, Workspace: load})
//	defer h.Close(ctx)
//	seat, err := h.Seat("", hub.NewSeat{Client: "mcp", Name: "claude-code", Workspace: root})
//	reply, err := h.Do(ctx, seat, hub.Request{Call: call, Intent: "Log in", From: dispatch.MCP})
package hub
