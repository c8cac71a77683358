// Package trail reads, checks, edits and writes trail files (trail.yaml): steps in plain language, each with recorded
// tool calls per device class.
//
// The CLI and the player parse, the recorder encodes and merges. Parse never stops at the first problem: it returns all
// of them with line, column, excerpt and hint. Values are not safe for concurrent writing.
//
//	t, problems := trail.Parse("shop/trail.yaml", data, trail.Strict)
package trail
