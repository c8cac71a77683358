// Package cli is the command line: one file per command, options parsed apart from work, all input and output through one
// Streams value. It is the wiring of the house and the only package that talks to a terminal; cmd/trailblaze and the
// end-to-end tests call Main. Exit statuses are decided in exit.go and nowhere else.
//
//	os.Exit(cli.Main(ctx, cli.System(), os.Args[1:]))
package cli
