// Package mcpserver speaks the Model Context Protocol: it turns tools/list into the tools that a
// client sees, tools/call into hub.Do, and the daemon's data (sessions, devices, trails) into
// resources. It keeps no state that must last: a client's settings are in the hub, which finds them
// by the client id after a restart of either side.
//
// Both eras of the protocol are served at one endpoint. Clients up to 2025-11-25 initialize and get
// a session; clients from 2026-07-28 on send every request by itself, with their client id in
// _meta.trailblaze.trailblazeSessionId, or in the argument of that name.
//
// A Server is safe for concurrent use. Close ends every session and joins what it started.
//
//	m := mcpserver.New(mcpserver.Options{Hub: h, Version: version})
//	mux.Handle("/mcp", m)                            // Streamable HTTP
//	mux.Handle("GET /mcp/stdio", m.UpgradeHandler()) // lines of JSON-RPC, for the stdio proxy
package mcpserver
