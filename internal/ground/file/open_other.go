//go:build !unix

package file

const nonblock = 0 // no path names a pipe that blocks
