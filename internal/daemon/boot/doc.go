// Package boot says where the daemon of a build lives and what it tells its clients of itself, and starts it. It
// imports little: package ahead finds the daemon with it before the rest of the program is initialized.
package boot
