// Package mcpstdio serves MCP on stdin and stdout: `trailblaze mcp` runs it. It is package mcpserver over a client of
// AgentService, so the protocol, with what a client has initialized and subscribed to, lives in this process, and what
// is driven lives in the daemon. It stays up while daemons come and go.
//
// All it holds for the daemon is the client's id, which it makes itself. When it loses the daemon it finds the next, or
// starts one from the binary now on disk, opens the client there by its id, and says that tools may have changed. An
// action is sent once: a call whose receipt has come is answered with what is unknown of it. Calls without a receipt
// and questions go to the next daemon.
//
// The client's stdout carries JSON-RPC and nothing else: Seize takes it away from the rest of the process.
//
//	out, err := mcpstdio.Seize()
//	err = mcpstdio.Serve(ctx, mcpstdio.Options{In: os.Stdin, Out: out, Dialer: d, Version: version, Log: log})
package mcpstdio
