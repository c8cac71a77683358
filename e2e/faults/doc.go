// Package faults breaks things around the built binary from outside: pages, browsers, daemons and files. Each test
// proves that what is broken stays broken alone, and that the next call works. docs/daemon.md lists the promises.
package faults
