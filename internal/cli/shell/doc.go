// Package shell is what all commands share: streams, printing, exit codes, arguments, settings, and the way to the
// daemon. It knows no command.
package shell
