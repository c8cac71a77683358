// Package boot locates the daemon of a build and its description for clients, and starts it. It imports little:
// package ahead finds the daemon with it before the rest of the program is initialized.
package boot
