// Package mcpserver speaks the Model Context Protocol: it turns tools/list into what a seat sees, tools/call into hub.Do,
// and what the house keeps (sessions, devices, trails) into resources. It holds no state of its own worth keeping: a
// client's settings are in its seat, which the seat's handle finds again after a restart of either side.
//
// Both eras of the protocol are served at one endpoint. Clients up to 2025-11-25 initialize and get a session; clients
// from 2026-07-28 on send every request by itself and name their seat in _meta.trailblaze.trailblazeSessionId, or in the
// argument of that name.
//
// A Server is safe for concurrent use. Close ends every session and joins what it started.
//
//	m := mcpserver.New(mcpserver.Options{Hub: h, Version: version})
//	mux.Handle("/mcp", m)                            // Streamable HTTP
//	mux.Handle("GET /mcp/stdio", m.UpgradeHandler()) // lines of JSON-RPC, for the stdio front
package mcpserver
