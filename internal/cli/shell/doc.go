// Package shell holds the common parts of all commands: streams, printing, exit codes, arguments, settings, and the
// way to the daemon. It knows no command.
package shell
