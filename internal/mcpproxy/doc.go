// Package mcpproxy relays between an MCP client's stdin and stdout and the daemon. `trailblaze mcp`
// runs it. It stays up while daemons come and go.
//
// A proxy reads only the top level of each line: the id, the method and the tool. It keeps the
// state that a new daemon needs (initialize, subscriptions, the client id) and the requests without
// an answer. When it loses the daemon it dials again, which starts a new one from the binary now on
// disk, replays the state and announces that the list of tools may have changed. An action is sent
// once: the proxy answers a call that was under way with what is unknown of it and never repeats
// it. It repeats only requests that change nothing.
//
// The client's stdout carries JSON-RPC and nothing else: Seize takes it away from the rest of the
// process.
//
//	out, err := mcpproxy.Seize()
//	err = mcpproxy.Run(ctx, mcpproxy.Options{In: os.Stdin, Out: out, Dialer: d, Log: log})
package mcpproxy
