// Package mcp looks at the MCP server from outside, as clients do: the built binary on a real browser, spoken to by the
// official Go SDK; with -clients (`make e2e-mcp`) also by the official TypeScript SDK and the MCP Inspector, at pinned
// versions.
package mcp
