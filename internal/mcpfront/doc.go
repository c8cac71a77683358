// Package mcpfront is what an MCP client starts: `trailblaze mcp`, a thin relay between the client's stdin and stdout and
// the daemon. It stays up while daemons come and go.
//
// A front knows only the surface of what passes: the id, the method and the tool of a line. It remembers what a new daemon
// has to be told (initialize, what was subscribed, the handle of the seat) and which requests have no answer yet. When the
// daemon is lost it dials again, which starts a new one from the binary now on disk, replays, and announces that the list
// of tools may have changed. An action is sent once: a call that was under way at the loss is answered with what is not
// known of it, never repeated. Only what changes nothing is asked again.
//
// The client's stdout carries JSON-RPC and nothing else: Seize takes it away from everybody else in the process.
//
//	out, err := mcpfront.Seize()
//	err = mcpfront.Run(ctx, mcpfront.Options{In: os.Stdin, Out: out, Dialer: d, Log: log})
package mcpfront
