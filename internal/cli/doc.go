// Package cli is the command line. Each command is one file in drive, run, manage or setup: a struct of options, a
// constructor for cobra, and a method that does the work. The commands share package shell, the only code that talks
// to a terminal; its exit.go alone decides the exit status. This package joins them.
//
//	os.Exit(cli.Main(ctx, cli.System(), os.Args[1:]))
package cli
