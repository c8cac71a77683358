// Package faults breaks things around the built binary from outside: pages, browsers, daemons and files. Each test
// proves that a broken thing breaks nothing else, and that the next call works. docs/daemon.md lists the promises.
package faults
