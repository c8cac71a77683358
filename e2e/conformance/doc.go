// Package conformance holds what the public MCP conformance suite (npm @modelcontextprotocol/conformance) expects of
// a server under test beside the protocol: tools, resources and prompts of fixed names that do fixed things. The test
// build adds them to the shipped server through mcpserver.Options.Extra, so that the suite exercises the same
// transport code.
//
//	f := conformance.New()
//	defer f.Close()
//	m := mcpserver.New(mcpserver.Options{Daemon: agents, Extra: f.Add})
//
// Only tests use it. A Fixtures is safe for concurrent use.
package conformance
