// Package mcpserver implements the Model Context Protocol: it turns its requests into requests of AgentService in the
// typed API. It keeps what belongs to a connection and no state that must last: a client's settings are in the daemon,
// which finds them by the client id after a restart of either side.
//
// Both eras of the protocol are served. Clients up to 2025-11-25 initialize and get a session; clients from 2026-07-28
// on send single requests, with their client id in _meta.trailblaze.trailblazeSessionId, or in the argument of that
// name.
//
// A Server is safe for concurrent use. Close ends every session and joins what it started.
//
//	m := mcpserver.New(mcpserver.Options{Daemon: agents, Version: version})
//	mux.Handle("/mcp", m)                    // Streamable HTTP
//	err := m.ServeConn(ctx, stream, clientID) // lines of JSON-RPC
package mcpserver
