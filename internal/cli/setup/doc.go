// Package setup holds the commands that prepare a machine or an agent: browser, config, doctor, mcp, skill, version and
// completion.
package setup
