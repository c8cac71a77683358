// Package clients keeps the callers: a Client has an id, a workspace, settings and a chosen device. It outlives
// connections and daemons, because each client is a file that its id finds again. The hub takes clients from a
// Registry; packages calls and devices hold them. All types are safe for concurrent use.
//
//	r := clients.NewRegistry(clients.Options{Dir: filepath.Join(home, "run", "clients")})
//	c, err := r.Take("", clients.Identity{Kind: "mcp", Name: "claude-code", Workspace: root})
//	leave := c.Enter()
//	defer leave()
package clients
