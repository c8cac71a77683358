// Package tools lists the tools that are built in. Each noun has a folder: a Go file and a text for models per tool.
// Wiring (cli, daemon) calls Builtin, adds tools that live elsewhere, and makes a registry of all.
//
//	reg, err := tool.NewRegistry(tools.Builtin()...)
package tools
